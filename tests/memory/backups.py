"""Backup sets in memory: the very bytes that lie on disk, under the names that they have there."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BackupFacts, BackupRetention, LeftOut
from ems_admin.machines.records.reading import Absent, ReadFault, Reading, Unreadable
from ems_admin.stores.backup_evidence import DECODERS, decoded
from ems_admin.stores.backup_format import DamagedError, damaged, open_set, pack, read_set
from ems_admin.stores.backup_locks import Cost
from ems_admin.stores.backups import SUFFIX, look_at
from ems_admin.workflows.ports.backups import (
    BackupFailure,
    BackupSet,
    DamagedSet,
    Gathered,
    KeptFile,
    MadeSet,
    NotMade,
    OpenedSet,
)
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted
from tests.memory.records import MemoryRecord, held
from tests.memory.world import Call, Step, World

SETS: Final = "backups/sets/"
QUICK: Final = Cost(memory_kib=8, passes=1, lanes=1)
"""A lock for tests: the same kind, and no time to wait for."""


@frozen
class MemoryBackups:
    """Implements `Backups` over a world."""

    world: World

    async def evidence(self) -> Gathered:
        await Step(Call("gather what a full backup keeps"))
        there = {part: self.world.files.get(part if part.startswith("state/") else f"/{part}") for part in DECODERS}
        found = [decoded(part, data) for part, data in there.items() if data is not None]
        return Gathered(
            files=tuple(one for one in found if isinstance(one, KeptFile)),
            left_out=tuple(one for one in found if isinstance(one, LeftOut)),
        )

    async def create(self, facts: BackupFacts, gathered: Gathered, password: str | None) -> MadeSet | NotMade:
        there = await self.open(facts.id, password)
        if isinstance(there, OpenedSet):
            return MadeSet(backup=there.backup, found=True)
        if isinstance(there, BackupFailure) and there.code is not Code.BACKUP_DAMAGED:
            return there
        data = pack(facts, gathered, password=password, cost=QUICK)
        async with held(self.world, SETS, 10.0):
            outcome = await self.world.change(_name(facts.id), data)
        if not isinstance(outcome, Committed):
            return outcome
        back = await self.open(facts.id, password)
        if not isinstance(back, OpenedSet) or back.files != gathered.files:
            await self.delete(facts.id)
            return damaged(ReadFault.IO_ERROR)
        return MadeSet(backup=back.backup, storage_unreliable=outcome.storage_unreliable)

    async def add(self, data: bytes) -> MadeSet | NotMade:
        backup = look_at(None, data)
        if isinstance(backup, DamagedSet):
            return damaged(backup.fault)
        async with held(self.world, SETS, 10.0):
            there = self.world.files.get(_name(backup.id))
            if there == data:
                return MadeSet(backup=backup, found=True)
            if there is not None:
                return NotCommitted(code=Code.TARGET_EXISTS, detail=backup.id)
            outcome = await self.world.change(_name(backup.id), data)
        return MadeSet(backup=backup) if isinstance(outcome, Committed) else outcome

    async def sets(self) -> tuple[BackupSet | DamagedSet, ...] | Unreadable:
        await Step(Call("look at the backups"))
        found = [
            look_at(name.removeprefix(SETS).removesuffix(SUFFIX), data)
            for name, data in self.world.files.items()
            if name.startswith(SETS)
        ]
        whole = sorted((s for s in found if isinstance(s, BackupSet)), key=lambda s: (s.created_at, s.id), reverse=True)
        return (*whole, *sorted((s for s in found if isinstance(s, DamagedSet)), key=lambda s: s.id))

    async def open(self, backup_id: str, password: str | None) -> OpenedSet | BackupFailure | Absent:
        await Step(Call(f"open the backup {backup_id}"))
        data = self.world.files.get(_name(backup_id))
        if data is None:
            return Absent()
        opened = open_set(data, password)
        if isinstance(opened, OpenedSet) and opened.backup.id != backup_id:
            return damaged(ReadFault.TAMPERED)
        return opened

    async def data(self, backup_id: str) -> bytes | BackupFailure | Absent:
        await Step(Call(f"read the backup {backup_id}"))
        data = self.world.files.get(_name(backup_id))
        if data is None:
            return Absent()
        try:
            read_set(data)
        except DamagedError as error:
            return damaged(error.fault)
        return data

    async def delete(self, backup_id: str) -> Commit | Absent:
        async with held(self.world, SETS, 10.0):
            if _name(backup_id) not in self.world.files:
                return Absent()
            return await self.world.change(_name(backup_id), None)

    async def retention(self) -> Reading[BackupRetention]:
        return await self._retention.read()

    async def keep(self, retention: BackupRetention) -> Commit:
        async with self._retention.hold() as record:
            return await record.commit(retention)

    @property
    def _retention(self) -> MemoryRecord[BackupRetention]:
        return MemoryRecord(self.world, "backups/retention.json", BackupRetention)


def _name(backup_id: str) -> str:
    return f"{SETS}{backup_id}{SUFFIX}"
