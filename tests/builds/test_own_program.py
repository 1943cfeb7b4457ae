"""The running Admin's own program among those of its site (`replacement.md` 7.8)."""

from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.builds.contents import read_folder
from ems_admin.builds.identity import own_identity
from ems_admin.builds.own_program import is_kept_program, keep_own_program
from ems_admin.codec import encode
from ems_admin.machines.records.build import Manifest, OwnIdentity, Program
from ems_admin.machines.values.trees import tree_digest
from tests.builds.test_identity import package
from tests.stores.records import MANIFEST


def own_of(place: Path) -> OwnIdentity:
    own = own_identity(place)
    assert own is not None
    return own


def manifest_of(own: OwnIdentity) -> Manifest:
    assert own.digest is not None
    program = Program(directory="programs/admin", command=("{python}", "-m", "ems_admin"), sha256=own.digest)
    files = {"stack.json": "a" * 64, "template.json": "a" * 64, "schema.json": "a" * 64}
    return evolve(
        MANIFEST,
        system_tag=own.system_tag,
        build_id=own.build_id,
        programs={"admin": program},
        files=files | {"programs/admin/ems_admin/app.py": "a" * 64},
    )


def test_the_program_is_kept_whole_under_its_build_and_names_itself(tmp_path: Path) -> None:
    place = package(tmp_path)
    own = own_of(place)
    keep_own_program(tmp_path / "site/programs", tmp_path / "releases", own, place)
    kept = tmp_path / "site/programs" / own.build_id / "programs/admin"
    assert tree_digest(read_folder(kept).files.values()) == own.digest
    assert own_of(kept / "ems_admin") == own
    assert is_kept_program(tmp_path / "site/programs", kept / "ems_admin")
    assert not is_kept_program(tmp_path / "site/programs", place)


def test_one_that_is_there_is_left_as_it_is_and_a_damaged_one_is_replaced(tmp_path: Path) -> None:
    place = package(tmp_path)
    own = own_of(place)
    keep_own_program(tmp_path / "programs", tmp_path / "releases", own, place)
    file = tmp_path / "programs" / own.build_id / "programs/admin/ems_admin/app.py"
    number = file.stat().st_ino
    keep_own_program(tmp_path / "programs", tmp_path / "releases", own, place)
    assert file.stat().st_ino == number
    file.write_text("damaged")
    keep_own_program(tmp_path / "programs", tmp_path / "releases", own, place)
    assert file.read_text() == "code"
    assert [one.name for one in file.parents[2].iterdir()] == ["admin"]  # nothing is left aside


def test_a_program_that_runs_from_there_is_not_copied_onto_itself(tmp_path: Path) -> None:
    own = own_of(place := package(tmp_path))
    keep_own_program(tmp_path, tmp_path / "releases", own, place)
    assert not (tmp_path / own.build_id).exists()


def test_a_program_that_changes_meanwhile_is_not_kept(tmp_path: Path) -> None:
    own = own_of(place := package(tmp_path))
    (place / "app.py").write_text("edited")
    with pytest.raises(OSError, match="changes"):
        keep_own_program(tmp_path / "programs", tmp_path / "releases", own, place)
    assert list((tmp_path / "programs" / own.build_id / "programs").iterdir()) == []


def test_the_manifest_of_its_build_comes_with_it_and_that_of_another_program_goes(tmp_path: Path) -> None:
    own = own_of(place := package(tmp_path))
    releases, programs = tmp_path / "releases", tmp_path / "programs"
    cached = releases / own.system_tag / "manifest.json"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(encode(manifest_of(own)))
    keep_own_program(programs, releases, own, place)
    document = programs / own.build_id / "system-build.json"
    assert document.read_bytes() == cached.read_bytes()
    (place / "app.py").write_text("the next version, under the same name")
    keep_own_program(programs, releases, own_of(place), place)
    assert not document.exists()
