"""A record as a file: held under its own lock, read strictly, committed with an outcome that is true.

Source: DESIGN 3; `site.md` 1.6, 4; `faults.md` F01 to F15.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, Generic, TypeVar

import structlog
from attrs import define, field, frozen

from ems_admin import codec
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.disk import DISK, RECORD_MODE, Disk
from ems_admin.stores.failures import STATE, Words, unreadable
from ems_admin.stores.folders import Folder, read_file
from ems_admin.stores.locks import FileLock
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.records import Commit, Committed

R = TypeVar("R")

WAIT: Final = 10.0
"""Seconds that a live holder of a lock is waited for."""

_log: Final = structlog.get_logger(__name__)


@define
class _Seen(Generic[R]):
    """The bytes that were last seen and what they mean: equal bytes are an equal record, and decoded once.

    Mutable: the pair is replaced as one, for threads read it.
    """

    last: tuple[bytes, Reading[R]] | None = None


@frozen(kw_only=True)
class RecordFile(Generic[R]):
    """One record file. There is one such value a file and process: callers queue at its lock."""

    kind: type[R]
    folder: Folder
    file_name: str
    words: Words = STATE
    limit: int = codec.RECORD_LIMIT
    disk: Disk = DISK
    threads: DiskThreads = DISK_THREADS
    _lock: FileLock = field(init=False, eq=False, repr=False)
    _seen: _Seen[R] = field(factory=_Seen, init=False, eq=False, repr=False)

    @_lock.default
    def _make_lock(self) -> FileLock:
        return FileLock(folder=self.folder, name=self.file_name, words=self.words, disk=self.disk)

    @property
    def name(self) -> str:
        """The file's name below its root."""
        return "/".join((*self.folder.parts, self.file_name))

    @property
    def place(self) -> Place:
        """Where commits put it."""
        return Place(folder=self.folder, name=self.file_name, words=self.words, mode=RECORD_MODE, limit=self.limit)

    @asynccontextmanager
    async def hold(self, wait: float = WAIT) -> AsyncIterator[HeldFile[R]]:
        """Hold the record's lock. Raises `RefusalError`."""
        async with self._lock.hold(wait, self._enter) as reading:
            yield HeldFile(self, reading)

    async def read(self) -> Reading[R]:
        """Read without the lock."""
        return await self.threads.run(self.look)

    def look(self) -> Reading[R]:
        """Read. Blocking."""
        try:
            with self.folder.opened(self.disk) as at:
                return self._read(at)
        except FileNotFoundError:
            return Absent()  # no folder, no record
        except OSError as error:
            return unreadable(error)

    def _enter(self, at: int) -> Reading[R]:
        if leftovers := atomic.clear_leftovers(self.file_name, at=at, disk=self.disk):
            _log.info("leftover files removed", record=self.name, files=leftovers)
        return self._read(at)

    def _read(self, at: int) -> Reading[R]:
        try:
            data = read_file(self.file_name, at=at, limit=self.limit, disk=self.disk)
        except OSError as error:
            return unreadable(error)
        if data is None:
            return Absent()
        seen = self._seen.last
        if seen is not None and seen[0] == data:
            return seen[1]
        return self._remember(data, read_record(data, self.kind, limit=self.limit))

    def written(self, data: bytes, record: R) -> Reading[R]:
        """Give the reading of what was just committed."""
        return self._remember(data, Present(record=record, sha256=sha256(data)))

    def _remember(self, data: bytes, reading: Reading[R]) -> Reading[R]:
        self._seen.last = (data, reading)
        return reading


@define
class HeldFile(Generic[R]):
    """A record file under its lock. Mutable: it knows what stands there while nobody else may write it."""

    _file: RecordFile[R]
    _reading: Reading[R] | None

    async def read(self) -> Reading[R]:
        """Read the record; what was read when the lock was taken still holds until a commit."""
        if self._reading is None:
            self._reading = await self._file.read()
        return self._reading

    async def commit(self, record: R) -> Commit:
        """Replace the record. Raises `EncodeError` for a record that could not be read back, before any write."""
        data = codec.encode(record, limit=self._file.limit)
        self._reading = None
        outcome = await self._file.threads.run(partial(atomic.replace, self._file.place, data, disk=self._file.disk))
        if isinstance(outcome, Committed):
            self._reading = self._file.written(data, record)
        return outcome

    async def remove(self) -> Commit:
        """Take the record away."""
        self._reading = None
        return await self._file.threads.run(partial(atomic.remove, self._file.place, disk=self._file.disk))


def read_record(data: bytes, kind: type[R], *, limit: int = codec.RECORD_LIMIT) -> Reading[R]:
    """Make a reading of the bytes of a record file."""
    try:
        return Present(record=codec.decode(data, kind, limit=limit), sha256=sha256(data))
    except codec.DecodeError as error:
        return Unreadable(fault=error.fault, detail=error.detail, sha256=sha256(data))


def sha256(data: bytes) -> str:
    """Give the SHA-256 in hex: the revision of a file."""
    return hashlib.sha256(data).hexdigest()
