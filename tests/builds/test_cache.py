"""The release cache: a build is there whole or not at all, whatever is killed, torn, changed or linked."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from ems_admin.builds import cache as cache_module
from ems_admin.builds.cache import ReleaseCache, StoppedError
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import ArchiveRef
from ems_admin.workflows.ports.builds import Resources
from tests.builds.sample import packed

TAG = "v1.0.0"

# Imports an archive and says each percent; at half of the archive it waits for its end.
CHILD = """
import sys, time
from pathlib import Path
from threading import Event
from ems_admin.builds.cache import ReleaseCache
from ems_admin.machines.records.build import ArchiveRef
root, archive, sha256, size = sys.argv[1:]
reference = ArchiveRef(path="a", sha256=sha256, bytes=int(size))
files = []
def percent(now):
    files.append(now)
    print(now, flush=True)
    if len(files) == 3:
        time.sleep(600)
with open(archive, "rb") as stream:
    ReleaseCache(Path(root)).unpack("v1.0.0", stream, reference, Event(), percent)
"""


def unpack(cache: ReleaseCache, archive: Path, reference: ArchiveRef) -> Resources:
    with archive.open("rb") as stream:
        return cache.unpack(TAG, stream, reference, Event(), lambda _: None)


@pytest.fixture
def cache(tmp_path: Path) -> ReleaseCache:
    return ReleaseCache(tmp_path / "admin" / "releases")


def test_an_imported_build_is_read_back_verified(cache: ReleaseCache, tmp_path: Path) -> None:
    archive, manifest, reference = packed(tmp_path)
    imported = unpack(cache, archive, reference)
    assert cache.read(TAG) == imported == cache.verify(TAG)
    assert cache.manifest(TAG) == manifest
    assert os.access(cache.root / TAG / "programs/ems/start", os.X_OK)
    assert not os.access(cache.root / TAG / "stack.json", os.X_OK)


def test_an_import_that_was_killed_is_half_and_is_done_again(cache: ReleaseCache, tmp_path: Path) -> None:
    archive, manifest, reference = packed(tmp_path)
    arguments = [str(cache.root), str(archive), reference.sha256, str(reference.bytes)]
    with subprocess.Popen([sys.executable, "-c", CHILD, *arguments], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(3)]
        os.kill(child.pid, signal.SIGKILL)
        child.wait(10)
    assert all(told)
    assert any(place.is_file() for place in (cache.root / TAG).rglob("*"))
    assert cache.manifest(TAG) is None
    assert cache.verify(TAG) is None
    with pytest.raises(BuildRefusedError) as refused:
        cache.read(TAG)
    assert refused.value.code is Code.RELEASE_NOT_PREPARED
    (cache.root / TAG / "left-over").write_text("from the half import")
    unpack(cache, archive, reference)
    found = cache.verify(TAG)
    assert found is not None
    assert found.manifest == manifest


def test_the_manifest_comes_after_everything_else_is_durable(
    cache: ReleaseCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`site.md` 4."""
    archive, manifest, reference = packed(tmp_path)
    order: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor: int) -> None:
        order.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    def noted_replace(self: Path, target: Path) -> Path:
        order.append(f"replace {target}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    unpack(cache, archive, reference)
    home = (cache.root / TAG).resolve()
    written = order.index(f"replace {home / 'manifest.json'}")
    files = {str(home / path) for path in manifest.files}
    assert files | {str(home), str(home / "programs/ems/ems")} <= set(order[:written])
    assert order[written + 1] == str(home)


@pytest.mark.parametrize("step", range(1, 16))
def test_whatever_step_fails_the_build_is_whole_or_not_there(
    cache: ReleaseCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    archive, _, reference = packed(tmp_path)
    seen = 0
    fsync = os.fsync

    def failing(descriptor: int) -> None:
        nonlocal seen
        seen += 1
        if seen == step:
            raise OSError(errno.ENOSPC, "full")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        try:
            unpack(cache, archive, reference)
        except BuildRefusedError as refused:
            assert (refused.code, refused.detail) == (Code.STATE_WRITE_FAILED, "no_space")  # noqa: PT017
            there = cache.manifest(TAG)
            assert there is None or cache.verify(TAG) is not None
        else:
            assert seen < step
    unpack(cache, archive, reference)
    assert cache.verify(TAG) is not None


def test_an_import_that_was_stopped_leaves_no_manifest(cache: ReleaseCache, tmp_path: Path) -> None:
    archive, _, reference = packed(tmp_path)
    stop = Event()
    with archive.open("rb") as stream, pytest.raises(StoppedError):
        cache.unpack(TAG, stream, reference, stop, lambda _: stop.set())
    assert cache.manifest(TAG) is None


def test_another_archive_than_the_one_listed_is_refused_before_anything_is_written(
    cache: ReleaseCache, tmp_path: Path
) -> None:
    archive, _, reference = packed(tmp_path)
    other = ArchiveRef(path=reference.path, sha256="0" * 64, bytes=reference.bytes)
    with pytest.raises(BuildRefusedError) as refused:
        unpack(cache, archive, other)
    assert (refused.value.code, refused.value.detail) == (Code.SYSTEM_BUILD_MISMATCH, "archive")
    assert not (cache.root / TAG / "stack.json").exists()


@pytest.mark.parametrize("path", ["stack.json", "config/template.json", "draft-example.json"])
def test_a_file_that_was_changed_afterwards_is_not_used(cache: ReleaseCache, tmp_path: Path, path: str) -> None:
    unpack(cache, *packed(tmp_path)[::2])
    (cache.root / TAG / path).write_text("{}")
    with pytest.raises(BuildRefusedError, match=path):
        cache.read(TAG)
    with pytest.raises(BuildRefusedError):
        cache.verify(TAG)


def test_a_program_that_was_changed_afterwards_does_not_verify(cache: ReleaseCache, tmp_path: Path) -> None:
    unpack(cache, *packed(tmp_path)[::2])
    (cache.root / TAG / "programs/ems/start").chmod(0o644)
    with pytest.raises(BuildRefusedError) as refused:
        cache.verify(TAG)
    assert refused.value.code is Code.SYSTEM_BUILD_MISMATCH


def test_a_link_in_the_place_of_a_build_is_refused_and_left_as_it_is(cache: ReleaseCache, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / "precious").write_text("kept")
    cache.root.mkdir(parents=True)
    (cache.root / TAG).symlink_to(target)
    archive, _, reference = packed(tmp_path)
    for act in (lambda: unpack(cache, archive, reference), lambda: cache.read(TAG), lambda: cache.discard(TAG)):
        with pytest.raises(BuildRefusedError) as refused:
            act()
        assert refused.value.code is Code.STATE_DIRECTORY_UNSAFE
    cache.prune(frozenset())
    assert (target / "precious").read_text() == "kept"
    assert (cache.root / TAG).is_symlink()


def test_pruning_keeps_what_is_wanted_and_what_is_not_its_own(cache: ReleaseCache, tmp_path: Path) -> None:
    unpack(cache, *packed(tmp_path)[::2])
    for other in ("v0.9.0", "v0.8.0", "lost+found"):
        (cache.root / other / "programs").mkdir(parents=True)
    cache.prune(frozenset({TAG}))
    assert {place.name for place in cache.root.iterdir()} == {TAG, "lost+found"}


def test_of_the_others_only_the_newest_whole_ones_are_spared(cache: ReleaseCache, tmp_path: Path) -> None:
    archive, _, reference = packed(tmp_path)
    unpack(cache, archive, reference)
    for age, other in enumerate(("v0.9.0", "v0.8.0", "v0.7.0")):
        shutil.copytree(cache.root / TAG, cache.root / other)
        manifest = cache.root / other / "manifest.json"
        os.utime(manifest, ns=(0, manifest.stat().st_mtime_ns - age * 1_000_000_000))
    (cache.root / "v0.9.9").mkdir()
    left = cache.prune(frozenset({TAG}), spare=1)
    assert {place.name for place in cache.root.iterdir()} == {TAG, "v0.9.0"}
    assert left == {cache.read(TAG).manifest.build_id}


def test_a_folder_that_refuses_says_so(cache: ReleaseCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive, _, reference = packed(tmp_path)

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(cache_module, "write_file", denied)  # root writes everywhere, so the file system cannot say it
    with pytest.raises(BuildRefusedError) as refused:
        unpack(cache, archive, reference)
    assert (refused.value.code, refused.value.detail) == (Code.ADMIN_DATA_NOT_WRITABLE, "releases")
