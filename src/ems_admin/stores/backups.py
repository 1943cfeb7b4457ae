"""Backup sets on disk: one file each below `backups/sets`, mode 0600, put there whole and read back.

The folder has one lock, held alone; making and trying keys happens outside of it, one at a time, for each takes memory.
Source: `site.md` 9 (Backups); `faults.md` State files, F01, F10, D7.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import structlog
from attrs import field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BackupFacts, BackupRetention
from ems_admin.machines.records.reading import Absent, ReadFault, Reading, Unreadable
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.backup_evidence import Evidence
from ems_admin.stores.backup_format import ID, SET_LIMIT, DamagedError, damaged, open_set, pack, read_set
from ems_admin.stores.backup_locks import COST, Cost
from ems_admin.stores.disk import RECORD_MODE
from ems_admin.stores.failures import unreadable
from ems_admin.stores.folders import Folder, read_file, resolved
from ems_admin.stores.locks import FileLock
from ems_admin.stores.records import WAIT, RecordFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.backups import (
    BackupFailure,
    BackupSet,
    DamagedSet,
    Gathered,
    MadeSet,
    NotMade,
    OpenedSet,
)
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted

T = TypeVar("T")

FOLDER: Final = "backups"
SETS: Final = "sets"
SUFFIX: Final = ".emsbackup"
RETENTION: Final = "retention.json"

_LEFTOVER: Final = re.compile(rf"\.[0-9A-Za-z-]+{re.escape(SUFFIX)}\.[0-9a-f]{{8}}\.tmp", re.ASCII)

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class BackupFiles:
    """The sets of one site. Implements `Backups`. One such value a process: its callers queue at its lock."""

    files: SiteFiles
    install_root: Path = field(converter=resolved)
    cost: Cost = COST
    _lock: FileLock = field(init=False, eq=False, repr=False)
    _retention: RecordFile[BackupRetention] = field(init=False, eq=False, repr=False)
    _keys: asyncio.Lock = field(factory=asyncio.Lock, init=False, eq=False, repr=False)

    @_lock.default
    def _make_lock(self) -> FileLock:
        return FileLock(folder=self.folder, name=SETS, disk=self.files.disk)

    @_retention.default
    def _make_retention(self) -> RecordFile[BackupRetention]:
        folder = self.files.folder.inner(FOLDER)
        return RecordFile(
            kind=BackupRetention, folder=folder, file_name=RETENTION, disk=self.files.disk, threads=self.files.threads
        )

    @property
    def folder(self) -> Folder:
        """Where the sets lie."""
        return self.files.folder.inner(FOLDER, SETS)

    async def evidence(self) -> Gathered:
        """Gather what a full set holds besides config and credentials."""
        found = Evidence(install_root=self.install_root, admin_data=self.files.admin_data, disk=self.files.disk)
        return await self.files.threads.run(found.gather)

    async def create(self, facts: BackupFacts, gathered: Gathered, password: str | None) -> MadeSet | NotMade:
        """Write a set and read it back, unless it is there already."""
        if isinstance(there := await self.open(facts.id, password), OpenedSet):
            return MadeSet(backup=there.backup, found=True)
        if isinstance(there, BackupFailure) and there.code is not Code.BACKUP_DAMAGED:
            return there
        data = await self._with_key(partial(pack, facts, gathered, password=password, cost=self.cost), password)
        if len(data) > SET_LIMIT:
            return NotCommitted(code=Code.STATE_WRITE_FAILED, detail=ReadFault.TOO_LARGE)
        async with self._held():
            outcome = await self._put(facts.id, data)
        if not isinstance(outcome, Committed):
            return outcome
        # The disk is asked, not memory: what cannot be opened again is no backup, whatever was answered to the write.
        back = await self.open(facts.id, password)
        if not isinstance(back, OpenedSet) or back.files != gathered.files:
            await self.delete(facts.id)
            return damaged(ReadFault.IO_ERROR)
        return MadeSet(backup=back.backup, storage_unreliable=outcome.storage_unreliable)

    async def add(self, data: bytes) -> MadeSet | NotMade:
        """Put a set there that was made elsewhere."""
        backup = look_at(None, data)
        if isinstance(backup, DamagedSet) or len(data) > SET_LIMIT:
            return damaged(backup.fault if isinstance(backup, DamagedSet) else ReadFault.WRONG_SHAPE)
        async with self._held():
            there = await self._bytes_of(backup.id)
            if there == data:
                return MadeSet(backup=backup, found=True)
            if not isinstance(there, Absent):
                return NotCommitted(code=Code.TARGET_EXISTS, detail=backup.id)
            outcome = await self._put(backup.id, data)
        if not isinstance(outcome, Committed):
            return outcome
        if await self._bytes_of(backup.id) != data:
            return damaged(ReadFault.IO_ERROR)
        return MadeSet(backup=backup, storage_unreliable=outcome.storage_unreliable)

    async def sets(self) -> tuple[BackupSet | DamagedSet, ...] | Unreadable:
        """Look at every set, the newest first, damaged ones last."""
        found = await self.files.threads.run(self._look_at_all)
        if isinstance(found, Unreadable):
            return found
        whole = sorted((s for s in found if isinstance(s, BackupSet)), key=lambda s: (s.created_at, s.id), reverse=True)
        return (*whole, *sorted((s for s in found if isinstance(s, DamagedSet)), key=lambda s: s.id))

    async def open(self, backup_id: str, password: str | None) -> OpenedSet | BackupFailure | Absent:
        """Read a set, every byte of it proven."""
        data = await self._bytes_of(backup_id)
        if not isinstance(data, bytes):
            return data
        opened = await self._with_key(partial(open_set, data, password), password)
        return damaged(ReadFault.TAMPERED) if _is_named_otherwise(opened, backup_id) else opened

    async def data(self, backup_id: str) -> bytes | BackupFailure | Absent:
        """Give the whole file of a set, proven whole."""
        data = await self._bytes_of(backup_id)
        if isinstance(data, bytes):
            try:
                read_set(data)
            except DamagedError as error:
                return damaged(error.fault)
        return data

    async def delete(self, backup_id: str) -> Commit | Absent:
        """Remove a set, damaged or not."""
        async with self._held():
            if isinstance(await self._bytes_of(backup_id), Absent):
                return Absent()
            place = self._place(backup_id)
            return await self.files.threads.run(lambda: atomic.remove(place, disk=self.files.disk))

    async def retention(self) -> Reading[BackupRetention]:
        """Read how many sets are kept."""
        return await self._retention.read()

    async def keep(self, retention: BackupRetention) -> Commit:
        """Remember how many."""
        async with self._retention.hold() as held:
            return await held.commit(retention)

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        async with self._lock.hold(WAIT, self._clear):
            yield

    def _clear(self, at: int) -> None:
        """Remove what a kill left of sets that were being written."""
        for name in self.files.disk.names(at):
            if _LEFTOVER.fullmatch(name):
                with suppress(OSError):  # the next holder tries again, nothing is wrong until then
                    self.files.disk.unlink(name, at=at)
                    _log.info("leftover file removed", file=name)

    async def _with_key(self, call: Callable[[], T], password: str | None) -> T:
        if password is None:
            return await self.files.threads.run(call)
        async with self._keys:
            # Not a thread of the disk: commits would wait for a password.
            return await asyncio.to_thread(call)

    async def _put(self, backup_id: str, data: bytes) -> Commit:
        return await self.files.threads.run(lambda: atomic.replace(self._place(backup_id), data, disk=self.files.disk))

    def _place(self, backup_id: str) -> Place:
        return Place(folder=self.folder, name=f"{backup_id}{SUFFIX}", mode=RECORD_MODE, limit=SET_LIMIT)

    async def _bytes_of(self, backup_id: str) -> bytes | BackupFailure | Absent:
        if not ID.fullmatch(backup_id):
            return Absent()  # nothing is called so, and nobody is led anywhere by a name
        return await self.files.threads.run(partial(self._read, f"{backup_id}{SUFFIX}"))

    def _read(self, name: str) -> bytes | BackupFailure | Absent:
        try:
            with self.folder.opened(self.files.disk) as at:
                data = read_file(name, at=at, limit=SET_LIMIT, disk=self.files.disk)
        except FileNotFoundError:
            return Absent()
        except OSError as error:
            return damaged(unreadable(error).fault)
        return Absent() if data is None else data

    def _look_at_all(self) -> list[BackupSet | DamagedSet] | Unreadable:
        try:
            with self.folder.opened(self.files.disk) as at:
                names = self.files.disk.names(at)
        except FileNotFoundError:
            return []
        except OSError as error:
            return unreadable(error)
        return [
            look_at(name.removesuffix(SUFFIX), self._read(name))
            for name in names
            if name.endswith(SUFFIX) and ID.fullmatch(name.removesuffix(SUFFIX))
        ]


def look_at(backup_id: str | None, data: bytes | BackupFailure | Absent) -> BackupSet | DamagedSet:
    """Say what lies under a name: a set, or why it is none; without a name, what these bytes are."""
    name = backup_id or ""
    if not isinstance(data, bytes):
        fault = ReadFault(data.detail or ReadFault.IO_ERROR) if isinstance(data, BackupFailure) else ReadFault.IO_ERROR
        return DamagedSet(id=name, fault=fault, detail=None, bytes=None)
    try:
        backup = read_set(data).backup
    except DamagedError as error:
        return DamagedSet(id=name, fault=error.fault, detail=error.detail, bytes=len(data))
    if backup_id not in {None, backup.id}:
        return DamagedSet(id=name, fault=ReadFault.TAMPERED, detail=None, bytes=len(data))
    return backup


def _is_named_otherwise(opened: OpenedSet | BackupFailure, backup_id: str) -> bool:
    return isinstance(opened, OpenedSet) and opened.backup.id != backup_id
