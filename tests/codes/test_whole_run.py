"""A whole run, split between workers, ends red for one code that nobody produced, and says which."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from tests.codes_later import LATER

CHECKOUT = Path(__file__).parents[2]
PRODUCED = sorted(set(Code) - {code for codes in LATER.values() for code in codes})
SUITE = """
import pytest
from tests.codes_heard import HEARD

@pytest.mark.parametrize("codes", {halves})
def test_one_half(codes):
    HEARD.update(codes)
"""


def whole_run(folder: Path, *codes: str) -> tuple[int, str]:
    """Run a suite that produces `codes`, half of them on each of two workers; give how it ended and what it printed."""
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {CHECKOUT} {CHECKOUT / 'src'}\n")
    (folder / "conftest.py").write_text("from tests.conftest import *\n")
    (folder / "test_codes.py").write_text(
        SUITE.format(halves=[list(map(str, codes[::2])), list(map(str, codes[1::2]))])
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "--every-code", str(folder)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_what_two_workers_have_heard_adds_up(tmp_path: Path) -> None:
    ended, said = whole_run(tmp_path, *PRODUCED)
    assert ended == pytest.ExitCode.OK, said


def test_a_code_that_nobody_produces_or_that_comes_too_early_fails_the_run(tmp_path: Path) -> None:
    part, codes = next(iter(LATER.items()))
    ended, said = whole_run(tmp_path, *PRODUCED[1:], min(codes))
    assert ended == pytest.ExitCode.TESTS_FAILED, said
    assert said.count("no test makes the program say") == 1
    assert f"no test makes the program say {PRODUCED[0]}" in said
    assert f"{min(codes)} is produced already, and no longer waits for {part}" in said
    assert "2 passed" in said, "no single test has failed"
