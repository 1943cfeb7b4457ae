"""The record of the native services: what was intended for each, and what is to come of an intention that was cut.

Source: `site.md` 4 (native services); `faults.md` F27, F41.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.installed import NativeService, NativeServices, ServicePhase
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Reading, Unreadable
from ems_admin.native.processes import Life
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, RecordStore, RefusalError, Unprovable

FORMAT_VERSION: Final = 1
DAMAGED: Final = frozenset(
    {
        ReadFault.EMPTY,
        ReadFault.NOT_UTF8,
        ReadFault.NOT_JSON,
        ReadFault.DUPLICATE_KEYS,
        ReadFault.WRONG_TYPE,
        ReadFault.WRONG_SHAPE,
    }
)
"""Bytes that were read and say nothing. A newer format says something, and a link or a closed file hides it."""
Entries: TypeAlias = Mapping[str, NativeService]


class Settlement(StrEnum):
    """What becomes of an entry once its process has been looked for."""

    KEEP = "keep"
    """It says what is so. A service that ended by itself keeps its entry: that it ended is worth showing."""
    ADOPT = "adopt"
    """The spawn happened: note the process."""
    FORGET = "forget"
    """The spawn never happened."""
    STOP = "stop"
    """It was to be stopped: see to it that nothing of it is left."""
    HALT = "halt"
    """It was stopped on purpose: see to it that nothing of it is left, and keep that purpose."""
    LEAVE = "leave"
    """Nobody can say. Nothing is done on the strength of that."""


@frozen
class Cut:
    """An entry beside its process."""

    phase: ServicePhase
    life: Life


SETTLEMENT = Table(
    name="what becomes of a native service",
    asks=Cut,
    rows=(
        row(Settlement.LEAVE, life=Life.UNKNOWN),
        row(Settlement.KEEP, phase=ServicePhase.RUNNING),
        row(Settlement.ADOPT, phase=ServicePhase.STARTING, life=Life.ALIVE),
        row(Settlement.FORGET, phase=ServicePhase.STARTING),
        row(Settlement.STOP, phase=ServicePhase.STOPPING),
        row(Settlement.HALT, phase=ServicePhase.STOPPED),
    ),
)


@frozen(kw_only=True)
class Register:
    """The record, read and changed as a whole."""

    store: RecordStore[NativeServices]

    async def read(self) -> Entries | EngineFailure:
        """Give all entries; `state_unreadable` when nobody can say what was started."""
        try:
            return _entries(await self.store.read())
        except RefusalError as error:
            return _failure(error)

    async def change(self, change: Callable[[Entries], Entries]) -> EngineFailure | None:
        """Make one durable change of the entries; `None` when it is proved durable."""
        try:
            async with self.store.hold() as held:
                before = _entries(await held.read())
                if isinstance(before, EngineFailure):
                    return before
                after = dict(sorted(change(before).items()))
                if after == before:
                    return None
                return _told(await held.commit(NativeServices(format_version=FORMAT_VERSION, services=after)))
        except RefusalError as error:
            return _failure(error)

    async def is_damaged(self) -> bool:
        """Say whether the record was read and makes no sense, so that what lives can tell more than it does."""
        reading = await self.store.read()
        return isinstance(reading, Unreadable) and reading.fault in DAMAGED

    async def replace_damaged(self, entries: Entries) -> EngineFailure | None:
        """Put `entries` in the place of a record that makes no sense; one that can be read by now stays."""
        try:
            async with self.store.hold() as held:
                reading = await held.read()
                if not (isinstance(reading, Unreadable) and reading.fault in DAMAGED):
                    return None
                return _told(await held.commit(NativeServices(format_version=FORMAT_VERSION, services=dict(entries))))
        except RefusalError as error:
            return _failure(error)

    async def put(self, name: str, entry: NativeService) -> EngineFailure | None:
        """Note one service."""
        return await self.change(lambda entries: {**entries, name: entry})

    async def forget(self, name: str, attempt: str) -> EngineFailure | None:
        """Drop the entry of one start; a later start of the same service stays."""
        return await self.change(
            lambda entries: {n: e for n, e in entries.items() if (n, e.attempt) != (name, attempt)},
        )


def _entries(reading: Reading[NativeServices]) -> Entries | EngineFailure:
    match reading:
        case Absent():
            return {}
        case Present(record=record):
            return record.services
        case Unreadable(fault=fault):
            return EngineFailure(code=Code.STATE_UNREADABLE, detail=f"state/native-services.json: {fault}")


def _told(outcome: Commit) -> EngineFailure | None:
    match outcome:
        case Committed():
            return None
        case NotCommitted(code=code, detail=detail):
            return EngineFailure(code=code, detail=detail)
        case Unprovable(code=code):
            return EngineFailure(code=code)


def _failure(error: RefusalError) -> EngineFailure:
    code = error.refusal.code
    return EngineFailure(
        code=code if isinstance(code, Code) else Code.STATE_LOCK_UNAVAILABLE, detail=error.refusal.detail
    )
