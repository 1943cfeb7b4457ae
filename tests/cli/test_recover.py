"""`ems-admin recover`: the way out for whoever sits at the machine, bound to what the preview showed."""

import json
from pathlib import Path
from typing import Any

from tests.cli.process import run, running

B1 = "state/pending-transition.json"


def broken_site(tmp_path: Path) -> tuple[Path, Path]:
    root = tmp_path / "ems"
    record = root / "admin" / B1
    record.parent.mkdir(parents=True)
    record.write_bytes(b"{")
    return root, record


def previewed(tmp_path: Path, root: Path) -> dict[str, Any]:
    answer = run(tmp_path, "recover", "preview", "--json", "--install-root", root)
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_a_record_that_cannot_be_read_is_shown_refused_as_safe_and_released(tmp_path: Path) -> None:
    root, record = broken_site(tmp_path)
    plain = run(tmp_path, "recover", "preview", "--install-root", root)
    fingerprint = previewed(tmp_path, root)["fingerprint"]
    assert f"{B1}: unreadable_state" in plain.stdout
    assert fingerprint in plain.stdout  # in one line, to be copied
    where = ("--install-root", root, "--fingerprint", fingerprint)
    unconfirmed = run(tmp_path, "recover", "release", *where, "--reason", "stuck")
    assert (unconfirmed.returncode, "confirmation_required" in unconfirmed.stderr) == (3, True)
    safe = run(tmp_path, "recover", "safe", *where, "--yes")
    assert (safe.returncode, "workflow_recovery_unsafe" in safe.stderr) == (3, True)
    assert record.read_bytes() == b"{"
    done = run(tmp_path, "recover", "release", *where, "--yes", "--reason", "stuck", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [file["name"] for file in told["released"]] == [B1]
    assert (root / "admin" / told["backup"] / "pending-transition.json").read_bytes() == b"{"
    assert not record.exists()


def test_what_nobody_has_looked_at_is_not_done(tmp_path: Path) -> None:
    root, record = broken_site(tmp_path)
    answer = run(tmp_path, "recover", "release", "--install-root", root, "--yes", "--reason", "stuck")
    assert (answer.returncode, "workflow_fingerprint_required" in answer.stderr) == (3, True)
    assert record.exists()


def test_the_preview_takes_no_lock_and_the_acts_take_the_site(tmp_path: Path) -> None:
    """site.md 10."""
    root, record = broken_site(tmp_path)
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        assert admin.url
        fingerprint = previewed(tmp_path, root)["fingerprint"]
        order = ("--install-root", root, "--fingerprint", fingerprint, "--yes")
        for words in (("safe",), ("release", "--reason", "stuck")):
            answer = run(tmp_path, "recover", *words, *order)
            assert (answer.returncode, "site_locked" in answer.stderr) == (3, True)
        assert record.exists()
        admin.end()
