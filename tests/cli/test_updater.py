"""`ems-admin updater`: with nothing to do it does nothing, and by hand it leaves a served site alone."""

from pathlib import Path

import pytest

from tests.cli.files import files_below
from tests.cli.process import run, running


def test_without_an_open_walk_there_is_nothing_to_be_finished(tmp_path: Path) -> None:
    answer = run(tmp_path, "updater", "--install-root", tmp_path / "ems")
    assert answer.returncode == 0
    assert "nothing to be finished" in answer.stderr
    assert not (tmp_path / "ems").exists()


def test_an_updater_that_nobody_waits_for_touches_nothing(tmp_path: Path) -> None:
    """It comes late (`replacement.md` 7.4, U1)."""
    state = tmp_path / "ems/admin/state"
    state.mkdir(parents=True)
    words = ("--operation", "0" * 32, "--attempt", "1")
    answer = run(tmp_path, "updater", "--install-root", tmp_path / "ems", *words)
    assert answer.returncode == 0
    assert not {"replacement-run.json", "pending-transition.json"} & set(files_below(state))


@pytest.mark.parametrize("words", [("--operation", "0" * 32), ("--attempt", "1"), ("--attempt", "0")])
def test_half_an_attempt_is_a_usage_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert run(tmp_path, "updater", "--install-root", tmp_path / "ems", *words).returncode == 2


def test_by_hand_it_is_refused_while_an_admin_looks_after_the_site(tmp_path: Path) -> None:
    root = tmp_path / "ems"
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        assert admin.url
        answer = run(tmp_path, "updater", "--install-root", root, "--local")
    assert answer.returncode == 3
    assert "site_locked" in answer.stderr


def test_a_program_says_which_build_it_is(tmp_path: Path) -> None:
    """What a smoke run asks (F20)."""
    answer = run(tmp_path, "--version")
    assert answer.returncode == 0
    assert answer.stdout.startswith("ems-admin, version ")
    assert ", build " in answer.stdout
