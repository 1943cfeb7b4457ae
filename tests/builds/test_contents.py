"""Archives that want something else than to be read: each is refused, and none of them costs more than the limits."""

import gzip
import io
import os
import random
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from ems_admin.builds.contents import (
    ARCHIVE_LIMIT,
    FILE_LIMIT,
    MIB,
    UNPACKED_LIMIT,
    check_path,
    read_archive,
    read_folder,
)
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.machines.codes import Code
from ems_admin.machines.values.trees import TreeFile
from tests.builds.sample import plain_file, tar_gz


def refusal(archive: io.BytesIO) -> str:
    seen: list[str] = []
    with pytest.raises(BuildRefusedError) as refused:
        read_archive(archive, lambda file, _: seen.append(file.path))
    assert refused.value.code is Code.SYSTEM_BUILD_RESOURCES_INVALID
    return refused.value.detail or ""


@pytest.mark.parametrize(
    "name", ["../out", "a/../../out", "/etc/passwd", "./a", "a//b", "a/.", "..", "a\\..\\b", "a\nb", "a\x7f"]
)
def test_a_path_that_leaves_the_archive_or_hides_is_refused(name: str) -> None:
    assert "'/" not in refusal(tar_gz(plain_file("good"), plain_file(name)))


def test_a_name_that_an_archive_made_up_is_told_in_one_line() -> None:
    assert len(refusal(tar_gz(plain_file("/".join([".."] * 80) + "/out")))) < 100


@pytest.mark.parametrize("name", ["a" * 256, "/".join(["abcdefghij"] * 95), "ä" * 130])
def test_a_path_that_no_file_system_takes_is_refused(name: str) -> None:
    assert "too long" in refusal(tar_gz(plain_file(name)))


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE, b"Z"],
)
def test_links_and_special_files_are_refused(kind: bytes) -> None:
    assert "no plain file" in refusal(tar_gz(plain_file("good"), plain_file("odd", kind=kind, link="good")))


def test_a_sparse_file_is_refused() -> None:
    member, data = plain_file("sparse", b"1\n0\n")
    member.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "s",
        "GNU.sparse.realsize": "9",
    }
    refusal(tar_gz((member, data)))


@pytest.mark.parametrize("second", ["a", "A", "a/b", "A/b"])
def test_a_name_is_used_once_however_it_is_written(second: str) -> None:
    refusal(tar_gz(plain_file("a"), plain_file(second)))


def test_a_file_below_a_file_is_refused_in_either_order() -> None:
    refusal(tar_gz(plain_file("a/b"), plain_file("a")))


def test_a_folder_says_nothing() -> None:
    contents, _, _ = read_archive(tar_gz(plain_file("a/", kind=tarfile.DIRTYPE), plain_file("a/b", b"data")))
    assert set(contents.files) == {"a/b"}


def test_a_file_at_its_limit_passes_and_one_byte_more_does_not() -> None:
    contents, _, _ = read_archive(tar_gz(plain_file("most", b"\0" * FILE_LIMIT)))
    assert set(contents.files) == {"most"}
    assert "8 MiB" in refusal(tar_gz(plain_file("more", b"\0" * (FILE_LIMIT + 1))))


def test_more_than_the_limit_unpacked_is_refused() -> None:
    files = [plain_file(f"part-{number}", b"\0" * FILE_LIMIT) for number in range(UNPACKED_LIMIT // FILE_LIMIT + 1)]
    assert "50 MiB unpacked" in refusal(tar_gz(*files))


def test_an_archive_above_its_limit_is_refused() -> None:
    noise = random.Random(7).randbytes(FILE_LIMIT)  # does not compress
    files = [plain_file(f"part-{number}", noise) for number in range(ARCHIVE_LIMIT // FILE_LIMIT + 1)]
    assert "30 MiB" in refusal(tar_gz(*files))


def bomb_behind_the_end() -> io.BytesIO:
    written = io.BytesIO()
    with gzip.GzipFile(fileobj=written, mode="wb") as plain:
        plain.write(gzip.decompress(tar_gz(plain_file("a")).getvalue()))
        for _ in range(600):
            plain.write(b"\0" * MIB)
    written.seek(0)
    return written


def bomb_in_a_header() -> io.BytesIO:
    member = tarfile.TarInfo("header")
    member.type, member.size = tarfile.XHDTYPE, 600 * MIB
    written = io.BytesIO()
    with gzip.GzipFile(fileobj=written, mode="wb") as plain:
        plain.write(member.tobuf())
        for _ in range(600):
            plain.write(b"\0" * MIB)
    written.seek(0)
    return written


@pytest.mark.parametrize("bomb", [bomb_behind_the_end, bomb_in_a_header])
def test_a_bomb_is_stopped_at_the_limit_wherever_it_hides(bomb: Callable[[], io.BytesIO]) -> None:
    archive = bomb()
    tracemalloc.start()
    try:
        assert "50 MiB" in refusal(archive)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 200 * MIB


def test_a_damaged_archive_is_refused_wherever_the_damage_is() -> None:
    whole = tar_gz(*(plain_file(f"file-{number}", os.urandom(700)) for number in range(8))).getvalue()
    for cut in range(0, len(whole) - 1, 211):
        refusal(io.BytesIO(whole[:cut]))
    assert "damaged" in refusal(io.BytesIO(whole + b"more"))
    assert "damaged" in refusal(io.BytesIO(b"PK\x03\x04 not a tar"))


def test_every_file_is_given_with_its_hash_and_its_executable_bit() -> None:
    member, data = plain_file("bin/start", b"#!/bin/sh\n")
    member.mode = 0o4755
    kept: dict[TreeFile, bytes] = {}
    contents, _, size = read_archive(archive := tar_gz((member, data)), kept.__setitem__)
    assert list(kept.values()) == [data]
    assert contents.files["bin/start"].executable
    assert size == len(archive.getvalue())


def test_a_folder_is_read_under_the_same_rules(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"data")
    read, _, _ = read_archive(tar_gz(plain_file("a", b"data")))
    assert read_folder(tmp_path).files == read.files
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(BuildRefusedError, match="plain file"):
        read_folder(tmp_path)


@pytest.mark.parametrize("make", [os.mkfifo, lambda place: place.write_bytes(b"\0" * (FILE_LIMIT + 1))])
def test_a_folder_with_a_special_or_a_large_file_is_refused(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "odd")
    with pytest.raises(BuildRefusedError):
        read_folder(tmp_path)


def test_umlauts_and_emoji_are_names_like_any_other() -> None:
    check_path("config/Küche 🔋.json")
