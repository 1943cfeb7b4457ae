"""Replacing a file as a whole, and what may truly be said of it afterwards.

Up to the replace nothing has happened; after it only reading back can tell. The answer is an outcome, never an
exception. Blocking: it runs in a thread.
Source: DESIGN 3; `faults.md` D5, F01, F10.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets

from attrs import field, frozen

from ems_admin.stores.disk import DISK, RECORD_MODE, Disk
from ems_admin.stores.failures import STATE, Words, not_committed
from ems_admin.stores.folders import Folder, Oversized, OversizedError, UnsafeFileError, read_file
from ems_admin.workflows.ports.records import Commit, Committed, Unprovable


@frozen(kw_only=True)
class Place:
    """One file that is only ever replaced as a whole."""

    folder: Folder
    name: str
    words: Words = STATE
    mode: int = RECORD_MODE
    owner: tuple[int, int] | None = None
    """Whose it is to be, when that is not us; given where we may."""
    limit: int = 1 << 16
    """More bytes than this are never read back."""


def replace(place: Place, data: bytes, *, disk: Disk = DISK) -> Commit:
    """Put `data` in the place of what is there, or say truly that this did not happen."""
    return _settle(place, data, disk)


def remove(place: Place, *, disk: Disk = DISK) -> Commit:
    """Take the file away; an absent one is as good."""
    return _settle(place, None, disk)


def clear_leftovers(name: str, *, at: int, disk: Disk = DISK) -> tuple[str, ...]:
    """Remove what a kill or a failing disk left of earlier commits; only for the holder of the record's lock."""
    ours = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{8}}\.tmp")
    removed: list[str] = []
    for other in disk.names(at):
        if ours.fullmatch(other):
            with contextlib.suppress(OSError):  # the next holder tries again, nothing is wrong until then
                disk.unlink(other, at=at)
                removed.append(other)
    return tuple(removed)


def _settle(place: Place, wanted: bytes | None, disk: Disk) -> Commit:
    try:
        with place.folder.opened(disk) as at:
            change = _Change(place=place, wanted=wanted, at=at, disk=disk)
            if isinstance(change.before, UnsafeFileError):  # a link would be replaced by a file, without a word
                return failed(place, change.before)
            return change.settle()
    except OSError as error:  # the folder itself: nothing was begun
        if wanted is None and isinstance(error, FileNotFoundError):
            return Committed()  # where there is no folder there is no file either
        return failed(place, error)


class _NothingHappenedError(OSError):
    """The change failed before it could have any effect."""


@frozen(kw_only=True)
class _Change:
    """One change of one file, and the means to find out what became of it."""

    place: Place
    wanted: bytes | None
    at: int
    disk: Disk
    before: bytes | Oversized | OSError | None = field(init=False)

    @before.default
    def _look(self) -> bytes | Oversized | OSError | None:
        try:
            return read_file(self.place.name, at=self.at, limit=self.place.limit, disk=self.disk)
        except OversizedError as error:
            return error.seen  # as good as its bytes, for telling whether it is still the same
        except OSError as error:
            return error

    def settle(self) -> Commit:
        """Make the change; where it fails, let the disk say what has become of the file."""
        try:
            self._make()
        except _NothingHappenedError as error:
            return failed(self.place, error)
        except OSError as error:
            return self._otherwise(error) or self._settle_again()
        return Committed()

    def _settle_again(self) -> Commit:
        """Make the whole change once more: it is there, but nobody has proven that it stays."""
        try:
            self._make()
        except OSError as error:
            return self._otherwise(error) or Committed(storage_unreliable=True)
        return Committed()

    def _otherwise(self, error: OSError) -> Commit | None:
        """Read back. The old bytes: not committed; the wanted ones: no verdict yet; anything else: unprovable."""
        found = self._look()
        if isinstance(found, OSError) or (isinstance(found, Oversized) and found.sha256 is None):
            return Unprovable()
        if found == self.before:
            return failed(self.place, error)
        return None if found == self.wanted else Unprovable()

    def _make(self) -> None:
        if self.wanted is None:
            self._take_away()
        else:
            self._put(self.wanted)

    def _put(self, data: bytes) -> None:
        fresh = f".{self.place.name}.{secrets.token_hex(4)}.tmp"
        try:
            self._write_new(fresh, data)
        except OSError as error:
            self._drop(fresh)
            raise _NothingHappenedError(error.errno, "not even written") from error
        try:
            self.disk.replace(fresh, self.place.name, at=self.at)
        except OSError:
            self._drop(fresh)
            raise
        self.disk.fsync(self.at)

    def _write_new(self, fresh: str, data: bytes) -> None:
        file = self.disk.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, at=self.at, mode=self.place.mode)
        try:
            if self.place.owner is not None:
                with contextlib.suppress(PermissionError):  # only root gives files away; the file is right without
                    os.fchown(file, *self.place.owner)
                os.fchmod(file, self.place.mode)
            rest = data
            while rest:
                rest = rest[self.disk.write(file, rest) :]
            self.disk.fsync(file)
        finally:
            self.disk.close(file)

    def _drop(self, fresh: str) -> None:
        with contextlib.suppress(OSError):  # the next holder of the lock will find it
            self.disk.unlink(fresh, at=self.at)

    def _take_away(self) -> None:
        with contextlib.suppress(FileNotFoundError):  # as good, but somebody may have removed it and never flushed that
            self.disk.unlink(self.place.name, at=self.at)
        self.disk.fsync(self.at)


def failed(place: Place, error: OSError) -> Commit:
    """Say why nothing was written to a place."""
    return not_committed(error, words=place.words, folder=place.folder.name, path=place.folder.path)
