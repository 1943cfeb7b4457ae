"""Folders that are what they seem to be, and reading the files in them.

Source: `faults.md` D7, F09.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from ems_admin.stores.disk import DISK, FOLDER_MODE, Disk

_CHUNK: Final = 1 << 16
HASHED: Final = 1 << 26
"""The most bytes that are hashed of a file that is too large to be read."""


class UnsafeFolderError(OSError):
    """A folder that is a link, or no folder."""


class UnsafeFileError(OSError):
    """A link, or something else that is no regular file."""


@frozen(kw_only=True)
class Oversized:
    """A file with more bytes than are ever read into memory."""

    size: int
    sha256: str | None
    """Of all its bytes; `None` for a file so large that even hashing it would keep everybody waiting."""


class OversizedError(OSError):
    """A file that is too large to be read; what was seen of it tells it from others like it."""

    def __init__(self, seen: Oversized) -> None:
        """Carry what was seen."""
        super().__init__(errno.EFBIG, "too large")
        self.seen = seen


@frozen
class Folder:
    """A folder below a root that is trusted. Every part of the way is proven to be a folder when it is opened.

    The handle is what proves it: whoever exchanges a part afterwards changes nothing for a call that is under way.
    """

    root: str
    """Resolved by whoever composes the site; links above it are the host's business."""
    parts: tuple[str, ...] = ()
    mode: int = FOLDER_MODE
    """Of a part that has to be made."""

    @property
    def path(self) -> str:
        """The whole path, for the few calls that need one."""
        return "/".join((self.root, *self.parts))

    @property
    def name(self) -> str:
        """The path below the root, fit to be shown."""
        return "/".join(self.parts) or "."

    def inner(self, *parts: str) -> Folder:
        """Give a folder below this one."""
        return evolve(self, parts=(*self.parts, *parts))

    @contextmanager
    def opened(self, disk: Disk = DISK, *, make: bool = False) -> Iterator[int]:
        """Open it, and make what is missing of it when wanted. Raises `UnsafeFolderError` or `OSError`."""
        handle = self.open(disk, make=make)
        try:
            yield handle
        finally:
            disk.close(handle)

    def open(self, disk: Disk = DISK, *, make: bool = False) -> int:
        """Open it for as long as the caller wants."""
        handle = disk.open_root(self.root)
        for part in self.parts:
            try:
                inner = self._enter(part, handle, disk, make=make)
            finally:
                disk.close(handle)
            handle = inner
        return handle

    def _enter(self, part: str, at: int, disk: Disk, *, make: bool) -> int:
        try:
            return disk.open_folder(part, at=at)
        except FileNotFoundError:
            if not make:
                raise
            with contextlib.suppress(FileExistsError):
                disk.make_folder(part, at=at, mode=self.mode)
                disk.fsync(at)
            return disk.open_folder(part, at=at)
        except OSError as error:
            if error.errno in {errno.ENOTDIR, errno.ELOOP}:
                raise UnsafeFolderError(error.errno, "no folder") from error
            raise


def resolved(path: Path) -> Path:
    """Follow every link of a path that the host gave us."""
    return path.resolve()


def read_file(name: str, *, at: int, limit: int, disk: Disk = DISK) -> bytes | None:
    """Read a whole file; `None` when there is none.

    Raises `OversizedError` beyond `limit` bytes, `UnsafeFileError`, or `OSError` for what cannot be read.
    """
    try:
        file = disk.open(name, os.O_RDONLY, at=at)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _told_apart(error) from error
    try:
        if not disk.is_regular(file):
            raise UnsafeFileError(errno.EINVAL, "no regular file")
        return read_all(file, limit=limit, disk=disk)
    finally:
        disk.close(file)


def is_regular(name: str, *, at: int) -> bool | None:
    """Say whether a name stands for a regular file; `None` when it stands for nothing."""
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return None


def _told_apart(error: OSError) -> OSError:
    if error.errno in {errno.ELOOP, errno.ENXIO, errno.ENODEV}:  # a link; a socket or a device
        return UnsafeFileError(error.errno, "no regular file")
    return error


def read_all(file: int, *, limit: int, disk: Disk = DISK) -> bytes:
    """Read an open file to its end. Raises `OversizedError`."""
    parts: list[bytes] = []
    size = 0
    while part := disk.read(file, _CHUNK):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise OversizedError(_oversized(file, b"".join(parts), disk))
    return b"".join(parts)


def _oversized(file: int, begun: bytes, disk: Disk) -> Oversized:
    digest, size = hashlib.sha256(begun), len(begun)
    while size <= HASHED and (part := disk.read(file, _CHUNK)):
        digest.update(part)
        size += len(part)
    whole = size <= HASHED
    return Oversized(size=size if whole else os.fstat(file).st_size, sha256=digest.hexdigest() if whole else None)
