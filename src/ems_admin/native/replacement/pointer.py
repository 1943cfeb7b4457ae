"""Which program of the Admin a site runs: the pointer is switched, and switched back, by an updater alone.

Source: `replacement.md` 7.8 (U6, U7, Rollback).
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.reading import Present, Reading
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, RecordStore, RefusalError
from ems_admin.workflows.ports.replacement import Moved, Silence
from ems_admin.workflows.ports.running import Clock

FORMAT: Final = 1


@frozen(kw_only=True)
class Pointer:
    """`state/current-admin.json`."""

    store: RecordStore[CurrentAdmin]
    clock: Clock

    async def read(self) -> Reading[CurrentAdmin]:
        """Read it."""
        return await self.store.read()

    async def is_writable(self) -> Done | EngineFailure:
        """Say whether it could be switched, without touching it."""
        try:
            async with self.store.hold():
                return Done()
        except RefusalError as refused:
            return EngineFailure(code=Code(refused.refusal.code), detail=refused.refusal.detail)

    async def switch(self, build: str, *, previous: str, operation_id: str) -> Moved:
        """Let it name another build, unless this operation has switched it already."""
        try:
            async with self.store.hold() as held:
                match await held.read():
                    case Present(record=record) if (record.build, record.operation_id) == (build, operation_id):
                        return Done()
                return _outcome(
                    await held.commit(
                        CurrentAdmin(
                            format_version=FORMAT,
                            build=build,
                            previous=previous,
                            operation_id=operation_id,
                            changed_at=self.clock.now(),
                        )
                    )
                )
        except RefusalError:
            return Silence()

    async def put_back(self, before: CurrentAdmin | None) -> Moved:
        """Let it say what it said before, or take it away where there was none."""
        try:
            async with self.store.hold() as held:
                match await held.read():
                    case Present(record=record) if record == before:
                        return Done()
                return _outcome(await (held.remove() if before is None else held.commit(before)))
        except RefusalError:
            return Silence()


def _outcome(commit: Commit) -> Moved:
    match commit:
        case Committed():
            return Done()
        case NotCommitted(code=code, detail=detail):
            return EngineFailure(code=code, detail=detail)
        case _:
            return Silence()  # nobody can say: it is looked at again
