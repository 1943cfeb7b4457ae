"""`ems-admin status`: no server, no lock, and not a byte changed."""

import json
from pathlib import Path

from tests.cli.files import files_below
from tests.cli.process import Client, run, running


def test_an_empty_place_is_an_empty_place_and_stays_one(tmp_path: Path) -> None:
    answer = run(tmp_path, "status", "--install-root", tmp_path / "ems")
    assert answer.returncode == 0
    assert "not running" in answer.stdout
    assert not (tmp_path / "ems").exists()


def test_it_looks_while_an_admin_runs_and_touches_nothing(tmp_path: Path) -> None:
    """`site.md` 1."""
    root = tmp_path / "ems"
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        client = Client(admin.url).sign_in()
        begun = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
        client.ask("GET", "/api/admin/journal")
        held = files_below(root)
        answer = run(tmp_path, "status", "--json", "--install-root", root)
        assert files_below(root) == held
        told = run(tmp_path, "status", "--install-root", root).stdout
        assert f"process {admin.process.pid}, since" in told
        assert "Warning" not in told  # nothing was started here, so no check of a start has failed
        instance = client.ask("GET", "/api/admin/health")["admin_instance_id"]
    found = json.loads(answer.stdout)
    assert answer.returncode == 0
    assert found["admin"]["instance"] == instance
    assert found["admin"]["process"] == admin.process.pid
    assert found["setup"]["workflow_id"] == begun["setup_workflow_id"]
    assert found["lifecycle"]["owner"] == "guided_setup"


def test_a_record_that_cannot_be_read_is_shown_as_that(tmp_path: Path) -> None:
    record = tmp_path / "ems" / "admin" / "state" / "guided-setup-workflow.json"
    record.parent.mkdir(parents=True)
    record.write_bytes(b"")
    answer = run(tmp_path, "status", "--install-root", tmp_path / "ems")
    assert answer.returncode == 0
    assert "cannot be read: empty" in answer.stdout
    assert "malformed" in answer.stdout
    assert record.read_bytes() == b""
