"""`ems-admin explain`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ems_admin.app import main
from ems_admin.machines.codes import Code


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ("explain", *words), env={"COLUMNS": "200"})


def test_a_code_is_explained_by_its_sentence_its_ways_on_and_who_answers_it() -> None:
    result = run("stale_setup_config")
    assert result.exit_code == 0
    assert "was changed after your review" in result.output
    assert "Review the configuration" in result.output
    assert "POST /api/setup/config-preview" in result.output
    assert "preview" in result.output
    assert "The live config is still the one that the preview was compared with." in result.output


def test_a_code_that_no_machine_gives_says_so() -> None:
    assert "No machine: a route, a store or an engine gives it." in run("csrf_failed").output


@pytest.mark.parametrize("word", ["Expired", "EXPIRED", "site-locked"])
def test_a_code_may_be_typed_as_people_type(word: str) -> None:
    assert run(word).exit_code == 0


def test_an_unknown_code_is_a_usage_error_that_names_what_was_meant() -> None:
    result = run("setup_preview_mismach")
    assert result.exit_code == 2
    assert "Did you mean setup_preview_mismatch" in result.output


def test_nothing_like_it_is_said_as_plainly() -> None:
    result = run("zzzzqqqq")
    assert result.exit_code == 2
    assert "Did you mean" not in result.output


@pytest.mark.parametrize("code", [Code.EXPIRED, Code.TARGET_EXISTS])
def test_every_terminal_can_show_it(code: Code, tmp_path: Path) -> None:
    """F06."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", "from ems_admin.app import main; main()", "explain", code]
    ended = subprocess.run(command, env=environment, capture_output=True, cwd=tmp_path, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    assert code.encode() in ended.stdout
    assert not list(tmp_path.iterdir()), "it asks no server and leaves no lock"
