"""A build says what it is: the same revision the same, another program another."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from tools.build_identity import BUILD_JSON, IdentityUnknownError, identity, write


def git(root: Path, *arguments: str) -> str:
    known = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", "-C", root, *known, *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src/ems_admin").mkdir(parents=True)
    (tmp_path / "src/ems_admin/__init__.py").write_text('"""A."""\n\n__version__ = "1.2.0rc1"\n')
    (tmp_path / "requirements.lock").write_text("attrs==26.1.0\n")
    (tmp_path / ".gitignore").write_text("build.json\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin", "--date", "2026-01-02T03:04:05Z")
    return tmp_path


def test_a_clean_checkout_is_its_commit(checkout: Path) -> None:
    revision = git(checkout, "rev-parse", "HEAD").strip()
    said = write(checkout)
    assert json.loads((checkout / BUILD_JSON).read_text()) == said
    assert said["format_version"] == 1
    assert said["system_tag"] == "v1.2.0rc1"
    assert said["revision"] == revision
    assert said["build_id"] == f"1.2.0rc1-{revision[:12]}"
    assert said["requires"] == hashlib.sha256(b"attrs==26.1.0\n").hexdigest()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(said["built_at"]))


def test_the_same_tree_gives_the_same_bytes_and_is_not_written_twice(checkout: Path) -> None:
    write(checkout)
    before = (checkout / BUILD_JSON).stat()
    write(checkout)
    after = (checkout / BUILD_JSON).stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_a_changed_or_added_source_is_another_build(checkout: Path) -> None:
    seen = {str(identity(checkout)["build_id"])}
    for text in ("x = 1\n", "x = 2\n"):
        (checkout / "src/ems_admin/new.py").write_text(text)
        seen.add(str(identity(checkout)["build_id"]))
    git(checkout, "add", ".")
    (checkout / "src/ems_admin/__init__.py").write_text('__version__ = "1.2.0rc1"\nchanged = True\n')
    seen.add(str(identity(checkout)["build_id"]))
    assert len(seen) == 4
    assert all(re.fullmatch(r"[0-9a-z][0-9a-z.-]{0,63}", build_id) for build_id in seen)


def test_an_unpacked_distribution_keeps_what_it_was_packed_as(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    said = write(checkout)
    unpacked = tmp_path_factory.mktemp("unpacked")
    (unpacked / BUILD_JSON).parent.mkdir(parents=True)
    (unpacked / BUILD_JSON).write_bytes((checkout / BUILD_JSON).read_bytes())
    assert write(unpacked) == said


def test_a_tree_without_commit_or_build_json_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(IdentityUnknownError):
        write(tmp_path)


def test_a_folder_inside_another_checkout_is_not_taken_for_it(checkout: Path) -> None:
    with pytest.raises(IdentityUnknownError):
        identity(checkout / "src")
