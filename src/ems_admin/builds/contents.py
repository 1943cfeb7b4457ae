"""What an archive or a folder holds: every file checked against the limits and hashed, nothing believed yet.

An archive is read as a stream, one file at a time, and what it may make us read is counted before it is read: a
bomb costs at most the limits below, whether it hides in a file, in a tar header or behind the end of the tar.
Source: `site.md` 6, Limits.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import tarfile
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

from attrs import define, field, frozen

from ems_admin.builds.refused import BuildRefusedError, invalid
from ems_admin.machines.codes import Code
from ems_admin.machines.values.trees import TreeFile

MIB = 1024 * 1024
ARCHIVE_LIMIT = 30 * MIB
FILE_LIMIT = 8 * MIB
UNPACKED_LIMIT = 50 * MIB
HEADERS_LIMIT = 6 * MIB
"""For the headers and the padding of a tar: some six thousand files."""
RESOURCE_LIMIT = MIB
"""Of one JSON file that the Admin itself reads."""
LONGEST_PART, LONGEST_PATH = 255, 1024

Keep: TypeAlias = Callable[[TreeFile, bytes], None]


@frozen(kw_only=True)
class Contents:
    """The files of a build by path, and the bytes of those small ones that the Admin itself reads."""

    files: Mapping[str, TreeFile]
    documents: Mapping[str, bytes]

    def renamed(self, old: str, new: str) -> Contents:
        """Give the same contents with the file `old`, if it is there, under the name `new`."""
        names = {old: new}
        return Contents(
            files={names.get(path, path): file for path, file in self.files.items()},
            documents={names.get(path, path): data for path, data in self.documents.items()},
        )


@define
class Gathering:
    """Contents as they come in; mutable because an archive gives its files one by one."""

    files: dict[str, TreeFile] = field(factory=dict)
    documents: dict[str, bytes] = field(factory=dict)
    places: dict[str, bool] = field(factory=dict)
    """Every file (true) and folder (false) seen, named as a file system that ignores case would name them."""
    size: int = 0

    def announce(self, path: str, size: int) -> None:
        """Check name and size of a file before a byte of it is read."""
        check_path(path)
        if size > FILE_LIMIT:
            raise invalid(f"{path} is larger than {FILE_LIMIT // MIB} MiB")
        self.size += size
        if self.size > UNPACKED_LIMIT:
            raise invalid(f"more than {UNPACKED_LIMIT // MIB} MiB unpacked")
        *folders, _ = parts = unicodedata.normalize("NFC", path).casefold().split("/")
        for depth in range(1, len(folders) + 1):
            if self.places.setdefault("/".join(parts[:depth]), False):
                raise invalid(f"{path} lies below a file")
        if "/".join(parts) in self.places:
            raise invalid(f"{path} is there twice")
        self.places["/".join(parts)] = True

    def add(self, path: str, data: bytes, *, executable: bool) -> TreeFile:
        """Take in a file that was announced."""
        file = TreeFile(path=path, sha256=hashlib.sha256(data).hexdigest(), executable=executable)
        self.files[path] = file
        if path.endswith(".json") and len(data) <= RESOURCE_LIMIT:
            self.documents[path] = data
        return file

    def contents(self) -> Contents:
        """Give what has come in."""
        return Contents(files=self.files, documents=self.documents)


@define
class Meter:
    """A stream that counts and hashes what is read through it, and stops at its limit; mutable because it counts."""

    stream: BinaryIO
    limit: int
    too_large: str
    count: int = 0
    digest: hashlib._Hash = field(factory=hashlib.sha256)

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, and never more than one byte past the limit."""
        allowed = self.limit - self.count + 1
        data = self.stream.read(allowed if size < 0 else min(size, allowed))
        self.count += len(data)
        self.digest.update(data)
        if self.count > self.limit:
            raise invalid(self.too_large)
        return data

    def drain(self) -> None:
        """Read to the end."""
        while self.read(MIB):
            pass


def check_path(path: str) -> None:
    """Refuse a path that is absolute, climbs, is written in another way than it resolves, or cannot be shown."""
    parts = path.split("/")
    if not all(parts) or any(part in {".", ".."} for part in parts):
        raise invalid(f"{named(path)} leaves the archive")
    if "\\" in path or not path.isprintable():
        raise invalid(f"{named(path)} has a forbidden character")
    if len(path.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_PART for part in parts):
        raise invalid(f"{named(path)} is too long")


def named(path: str) -> str:
    """Show a name that an archive made up: short, escaped, and never as a place on this host."""
    inside = path.lstrip("/")
    return f"{inside[:60]!r}…" if len(inside) > 60 else repr(inside)  # noqa: PLR2004  # one line of a page


def read_archive(stream: BinaryIO, keep: Keep = lambda _file, _data: None) -> tuple[Contents, str, int]:
    """Read a `tar.gz` once, to its end, giving every file to `keep`.

    Answers the contents with the SHA-256 and the size of the archive. Raises `BuildRefusedError`
    (`system_build_resources_invalid`) at the first broken rule; what `keep` got until then is worth nothing.
    """
    packed = metered(stream)
    gathering = Gathering()
    try:
        with gzip.GzipFile(fileobj=packed, mode="rb") as plain:  # type: ignore[call-overload]
            unpacked = Meter(plain, UNPACKED_LIMIT + HEADERS_LIMIT, f"more than {UNPACKED_LIMIT // MIB} MiB unpacked")
            with tarfile.open(fileobj=unpacked, mode="r|") as tar:  # type: ignore[call-overload]
                for member in tar:
                    take_member(gathering, tar, member, keep)
            unpacked.drain()
        packed.drain()
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, UnicodeError, ValueError) as error:
        raise invalid("the archive is damaged") from error
    return gathering.contents(), packed.digest.hexdigest(), packed.count


def metered(stream: BinaryIO) -> Meter:
    """Count and hash an archive as it is read."""
    return Meter(stream, ARCHIVE_LIMIT, f"the archive is larger than {ARCHIVE_LIMIT // MIB} MiB")


def measure(stream: BinaryIO) -> tuple[str, int]:
    """Give SHA-256 and size of an archive without unpacking it."""
    packed = metered(stream)
    packed.drain()
    return packed.digest.hexdigest(), packed.count


def take_member(gathering: Gathering, tar: tarfile.TarFile, member: tarfile.TarInfo, keep: Keep) -> None:
    """Take in one entry of a tar: a plain file, or a folder, which says nothing."""
    if member.isdir():
        check_path(member.name)
        return
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.issparse():
        raise invalid(f"{named(member.name)} is no plain file")
    gathering.announce(member.name, member.size)
    body = tar.extractfile(member)
    data = body.read() if body is not None else b""
    if len(data) != member.size:
        raise invalid("the archive is damaged")
    keep(gathering.add(member.name, data, executable=bool(member.mode & stat.S_IXUSR)), data)


def read_folder(root: Path) -> Contents:
    """Read every file below `root`, under the same limits as an archive."""
    gathering = Gathering()
    for path, place in walk(root):
        data, executable = read_file(place, path, gathering)
        gathering.add(path, data, executable=executable)
    return gathering.contents()


def walk(root: Path, *, enter: Callable[[str], bool] = lambda _folder: True) -> Iterator[tuple[str, Path]]:
    """Give every file below `root`, but not below folders that `enter` declines; links are given, never followed."""
    folders = [("", root)]
    while folders:
        below, folder = folders.pop()
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            path = f"{below}{entry.name}"
            if not entry.is_dir(follow_symlinks=False):
                yield path, Path(entry.path)
            elif enter(path):
                folders.append((f"{path}/", Path(entry.path)))


def read_file(place: Path, path: str, gathering: Gathering) -> tuple[bytes, bool]:
    """Read a plain file, never through a link, and say whether its owner may execute it."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise invalid(f"{path} cannot be read as a plain file") from error
    with os.fdopen(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            raise invalid(f"{path} is no plain file")
        gathering.announce(path, seen.st_size)
        data = file.read(FILE_LIMIT + 1)
    if len(data) != seen.st_size:
        raise BuildRefusedError(Code.SYSTEM_BUILD_RESOURCES_INVALID, f"{path} changes while it is read")
    return data, bool(seen.st_mode & stat.S_IXUSR)
