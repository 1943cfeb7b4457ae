"""Watching what was started: that it stays, and that it is well when asked from outside.

Source: `site.md` 8; `faults.md` F22, F26.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

from attrs import frozen

from ems_admin.engines.asking import Answer, ask, page_loads
from ems_admin.engines.watching import POLL, comes_true, stays
from ems_admin.machines.codes import Code
from ems_admin.native import stack_file
from ems_admin.native.processes import Identity, Life
from ems_admin.native.register import Entries
from ems_admin.native.sights import UNREACHABLE, Sights
from ems_admin.native.stack_file import StackService
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report


@frozen(kw_only=True)
class Watch:
    """The eyes of the engine. They change nothing."""

    sights: Sights

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Watch for `window` that each service stays the very same process."""
        first = await self._who()
        if isinstance(first, EngineFailure):
            return first

        async def somebody_moved() -> EngineFailure | None:
            now = await self._who()
            if isinstance(now, EngineFailure):
                return now
            moved = [name for name, identity in first.items() if now.get(name) != identity]
            return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=moved[0]) if moved else None

        return await stays(somebody_moved, window=window, clock=self.sights.clock, report=report)

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask each service until it is well or its start period is over; then load the dashboards, if wanted."""
        identities = await self._who()
        if isinstance(identities, EngineFailure):
            return identities
        services = self._stack()
        for service in services:
            report(Progress(step="probe", detail=service.name))
            answer = await self._until_well(service, identities[service.name])
            if not isinstance(answer, Done):
                return answer
        pages = [url for service in services if dashboard and (url := service.dashboard_url)]
        for page in pages:
            report(Progress(step="probe", detail="dashboard"))
            if not await self._until_it_loads(page):
                return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="dashboard")
        report(Progress(step="probe", percent=100))
        return Done()

    async def _until_well(self, service: StackService, identity: Identity) -> Done | EngineFailure:
        """Ask at least once, however old the process is; an answer counts only while the process is there."""
        clock, processes = self.sights.clock, self.sights.processes
        deadline = clock.boottime() + service.start_period.total_seconds() - processes.age(identity)
        while True:
            answer = await ask(service.health_url, service.timeout)
            match processes.life(identity):
                case Life.GONE:
                    return self.sights.ended(service.name, identity, code=Code.EMS_NOT_RUNNING)
                case Life.UNKNOWN:
                    return UNREACHABLE
                case Life.ALIVE if answer is Answer.WELL:
                    return Done()
                case Life.ALIVE if clock.boottime() >= deadline:
                    said = "\n".join(self.sights.last_words(service.name)) or None
                    return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail=service.name, message=said)
                case Life.ALIVE:
                    await clock.sleep(POLL)

    async def _until_it_loads(self, page: str) -> bool:
        limit = self.sights.limits.dashboard

        async def loads() -> bool:
            return await page_loads(page, limit) is Answer.WELL

        return await comes_true(loads, limit=limit, clock=self.sights.clock)

    async def _who(self) -> dict[str, Identity] | EngineFailure:
        """Give the living process of every service; the first one without is `ems_not_running`."""
        entries = await self.sights.register.read()
        if isinstance(entries, EngineFailure):
            return entries
        return await asyncio.to_thread(self._look, entries)

    def _look(self, entries: Entries) -> dict[str, Identity] | EngineFailure:
        found: dict[str, Identity] = {}
        names = dict.fromkeys([*(service.name for service in self._stack()), *entries])
        for name in names:
            seen = self.sights.look(name, entries[name]) if name in entries else None
            if seen is not None and seen.life is Life.UNKNOWN:
                return UNREACHABLE
            if seen is None or seen.identity is None:
                return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=name)
            if seen.life is Life.GONE:
                return self.sights.ended(name, seen.identity, code=Code.EMS_NOT_RUNNING)
            found[name] = seen.identity
        return found or EngineFailure(code=Code.EMS_NOT_RUNNING)

    def _stack(self) -> tuple[StackService, ...]:
        return stack_file.read(self.sights.place).services
