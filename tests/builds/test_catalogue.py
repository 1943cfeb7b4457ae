"""Catalogues: what lies in a folder is listed as it is, newest first, and nothing of it is made up."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from ems_admin.builds.catalogue import read_catalogue, write_catalogue
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.machines.codes import Code
from tests.builds.sample import NOW, packed, published


def test_archives_are_listed_newest_first_with_their_hashes(tmp_path: Path) -> None:
    published(tmp_path, "v0.9.0", "v0.10.0", "v0.10.0-rc.2")
    catalogue = read_catalogue((tmp_path / "catalogue.json").read_bytes())
    assert [build.tag for build in catalogue.builds] == ["v0.10.0", "v0.10.0-rc.2", "v0.9.0"]
    for build in catalogue.builds:
        assert (tmp_path / build.archive.path).stat().st_size == build.archive.bytes
        assert build.released_at == NOW


def test_a_build_that_is_listed_keeps_its_date_and_a_new_one_gets_its_own(tmp_path: Path) -> None:
    published(tmp_path, "v1.0.0")
    packed(tmp_path, "v1.1.0")
    (tmp_path / "system-build-v1.1.0.tar.gz.md").write_text("Läuft besser.\n", encoding="utf-8")
    later = NOW + timedelta(days=1)
    newer, older = write_catalogue(tmp_path, later).builds
    assert (newer.tag, newer.released_at, newer.notes) == ("v1.1.0", later, "Läuft besser.")
    assert (older.tag, older.released_at, older.notes) == ("v1.0.0", NOW, "")


def test_an_archive_that_changed_under_its_tag_is_released_anew(tmp_path: Path) -> None:
    published(tmp_path, "v1.0.0")
    packed(tmp_path, "v1.0.0", build_id="1.0.0-other")
    (build,) = write_catalogue(tmp_path, NOW + timedelta(days=1)).builds
    assert (build.build_id, build.released_at) == ("1.0.0-other", NOW + timedelta(days=1))


def test_a_tag_is_published_once(tmp_path: Path) -> None:
    archive, _, _ = packed(tmp_path, "v1.0.0")
    archive.with_name("copy.tar.gz").write_bytes(archive.read_bytes())
    with pytest.raises(BuildRefusedError, match=r"v1\.0\.0 is there twice"):
        write_catalogue(tmp_path, NOW)
    assert not (tmp_path / "catalogue.json").exists()


def test_a_broken_archive_is_named_and_the_old_catalogue_stays(tmp_path: Path) -> None:
    published(tmp_path, "v1.0.0")
    before = (tmp_path / "catalogue.json").read_bytes()
    (tmp_path / "broken.tar.gz").write_bytes(b"no archive")
    with pytest.raises(BuildRefusedError, match=r"broken\.tar\.gz"):
        write_catalogue(tmp_path, NOW)
    assert (tmp_path / "catalogue.json").read_bytes() == before


def test_a_catalogue_that_cannot_be_read_is_a_source_that_cannot_be_asked(tmp_path: Path) -> None:
    published(tmp_path, "v1.0.0")
    good = json.loads((tmp_path / "catalogue.json").read_bytes())
    entry = good["builds"][0]
    outside = entry | {"archive": entry["archive"] | {"path": "../../etc/passwd"}}
    changes: list[dict[str, object]] = [{"format_version": 2}, {"more": 1}, {"builds": {}}, {"builds": [outside]}]
    for change in changes:
        with pytest.raises(BuildRefusedError) as refused:
            read_catalogue(json.dumps({**good, **change}).encode())
        assert refused.value.code is Code.RELEASE_SOURCE_UNREACHABLE
