"""`ems-admin diagrams`: what is committed is what is declared."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ems_admin.app import main
from ems_admin.http.diagrams import diagram
from ems_admin.http.page import PATH as ROUTES
from ems_admin.machines.catalogue import CATALOGUE, Entry
from ems_admin.machines.render.files import pictures, texts

ROOT = Path(__file__).parents[2]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ("diagrams", *words))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy all that is generated."""
    for path in (*texts(), *pictures(), ROUTES):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_what_is_committed_is_what_is_declared() -> None:
    result = run("--check")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/machines/preview.md", "# Another page\n"),
        ("diagrams/preview.mmd", ""),
        ("docs/refusals.md", "# Refusals\n"),
        ("diagrams/preview.svg", '<svg data-drawn-from="sha256:0"></svg>'),
    ],
)
def test_a_file_that_says_something_else_is_named(checkout: Path, path: str, text: str) -> None:
    (checkout / path).write_text(text, encoding="utf-8")
    result = run("--check", "--root", str(checkout))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [f"{path}: stale", "Run `make diagrams`."]
    assert (checkout / path).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", ["docs/machines/work.md", "diagrams/work.svg"])
def test_a_file_that_is_missing_is_named(checkout: Path, path: str) -> None:
    (checkout / path).unlink()
    result = run("--check", "--root", str(checkout))
    assert result.exit_code == 1
    assert f"{path}: missing" in result.stderr


def test_what_a_machine_that_is_gone_has_left_is_named_and_removed(checkout: Path) -> None:
    left = checkout / "diagrams" / "boiler.svg"
    left.write_text("<svg/>", encoding="utf-8")
    result = run("--check", "--root", str(checkout))
    assert (result.exit_code, result.stderr.splitlines()[0]) == (1, "diagrams/boiler.svg: of a machine that is gone")
    assert run("--root", str(checkout)).exit_code == 0
    assert not left.exists()


def test_everything_is_written_where_nothing_was(tmp_path: Path) -> None:
    assert run("--root", str(tmp_path)).exit_code == 0
    assert run("--check", "--root", str(tmp_path)).exit_code == 0
    assert {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()} == {*texts(), *pictures(), ROUTES}


def test_what_is_as_declared_is_not_written_again(checkout: Path) -> None:
    before = {path: (checkout / path).stat().st_mtime_ns for path in (*texts(), *pictures())}
    result = run("--root", str(checkout))
    assert result.output == "Everything is as declared.\n"
    assert {path: (checkout / path).stat().st_mtime_ns for path in before} == before


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_the_picture_of_a_machine_is_found_and_every_state_can_be_lit(entry: Entry) -> None:
    picture = diagram(entry.name)
    assert picture is not None
    for state in entry.states:
        assert f'id="state-{state}"' in picture
    assert "<style" not in picture, "a strict content policy shows it as it is"
    assert " style=" not in picture


def test_there_is_no_picture_of_what_is_no_machine() -> None:
    assert diagram("../../../etc/passwd") is None
