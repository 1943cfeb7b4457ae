"""`ems-admin backup`: by whoever sits at the machine, with a password that never stands in a command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ems_admin.app import main
from ems_admin.cli.backup import backup
from ems_admin.cli.locked import ENVIRONMENT
from tests.cli.files import files_below
from tests.cli.process import command, environment, running

CONFIG = '{\r\n "devices": [{"name": "Küche 🔋"}]\r\n}'.encode()
OTHER = b'{"devices": []}'
CREDENTIALS = b'{"format_version": 1, "credentials": {"home": {"username": "u", "password": "s3cret"}}}'
PASSWORD = "Küche 🔋"


def site(tmp_path: Path) -> Path:
    root = tmp_path / "ems"
    (root / "config").mkdir(parents=True)
    (root / "config/config.json").write_bytes(CONFIG)
    (root / "config/credentials.json").write_bytes(CREDENTIALS)
    return root


def ask(root: Path, *words: str, password: str | None = None, said: str = "") -> Result:
    """Run a command in this process."""
    env = {ENVIRONMENT: password, "EMS_ADMIN_DATA_DIR": None, "EMS_ADMIN_ENGINE": None}
    return CliRunner().invoke(main, ("backup", *words, "--install-root", str(root)), input=said, env=env)


def told(answer: Result) -> Any:
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def test_a_backup_is_made_listed_opened_compared_restored_and_deleted(tmp_path: Path) -> None:
    root = site(tmp_path)
    made = told(ask(root, "create", "--label", "Küche 🔋", "--json", password=PASSWORD))
    backup_id, config = made["id"], root / "config/config.json"
    listed = ask(root, "list")
    assert listed.stdout == f"{backup_id}   {made['created_at']}   config, locked   Küche 🔋\n"

    unopened = ask(root, "inspect", backup_id)
    assert (unopened.exit_code, "backup_password_required" in unopened.stderr) == (3, True)
    wrong = ask(root, "inspect", backup_id, "--password-stdin", said="wrong\n")
    assert (wrong.exit_code, "backup_password_invalid" in wrong.stderr) == (3, True)
    opened = told(ask(root, "inspect", backup_id, "--password-stdin", "--json", said=f"{PASSWORD}\n"))
    assert [file["name"] for file in opened["files"]] == ["config/config.json", "config/credentials.json"]
    assert opened["label"] == "Küche 🔋"

    config.write_bytes(OTHER)
    compared = ask(root, "diff", backup_id, password=PASSWORD)
    assert '+      "name": "Küche 🔋"' in compared.stdout
    before = told_apart(root)
    shown = ask(root, "restore", backup_id, password=PASSWORD)
    assert (shown.exit_code, "Add --yes" in shown.stdout) == (0, True)
    assert told_apart(root) == before
    done = told(ask(root, "restore", backup_id, "--yes", "--json", password=PASSWORD))["restored"]
    assert config.read_bytes() == CONFIG
    assert (root / "admin" / done["backup"]).read_bytes() == OTHER

    assert ask(root, "delete", backup_id).exit_code == 2
    assert ask(root, "delete", backup_id, "--yes").exit_code == 0
    assert told(ask(root, "list", "--json"))["backups"] == []
    assert ask(root, "delete", backup_id, "--yes").exit_code == 3
    assert "s3cret" not in "".join(answer.output for answer in (listed, unopened, wrong, compared, shown))


def told_apart(root: Path) -> dict[str, Any]:
    """Give what lies there, but for locks and the journal."""
    return {name: seen for name, seen in files_below(root).items() if not name.endswith((".lock", ".jsonl"))}


def test_a_damaged_backup_is_listed_as_such(tmp_path: Path) -> None:
    root = site(tmp_path)
    made = told(ask(root, "create", "--json"))
    file = root / f"admin/backups/sets/{made['id']}.emsbackup"
    file.write_bytes(file.read_bytes()[:-1])
    assert ask(root, "list").stdout == f"{made['id']}   damaged: tampered\n"
    refused = ask(root, "restore", made["id"], "--yes")
    assert (refused.exit_code, "backup_damaged" in refused.stderr) == (3, True)


def test_secrets_that_cannot_be_read_are_named_as_left_out(tmp_path: Path) -> None:
    root = site(tmp_path)
    (root / "config/credentials.json").write_bytes(b"{")
    assert "config/credentials.json: not_json" in ask(root, "create").stdout


def test_a_label_is_printed_where_there_are_no_letters_for_it(tmp_path: Path) -> None:
    """F06."""
    root = site(tmp_path)
    words = command("backup", "create", "--label", "Küche 🔋", "--install-root", root)
    plain = environment(tmp_path) | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii:backslashreplace"}
    assert subprocess.run(words, capture_output=True, env=plain, timeout=60, check=False).returncode == 0
    (made,) = told(ask(root, "list", "--json"))["backups"]
    assert made["label"] == "Küche 🔋"


def test_only_a_restore_takes_the_site(tmp_path: Path) -> None:
    """site.md 10."""
    root = site(tmp_path)
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        assert admin.url
        made = told(ask(root, "create", "--scope", "full", "--json"))
        refused = ask(root, "restore", made["id"], "--yes")
        assert (refused.exit_code, "site_locked" in refused.stderr) == (3, True)
        assert ask(root, "delete", made["id"], "--yes").exit_code == 0
        admin.end()


def test_a_new_site_is_given_the_backup_of_an_old_one(tmp_path: Path) -> None:
    """A new disk: the file is laid among the backups, and restored over nothing."""
    old = site(tmp_path)
    made = told(ask(old, "create", "--json", password=PASSWORD))
    new = tmp_path / "new"
    file = Path("admin/backups/sets", f"{made['id']}.emsbackup")
    (new / file).parent.mkdir(parents=True)
    (new / file).write_bytes((old / file).read_bytes())
    done = told(ask(new, "restore", made["id"], "--yes", "--json", password=PASSWORD))
    assert done["restored"]["backup"] is None
    assert (new / "config/config.json").read_bytes() == CONFIG
    assert json.loads((new / "config/credentials.json").read_bytes())["credentials"]["home"]["password"] == "s3cret"


@pytest.mark.parametrize("name", backup.commands)
def test_no_password_is_an_option(name: str) -> None:
    """Whoever lists the processes would read it."""
    taking = [p.opts for p in backup.commands[name].params if any("password" in opt for opt in p.opts)]
    assert taking in ([], [["--password-stdin"]])
