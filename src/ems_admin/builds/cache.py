"""The release cache: `releases/<tag>/` holds a build unpacked and verified, its manifest written last.

`manifest.json` has the bytes of the archive's `system-build.json`, under a name that says: this import is whole. A
folder without it is a half import: it means nothing, and the next import begins again. Everything is made durable
before the manifest is, so that a manifest never vouches for bytes that a power cut can take back.
Source: `site.md` 4 (B8), 6.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import BinaryIO

from attrs import frozen

from ems_admin.builds.contents import Contents, Gathering, Keep, measure, read_archive, read_file, read_folder
from ems_admin.builds.packing import replace_file, sync_directory
from ems_admin.builds.refused import BuildRefusedError, mismatch, storage_refusal
from ems_admin.builds.rules import CACHED_MANIFEST
from ems_admin.builds.verification import EXAMPLE, MANIFEST, check_tag, read_manifest, resources, verified
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import ArchiveRef, Manifest
from ems_admin.machines.values.tags import tag_fault
from ems_admin.machines.values.trees import TreeFile
from ems_admin.workflows.ports.builds import Examined, Resources

Percent = Callable[[int], None]


class StoppedError(Exception):
    """Whoever asked for the import has left; it stays half."""


@frozen
class ReleaseCache:
    """The folder `releases` below the Admin data. Every method blocks, and raises `BuildRefusedError`."""

    root: Path

    def folder(self, tag: str) -> Path:
        """Name the folder of a build. A link in its place is refused (`faults.md` D7)."""
        check_tag(tag)
        for place in (self.root, self.root / tag):
            if place.is_symlink():
                raise BuildRefusedError(Code.STATE_DIRECTORY_UNSAFE, "releases")
        return self.root / tag

    def manifest(self, tag: str) -> Manifest | None:
        """Read the manifest of a build that was imported whole; `None` when it was not."""
        place = self.folder(tag) / CACHED_MANIFEST
        if not os.path.lexists(place):
            return None
        data, _ = read_file(place, CACHED_MANIFEST, Gathering())
        return read_manifest(data)

    def verify(self, tag: str) -> Resources | None:
        """Hold every file of an imported build against its hash again; `None` when it was not imported whole."""
        folder = self.folder(tag)
        if not os.path.lexists(folder / CACHED_MANIFEST):
            return None
        return verified(read_folder(folder).renamed(CACHED_MANIFEST, MANIFEST))

    def read(self, tag: str) -> Resources:
        """Read what the Admin needs of an imported build, each file held against its hash."""
        folder = self.folder(tag)
        manifest = self.manifest(tag)
        if manifest is None:
            raise BuildRefusedError(Code.RELEASE_NOT_PREPARED)
        documents: dict[str, bytes] = {}
        gathering = Gathering()
        for path in {manifest.stack, manifest.config_template, manifest.config_schema, EXAMPLE} & manifest.files.keys():
            data, executable = read_file(folder / path, path, gathering)
            if gathering.add(path, data, executable=executable).sha256 != manifest.files[path]:
                raise mismatch(path)
            documents[path] = data
        return resources(manifest, documents)

    def unpack(self, tag: str, stream: BinaryIO, reference: ArchiveRef, stop: Event, percent: Percent) -> Resources:
        """Unpack an archive, verify it whole, make it durable, and only then write the manifest."""
        folder = self.folder(tag)
        try:
            self.discard(tag)
            folder.mkdir(parents=True)
            sync_directory(self.root)

            def keep(file: TreeFile, data: bytes) -> None:
                if stop.is_set():
                    raise StoppedError
                if file.path != MANIFEST:
                    write_file(folder / file.path, data, executable=file.executable)
                percent(min(99, 100 * stream.tell() // max(1, reference.bytes)))

            found = verified(contents := read_agreed(stream, reference, keep))
            sync_below(folder)
            if stop.is_set():
                raise StoppedError
            replace_file(folder / CACHED_MANIFEST, contents.documents[MANIFEST])
        except OSError as error:
            raise storage_refusal(error) from error
        return found

    def discard(self, tag: str) -> None:
        """Remove a build: its manifest first, so that what is left in between is a half import."""
        folder = self.folder(tag)
        if not folder.exists():
            return
        (folder / CACHED_MANIFEST).unlink(missing_ok=True)
        sync_directory(folder)
        shutil.rmtree(folder)
        sync_directory(self.root)

    def prune(self, keep: frozenset[str], *, spare: int = 0) -> frozenset[str]:
        """Remove the builds whose tags are not in `keep`, but for the newest `spare` that are whole.

        Gives the build ids of what stays. What is no folder of a build is left alone; a half import goes.
        """
        if not self.root.is_dir() or self.root.is_symlink():
            return frozenset()
        found = [place for place in sorted(self.root.iterdir()) if _is_a_build(place)]
        others = [place for place in found if place.name not in keep]
        whole = sorted((place for place in others if _imported_at(place)), key=_imported_at, reverse=True)
        staying = {*keep, *(place.name for place in whole[:spare])}
        for place in others:
            if place.name not in staying:
                self.discard(place.name)
        manifests = [self.manifest(place.name) for place in found if place.name in staying]
        return frozenset(manifest.build_id for manifest in manifests if manifest is not None)


def _is_a_build(place: Path) -> bool:
    return tag_fault(place.name) is None and place.is_dir() and not place.is_symlink()


def _imported_at(place: Path) -> int:
    """Say when the manifest was written, in nanoseconds; 0 for a half import, which has none."""
    try:
        return (place / CACHED_MANIFEST).lstat().st_mtime_ns
    except OSError:
        return 0


def inspect(stream: BinaryIO, reference: ArchiveRef) -> Manifest:
    """Read an archive through, verify it whole, and store nothing."""
    return examined(stream, reference).resources.manifest


def examined(stream: BinaryIO, reference: ArchiveRef) -> Examined:
    """Do the same, and give all that the Admin reads of a build, with the room that it takes up."""
    unpacked = 0

    def count(_file: TreeFile, data: bytes) -> None:
        nonlocal unpacked
        unpacked += len(data)

    found = verified(read_agreed(stream, reference, count))
    return Examined(resources=found, archive_bytes=reference.bytes, unpacked_bytes=unpacked)


def read_agreed(stream: BinaryIO, reference: ArchiveRef, keep: Keep = lambda _file, _data: None) -> Contents:
    """Read an archive that is the one its catalogue names, from its beginning.

    Its hash is taken before anything of it is unpacked, and once more of exactly the bytes that were: a file can be
    exchanged in between.
    """
    expected = (reference.sha256, reference.bytes)
    stream.seek(0)
    if measure(stream) != expected:
        raise mismatch("archive")
    stream.seek(0)
    contents, *seen = read_archive(stream, keep)
    if tuple(seen) != expected:
        raise mismatch("archive")
    return contents


def write_file(place: Path, data: bytes, *, executable: bool) -> None:
    """Write one file of a build; it must not be there yet, and `sync_below` makes it durable."""
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o755 if executable else 0o644)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o755 if executable else 0o644)
        file.write(data)


def sync_below(folder: Path) -> None:
    """Make a tree durable, from the leaves up. Afterwards and not file by file: so the disk can write them together."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            with (Path(place) / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_directory(Path(place))
