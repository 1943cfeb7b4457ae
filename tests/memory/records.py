"""Records and journal in memory, decoded and encoded as on disk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from attrs import define, evolve, field, frozen

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, ReadFault, Reading, Unreadable
from ems_admin.stores.records import read_record
from ems_admin.workflows.ports.records import Commit, JournalEntry, JournalLine, RefusalError
from ems_admin.workflows.ports.running import Clock
from tests.memory.world import Blocked, Call, Step, World

R = TypeVar("R")


@frozen
class MemoryRecord(Generic[R]):
    """One record of a world."""

    world: World
    name: str
    kind: type[R]

    @asynccontextmanager
    async def hold(self, wait: float = 10.0) -> AsyncIterator[MemoryHeld[R]]:
        async with held(self.world, self.name, wait):
            yield MemoryHeld(self)

    async def read(self) -> Reading[R]:
        await Step(Call(f"read {self.name}"))
        if self.name in self.world.blind:
            return Unreadable(fault=ReadFault.IO_ERROR, detail=None, sha256=None)
        data = self.world.files.get(self.name)
        return Absent() if data is None else read_record(data, self.kind)


@frozen
class MemoryHeld(Generic[R]):
    """It, held."""

    record: MemoryRecord[R]

    async def read(self) -> Reading[R]:
        return await self.record.read()

    async def commit(self, record: R) -> Commit:
        return await self.record.world.change(self.record.name, codec.encode(record))

    async def remove(self) -> Commit:
        return await self.record.world.change(self.record.name, None)


@asynccontextmanager
async def held(world: World, name: str, wait: float) -> AsyncIterator[None]:
    """Hold a lock of a world: it waits as long as anybody steps it, and not at all when told so."""
    await Step(Call(f"hold {name}"))
    while name in world.held:
        if wait == 0:
            raise RefusalError(Refusal(Code.STATE_LOCK_BUSY, detail=name))
        await Step(Blocked(name))
    world.held.add(name)
    try:
        yield
    finally:
        world.held.discard(name)


@define
class MemoryJournal:
    """The lines that a process has written. Mutable: it grows."""

    clock: Clock
    entries: list[JournalEntry] = field(factory=list)
    writable: bool = True

    async def append(self, line: JournalLine) -> None:
        last = self.entries[-1] if self.entries else None
        if last is not None and line.code and line == last.line:
            self.entries[-1] = evolve(last, count=last.count + 1)
            return
        self.entries.append(JournalEntry(sequence=len(self.entries) + 1, time=self.clock.now(), count=1, line=line))

    async def after(self, sequence: int, limit: int = 200) -> tuple[JournalEntry, ...]:
        return tuple(entry for entry in self.entries if entry.sequence > sequence)[:limit]

    async def latest(self, limit: int = 200) -> tuple[JournalEntry, ...]:
        return tuple(self.entries[-limit:])
