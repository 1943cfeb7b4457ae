"""Ending services: the purpose is durable first, then the process is asked, then it is killed.

Source: `site.md` 8; `faults.md` F27, F44.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native import children
from ems_admin.native.processes import Identity, Life, Processes, Unaskable
from ems_admin.native.register import Entries
from ems_admin.native.sights import UNREACHABLE, Sights
from ems_admin.workflows.ports.engine import EngineFailure

POLL: Final = timedelta(milliseconds=50)


@frozen(kw_only=True)
class Ending:
    """Ends services, and whatever they have left behind."""

    sights: Sights

    async def end(self, names: tuple[str, ...]) -> EngineFailure | None:
        """End services in this order; that all of them are to end is durable before the first one hears of it."""
        register = self.sights.register
        entries = await register.read()
        if isinstance(entries, EngineFailure):
            return entries
        doomed = {name: entries[name] for name in names if name in entries}
        if failure := await register.change(lambda now: _meant(now, doomed, ServicePhase.STOPPING)):
            return failure
        for name, entry in doomed.items():
            failure = await self._end_within_the_limit(name, entry) or await register.forget(name, entry.attempt)
            if failure is not None:
                return failure
        return None

    async def halt(self, name: str) -> EngineFailure | None:
        """End one service on purpose: its entry says so first, and stays (F27). Without an entry nothing is to end."""
        register = self.sights.register
        if failure := await register.change(lambda now: _meant(now, {name}, ServicePhase.STOPPED)):
            return failure
        entries = await register.read()
        if isinstance(entries, EngineFailure):
            return entries
        return await self._end_within_the_limit(name, entries[name]) if name in entries else None

    async def _end_within_the_limit(self, name: str, entry: NativeService) -> EngineFailure | None:
        try:
            async with asyncio.timeout(self.sights.limits.start_or_stop.total_seconds()):
                await self.end_processes(name, entry)
        except TimeoutError:
            return EngineFailure(code=Code.OPERATION_STALLED, detail=name)
        except Unaskable:
            return UNREACHABLE
        return None

    async def end_processes(self, name: str, entry: NativeService) -> None:
        """End the process of an entry, then what it has started: that carries the same mark. Raises `Unaskable`."""
        seen = await asyncio.to_thread(self.sights.look, name, entry)
        if seen.life is Life.UNKNOWN:
            raise Unaskable
        if seen.identity is not None:
            await self._end_process(seen.identity)
        for left in await asyncio.to_thread(self.sights.carriers, name, entry):
            await self._end_process(left)

    async def _end_process(self, identity: Identity) -> None:
        await end_process(self.sights.processes, identity, grace=self.sights.limits.grace)


async def end_process(processes: Processes, identity: Identity, *, grace: timedelta) -> None:
    """Ask a process to end, kill it after `grace`, and see that it is gone. Raises `Unaskable`."""
    clock = processes.clock
    patience = clock.boottime() + grace.total_seconds()
    life, killed = processes.send(identity, signal.SIGTERM), False
    while life is not Life.GONE:
        if life is Life.UNKNOWN:
            raise Unaskable
        if not killed and clock.boottime() >= patience:
            processes.send(identity, signal.SIGKILL)
            killed = True
        await clock.sleep(POLL)
        life = processes.life(identity)
    children.exit_code(identity.pid)  # lets the kernel forget it


def _meant(entries: Entries, names: Collection[str], phase: ServicePhase) -> Entries:
    return {name: evolve(entry, phase=phase) if name in names else entry for name, entry in entries.items()}
