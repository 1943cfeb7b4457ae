"""`ems-admin release`: what a maintainer types, sees, and is told when it is refused."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ems_admin.builds.publishing import Publisher
from ems_admin.cli.release import release
from tests.builds.sample import NOW, folder, packed, published


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(release, [str(one) for one in arguments], obj=Publisher(now=lambda: NOW))


def test_a_folder_becomes_an_archive_a_catalogue_and_a_good_verdict(tmp_path: Path) -> None:
    archive = tmp_path / "out" / "system-build-v1.0.0.tar.gz"
    archive.parent.mkdir()
    made = run("pack", folder(tmp_path / "source"), "--out", archive)
    assert made.exit_code == 0, made.output
    assert "v1.0.0" in made.stdout
    assert f"release catalogue {archive.parent}" in made.stdout
    listed = run("catalogue", archive.parent)
    assert listed.exit_code == 0
    assert archive.name in listed.stdout
    for place in (archive, archive.parent):
        verdict = run("verify", place)
        assert verdict.exit_code == 0
        assert "hold" in verdict.stdout


def test_an_unpacked_build_is_verified_too(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    (tmp_path / "unpacked").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path / "unpacked"], check=True)
    assert run("verify", tmp_path / "unpacked").exit_code == 0
    (tmp_path / "unpacked/stack.json").write_text("{}")
    assert run("verify", tmp_path / "unpacked").exit_code == 3


def test_progress_goes_to_standard_error(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    verdict = run("verify", archive)
    assert "Verifying" in verdict.stderr
    assert "Verifying" not in verdict.stdout


def test_a_refusal_prints_code_place_and_cure_and_exits_with_3(tmp_path: Path) -> None:
    source = folder(tmp_path / "source")
    (source / "stack.json").unlink()
    refused = run("pack", source, "--out", tmp_path / "a.tar.gz")
    assert refused.exit_code == 3
    for said in ("system_build_resources_invalid", "stack.json", "run the command again"):
        assert said in refused.stderr
    assert refused.stdout == ""


def test_a_changed_archive_is_refused_by_the_name_that_the_catalogue_gives(tmp_path: Path) -> None:
    published(tmp_path, "v1.0.0", "v1.1.0")
    with (tmp_path / "system-build-v1.0.0.tar.gz").open("ab") as archive:
        archive.write(b"\0")
    refused = run("verify", tmp_path)
    assert refused.exit_code == 3
    assert "system_build_mismatch" in refused.stderr
    assert "system-build-v1.0.0.tar.gz" in refused.stderr
    (tmp_path / "system-build-v1.0.0.tar.gz").unlink()
    assert "system_build_unavailable" in run("verify", tmp_path).stderr


@pytest.mark.parametrize(
    "arguments", [("pack", "nowhere", "--out", "x"), ("pack", "."), ("verify", "nowhere"), ("unpack",)]
)
def test_a_command_line_that_cannot_be_understood_exits_with_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_place_that_cannot_be_written_exits_with_1_and_names_it(tmp_path: Path) -> None:
    failed = run("pack", folder(tmp_path / "source"), "--out", tmp_path / "missing" / "a.tar.gz")
    assert failed.exit_code == 1
    assert "missing" in failed.stderr


def test_an_empty_folder_gives_an_empty_catalogue(tmp_path: Path) -> None:
    assert "0 System Builds" in run("catalogue", tmp_path).stdout
