"""The set-up installs only what is missing, and without root says the one command and stops."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.house.tracked import ROOT
from tools import console

NOBODY = 65534


def machine(purpose: str, *, path: Path) -> subprocess.CompletedProcess[str]:
    """Ask for what a purpose needs, as somebody without rights, seeing only the programs in one folder."""
    script = (ROOT / "tools/machine.sh").read_text()
    bash = shutil.which("bash") or "/bin/bash"
    return subprocess.run(
        [bash, "-s", purpose],
        input=script,
        cwd="/",
        env={"PATH": str(path)},
        user=NOBODY if os.geteuid() == 0 else None,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def programs() -> Iterator[Path]:
    """A folder in the PATH of a machine that has python3 with venv, and apt; open to everybody."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for tool in ("id", "find"):
            (folder / tool).symlink_to(shutil.which(tool) or tool)
        # Python is new enough and can make environments; apt tells when it is called.
        for tool, text in (("python3", "exit 0"), ("apt-get", "echo installed >&2")):
            (folder / tool).write_text(f"#!/bin/sh\n{text}\n")
            (folder / tool).chmod(0o755)
        yield folder


def test_a_machine_that_has_everything_is_left_alone(programs: Path) -> None:
    answer = machine("run", path=programs)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


def test_without_root_the_one_command_is_said_and_nothing_is_installed(programs: Path) -> None:
    answer = machine("draw", path=programs)
    assert answer.returncode == 1
    assert "graphviz (draws" in answer.stderr
    assert "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends graphviz'" in answer.stderr
    assert "installed" not in answer.stderr


def test_tests_need_a_browser_besides(programs: Path) -> None:
    answer = machine("test", path=programs)
    assert "graphviz chromium" in answer.stderr


def test_without_apt_the_person_is_told_what_is_missing(programs: Path) -> None:
    (programs / "apt-get").unlink()
    answer = machine("draw", path=programs)
    assert answer.returncode == 1
    assert "Missing on this machine: graphviz" in answer.stderr


def test_an_old_python_is_refused(programs: Path) -> None:
    (programs / "python3").write_text("#!/bin/sh\nexit 1\n")
    answer = machine("run", path=programs)
    assert answer.returncode == 1
    assert "Python 3.11" in answer.stderr


@pytest.mark.parametrize(
    ("version", "fits"),
    [
        *(("v18.20.4", False), ("v20.18.9", False), ("v20.19.0", True), ("v21.9.0", False)),
        *(("v22.11.0", False), ("v22.12.0", True), ("v24.0.1", True)),
    ],
)
def test_a_node_too_old_for_the_bundler_is_not_used(version: str, *, fits: bool) -> None:
    assert console.builds_vite(version) is fits


def test_the_console_is_built_and_fresh() -> None:
    assert console.is_built()
    page = (console.CONSOLE / "dist/index.html").read_text()
    assert "<script" in page


def test_every_goal_of_make_is_told_by_make_help() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for goal in ("run", "test", "check", "diagrams", "structure", "bench", "console"):
        assert f"make {goal} " in told
