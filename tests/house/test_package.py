"""What is installed from a wheel is whole: the code, the console, the diagrams and the identity."""

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.house.tracked import ROOT, tracked
from tools.console import CONSOLE

SRC = ROOT / "src"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("packed")
    arguments = ["--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", "build", *arguments], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(packed: Path) -> set[str]:
    (path,) = packed.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_module_and_what_belongs_to_it(wheel: set[str]) -> None:
    wanted = {
        path.relative_to(SRC).as_posix()
        for path in tracked()
        if path.is_relative_to(SRC) and not path.is_relative_to(CONSOLE)
    }
    assert wanted <= wheel


def test_the_wheel_holds_the_built_console_and_none_of_its_sources(wheel: set[str]) -> None:
    built = {path.relative_to(SRC).as_posix() for path in (CONSOLE / "dist").rglob("*") if path.is_file()}
    inside = {name for name in wheel if name.startswith("ems_admin/http/console/") and not name.endswith(".py")}
    assert "ems_admin/http/console/dist/index.html" in built
    assert inside == built


def test_the_wheel_holds_the_diagrams(wheel: set[str]) -> None:
    drawn = {path.relative_to(ROOT).as_posix() for path in tracked() if path.is_relative_to(ROOT / "diagrams")}
    assert drawn
    assert {f"ems_admin/{name}" for name in drawn} <= wheel


def test_the_wheel_says_what_it_is(packed: Path) -> None:
    (path,) = packed.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        said = json.loads(archive.read("ems_admin/build.json"))
    assert set(said) == {"format_version", "system_tag", "build_id", "revision", "built_at", "requires"}
    assert said == json.loads((SRC / "ems_admin/build.json").read_bytes())


def test_the_source_distribution_holds_every_tracked_file(packed: Path) -> None:
    (path,) = packed.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {path.relative_to(ROOT).as_posix() for path in tracked()} <= names


def test_an_installed_wheel_runs_without_the_checkout(packed: Path, tmp_path: Path) -> None:
    (path,) = packed.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    asked = "import ems_admin; print(ems_admin.__file__); from ems_admin.app import main; main(['machines', 'list'])"
    answer = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert answer.stdout.startswith(str(tmp_path))
    assert len(answer.stdout.splitlines()) > 12
