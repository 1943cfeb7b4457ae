"""The Admin's own identity: read where it lies, and the same before and after packing."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ems_admin.builds.identity import PACKAGE, own_identity, package_files
from ems_admin.builds.packing import pack
from ems_admin.machines.values.trees import tree_digest
from tests.builds.sample import REQUIRES, folder

BUILD: dict[str, Any] = {
    "format_version": 1,
    "system_tag": "v0.4.0",
    "build_id": "0.4.0-abc",
    "revision": "4" * 40,
    "built_at": "2026-11-02T00:00:00Z",
    "requires": REQUIRES,
}


def package(root: Path, **changes: Any) -> Path:
    """A small package laid out like ours in a checkout."""
    files = {
        "src/ems_admin/__init__.py": "",
        "src/ems_admin/app.py": "code",
        "src/ems_admin/build.json": json.dumps(BUILD | changes),
        "src/ems_admin/__pycache__/app.pyc": "compiled",
        "src/ems_admin/http/__init__.py": "",
        "src/ems_admin/http/console/__init__.py": "",
        "src/ems_admin/http/console/package.json": "{}",
        "src/ems_admin/http/console/src/main.ts": "source",
        "src/ems_admin/http/console/node_modules/big/index.js": "not ours",
        "src/ems_admin/http/console/dist/index.html": "<!doctype html>",
        "src/ems_admin/http/console/dist/assets/app.js": "built",
        "diagrams/cleanup.svg": "<svg/>",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root / "src/ems_admin"


def copied(of: Path, to: Path) -> Path:
    """Write the program tree that would be packed."""
    for file in package_files(of):
        place = to / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
    return to / "ems_admin"


def test_the_program_is_the_package_without_what_it_was_built_from(tmp_path: Path) -> None:
    assert {file.path for file in package_files(package(tmp_path))} == {
        "ems_admin/__init__.py",
        "ems_admin/app.py",
        "ems_admin/build.json",
        "ems_admin/http/__init__.py",
        "ems_admin/http/console/__init__.py",
        "ems_admin/http/console/dist/index.html",
        "ems_admin/http/console/dist/assets/app.js",
        "ems_admin/diagrams/cleanup.svg",
    }


def test_a_checkout_says_who_it_is_with_the_digest_of_its_program(tmp_path: Path) -> None:
    own = own_identity(of := package(tmp_path))
    assert own is not None
    assert (own.system_tag, own.build_id, own.revision, own.requires) == ("v0.4.0", "0.4.0-abc", "4" * 40, REQUIRES)
    assert own.digest == tree_digest(file.hashed for file in package_files(of))


def test_the_admin_that_was_packed_equals_the_one_it_was_packed_from(tmp_path: Path) -> None:
    of = package(tmp_path / "checkout")
    assert own_identity(copied(of, tmp_path / "build/programs/admin")) == own_identity(of)


def test_compiled_files_change_nothing_and_any_other_does(tmp_path: Path) -> None:
    of = package(tmp_path)
    before = own_identity(of)
    (of / "http/__pycache__").mkdir()
    (of / "http/__pycache__/x.pyc").write_text("compiled")
    (of / "http/console/src/main.ts").write_text("changed")
    assert own_identity(of) == before
    (of / "http/console/dist/assets/app.js").write_text("changed")
    assert own_identity(of) != before


def test_a_program_tree_takes_its_identity_from_its_manifest(tmp_path: Path) -> None:
    source = folder(tmp_path / "source", "v7.0.0")
    pack(source, tmp_path / "system-build-v7.0.0.tar.gz")
    build = tmp_path / "programs/7.0.0-abc"
    admin = copied(package(tmp_path / "checkout"), build / "programs/admin")
    subprocess.run(["tar", "-xzf", tmp_path / "system-build-v7.0.0.tar.gz", "-C", build], check=True)
    own = own_identity(admin)
    assert own is not None
    assert (own.system_tag, own.build_id) == ("v7.0.0", "7.0.0-abc")
    assert own.digest == tree_digest(file.hashed for file in package_files(admin))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda of: (of / "build.json").unlink(),
        lambda of: (of / "build.json").write_text("{"),
        lambda of: (of / "build.json").write_text(json.dumps(BUILD | {"format_version": 2})),
        lambda of: (of / "build.json").write_text(json.dumps(BUILD | {"more": 1})),
        lambda of: (of / "link.py").symlink_to("/etc/passwd"),
        lambda of: (of.parent / "system-build.json").write_text("{}"),
    ],
)
def test_what_cannot_be_read_is_no_identity(tmp_path: Path, spoil: Any) -> None:
    spoil(of := package(tmp_path))
    assert own_identity(of) is None


def test_the_running_admin_knows_itself_within_a_second() -> None:
    program = (
        "import time; from ems_admin.builds.identity import own_identity; own_identity(); began = time.monotonic();"
    )
    program += "own = own_identity(); print(own.build_id if own else None, time.monotonic() - began)"
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert told[0] == json.loads((PACKAGE / "build.json").read_bytes())["build_id"]
    assert float(told[1]) < 1
