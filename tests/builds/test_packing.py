"""Packing: the same files give the same bytes, and what was packed verifies or is refused by name."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ems_admin.builds.contents import read_archive
from ems_admin.builds.packing import pack
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.verification import verified
from ems_admin.codec import encode
from ems_admin.machines.codes import Code
from tests.builds.sample import STACK, folder, members_of, packed, plain_file, recipe, rewritten, tar_gz


def refused(archive: io.BytesIO) -> BuildRefusedError:
    with pytest.raises(BuildRefusedError) as found:
        verified(read_archive(archive)[0])
    return found.value


def test_packing_twice_gives_the_same_bytes_wherever_and_whenever(tmp_path: Path) -> None:
    first, manifest, archive = packed(tmp_path / "one")
    again = folder(tmp_path / "two" / "elsewhere")
    for number, place in enumerate(sorted(again.rglob("*"), reverse=True)):
        os.utime(place, (number, number))
    same_manifest, same_archive = pack(again, second := tmp_path / first.name)
    assert second.read_bytes() == first.read_bytes()
    assert (same_manifest, same_archive) == (manifest, archive)


def test_only_what_is_named_is_packed(tmp_path: Path) -> None:
    archive, manifest, _ = packed(tmp_path)
    named = {member.name: member.mode for member, _ in members_of(archive)}
    assert named.keys() == {"system-build.json", *manifest.files}
    assert "README.md" not in named
    assert not any("__pycache__" in name for name in named)
    assert named["programs/ems/start"] == 0o755
    assert named["stack.json"] == 0o644


def test_what_was_packed_is_read_back_as_it_was(tmp_path: Path) -> None:
    archive, manifest, reference = packed(tmp_path)
    with archive.open("rb") as stream:
        contents, sha256, size = read_archive(stream)
    found = verified(contents)
    assert found.manifest == manifest
    assert (sha256, size) == (reference.sha256, reference.bytes) == (reference.sha256, archive.stat().st_size)
    assert found.template == {"schema_version": 1, "name": "Küche 🔋"}
    assert found.example == {"devices": []}
    assert found.stack.services[0].mounts[0].to == "/config"


def test_a_build_without_an_example_has_none(tmp_path: Path) -> None:
    source = folder(tmp_path / "source")
    (source / "draft-example.json").unlink()
    pack(source, archive := tmp_path / "a.tar.gz")
    with archive.open("rb") as stream:
        assert verified(read_archive(stream)[0]).example is None


def test_a_changed_file_is_a_mismatch(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    found = refused(rewritten(archive, programs__ems__start=b"#!/bin/sh\nrm\n"))
    assert (found.code, found.detail) == (Code.SYSTEM_BUILD_MISMATCH, "programs/ems/start")


def test_a_changed_executable_bit_is_a_mismatch_of_the_tree(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    found = refused(rewritten(archive))  # writes every file as not executable
    assert (found.code, found.detail) == (Code.SYSTEM_BUILD_MISMATCH, "programs.ems")


def test_a_missing_and_an_extra_file_are_named(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    assert refused(rewritten(archive, stack_json=None)).detail == "stack.json is missing"
    assert refused(rewritten(archive, more=b"")).detail == "more is not named in system-build.json"
    assert refused(tar_gz(plain_file("stack.json"))).detail == "system-build.json is missing"


def document(archive: Path) -> dict[str, Any]:
    (text,) = [data for member, data in members_of(archive) if member.name == "system-build.json"]
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"format_version": 2},
            {"system_tag": "latest"},
            {"system_tag": "../v1"},
            {"revision": "abc"},
            {"requires": "x"},
        ),
        *(
            {"build_id": "UPPER"},
            {"channel": "beta"},
            {"built_at": "yesterday"},
            {"unknown": 1},
            {"stack": "other.json"},
        ),
        *({"admin": {"image": "ems", "digest": None}}, {"ems": {"image": "EMS", "digest": "sha256:" + "0" * 64}}),
        *({"files": {}}, {"files": {"../x": "0" * 64}}, {"files": {"manifest.json": "0" * 64}}),
        {"programs": {"ems": {"directory": "nowhere", "command": ["x"], "sha256": "0" * 64}}},
        {"programs": {"ems": {"directory": "programs/ems", "command": [], "sha256": "0" * 64}}},
    ],
)
def test_a_manifest_that_breaks_a_rule_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    archive, _, _ = packed(tmp_path)
    text = json.dumps(document(archive) | change).encode()
    assert refused(rewritten(archive, **{"system-build_json": text})).code is Code.SYSTEM_BUILD_RESOURCES_INVALID


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"\xff", b'{"a": 1, "a": 2}', b'{"a": NaN}', b" " * (1024 * 1024 + 1)]
)
def test_a_document_that_is_no_json_object_is_refused(tmp_path: Path, text: bytes) -> None:
    source = folder(tmp_path / "source")
    (source / "config/template.json").write_bytes(text)
    with pytest.raises(BuildRefusedError, match=r"config/template\.json"):
        pack(source, tmp_path / "a.tar.gz")
    assert not (tmp_path / "a.tar.gz").exists()


def service(**changes: Any) -> dict[str, Any]:
    return {**STACK["services"][0], **changes}


@pytest.mark.parametrize(
    ("services", "why"),
    [
        ([], "no service"),
        ([service(), service()], "twice"),
        ([service(after=["later"]), service(name="later")], "starts after"),
        ([service(image="ems:latest")], "pinned"),
        ([service(program="nobody")], "no program nobody"),
        ([service(program=None)], "neither image nor program"),
        ([service(port=0)], "no port"),
        ([service(publish=70000)], "no port"),
        ([service(dashboard_path="x")], "slash"),
        ([service(health=STACK["services"][0]["health"] | {"interval_seconds": 0})], "time"),
        ([service(mounts=[{"from": "config", "to": "etc", "read_only": True}])], "relative"),
        ([service(mounts=[{"from": "secrets", "to": "/x", "read_only": True}])], "stack.json"),
    ],
)
def test_a_stack_that_cannot_be_started_is_refused(tmp_path: Path, services: list[dict[str, Any]], why: str) -> None:
    source = folder(tmp_path / "source")
    (source / "stack.json").write_text(json.dumps(STACK | {"services": services}))
    with pytest.raises(BuildRefusedError, match=why):
        pack(source, tmp_path / "a.tar.gz")


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "https://example.org/s"}, {"allOf": [{"$ref": "file:/x"}]}]
)
def test_a_schema_must_be_one_and_stand_alone(tmp_path: Path, schema: dict[str, Any]) -> None:
    source = folder(tmp_path / "source")
    (source / "config/schema.json").write_text(json.dumps(schema))
    with pytest.raises(BuildRefusedError, match=r"config/schema\.json"):
        pack(source, tmp_path / "a.tar.gz")


@pytest.mark.parametrize("path", ["system-build.json", "stack.json", "config/schema.json", "programs/ems"])
def test_a_missing_file_is_named_and_nothing_is_written(tmp_path: Path, path: str) -> None:
    source = folder(tmp_path / "source")
    (source / path).rename(source / "moved")
    with pytest.raises(BuildRefusedError, match=path):
        pack(source, tmp_path / "a.tar.gz")
    assert [place.name for place in tmp_path.iterdir()] == ["source"]


def test_a_link_in_the_folder_is_refused(tmp_path: Path) -> None:
    source = folder(tmp_path / "source")
    (source / "programs/ems/secret").symlink_to("/etc/passwd")
    with pytest.raises(BuildRefusedError, match="programs/ems/secret"):
        pack(source, tmp_path / "a.tar.gz")


def test_a_failed_packing_leaves_the_old_archive(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path)
    before = archive.read_bytes()
    source = folder(tmp_path / "source-v1.0.0")
    (source / "stack.json").write_text("{}")
    with pytest.raises(BuildRefusedError):
        pack(source, archive)
    assert archive.read_bytes() == before
    assert not [*tmp_path.glob("*.tmp"), *tmp_path.glob(".*.tmp")]


def test_a_recipe_says_no_hashes(tmp_path: Path) -> None:
    source = folder(tmp_path / "source")
    (source / "system-build.json").write_text(json.dumps(recipe() | {"files": {}}))
    with pytest.raises(BuildRefusedError, match="files"):
        pack(source, tmp_path / "a.tar.gz")


def test_the_manifest_in_the_archive_is_the_manifest_that_was_given(tmp_path: Path) -> None:
    archive, manifest, _ = packed(tmp_path)
    assert document(archive) == json.loads(encode(manifest))
