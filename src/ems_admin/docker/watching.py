"""Watching what was started: that it stays, and that it is well when asked from outside.

Source: `site.md` 8; `faults.md` F22, F26.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from attrs import frozen

from ems_admin.docker.compose_file import images_by_name
from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.reaching import Addresses, dashboard_loads, is_well
from ems_admin.docker.sights import Service, Sights
from ems_admin.engines.asking import Answer
from ems_admin.engines.watching import POLL, comes_true, stays
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report


@frozen(kw_only=True)
class Life:
    """One life of one container: another id, start or count of restarts is another one."""

    container_id: str
    started_at: datetime | None
    restarts: int


def life_of(container: Container) -> Life:
    """Read which life a container is in."""
    return Life(container_id=container.id, started_at=container.started_at, restarts=container.restarts)


@frozen(kw_only=True)
class Watch:
    """The eyes of the engine. They change nothing. Everything may raise `UnaskedError` or `DockerError`."""

    sights: Sights

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Watch for `window` that each service stays in the very same life."""
        first = await self._who()
        if isinstance(first, EngineFailure):
            return first

        async def somebody_moved() -> EngineFailure | None:
            now = await self._who()
            if isinstance(now, EngineFailure):
                return now
            moved = self._moved(first, now)
            return await self.sights.ended(moved, code=Code.EMS_NOT_RUNNING) if moved else None

        return await stays(somebody_moved, window=window, clock=self.sights.clock, report=report)

    def _moved(self, first: tuple[Service, ...], now: tuple[Service, ...]) -> Container | None:
        lives = {service.name: life_of(service.container) for service in now}
        changed = [service for service in first if lives.get(service.name) != life_of(service.container)]
        containers = {service.name: service.container for service in now}
        return containers.get(changed[0].name, changed[0].container) if changed else None

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask each service until it is well or its start period is over; then load the dashboards, if wanted."""
        services = await self._who()
        if isinstance(services, EngineFailure):
            return services
        for service in services:
            report(Progress(step="probe", detail=service.name))
            answer = await self._until_well(service)
            if not isinstance(answer, Done):
                return answer
        for service in services:
            if dashboard and service.known.dashboard_path is not None:
                report(Progress(step="probe", detail="dashboard"))
                if not await self._until_it_loads(self.sights.where(service.container), service.known.dashboard_path):
                    return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="dashboard")
        report(Progress(step="probe", percent=100))
        return Done()

    async def _until_well(self, service: Service) -> Done | EngineFailure:
        """Ask at least once, however old the container is; an answer counts only for the life that was asked."""
        clock, told = self.sights.clock, service.known
        deadline = clock.boottime() + left_of(told.start_period, service.container.started_at, clock.now())
        while True:
            answer = await is_well(self.sights.where(service.container), told, told.timeout)
            now = await self.sights.look(service.container.id)
            if now is None:
                return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=service.name)
            if now.doing is not Doing.RUNNING or life_of(now) != life_of(service.container):
                return await self.sights.ended(now, code=Code.EMS_NOT_RUNNING)
            if answer is Answer.WELL:
                return Done()
            if clock.boottime() >= deadline:
                said = "\n".join(await self.sights.last_words(now)) or None
                return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail=service.name, message=said)
            await clock.sleep(POLL)

    async def _until_it_loads(self, where: Addresses, path: str) -> bool:
        limit = self.sights.limits.dashboard

        async def loads() -> bool:
            return await dashboard_loads(where, path, limit) is Answer.WELL

        return await comes_true(loads, limit=limit, clock=self.sights.clock)

    async def _who(self) -> tuple[Service, ...] | EngineFailure:
        """Give every service; the first one without a container that runs is `ems_not_running`."""
        services = await self.sights.services()
        meant = await asyncio.to_thread(images_by_name, self.sights.place.compose_file)
        if missing := set(meant) - {service.name for service in services}:
            return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=min(missing))
        for service in services:
            if service.container.doing is not Doing.RUNNING:
                return await self.sights.ended(service.container, code=Code.EMS_NOT_RUNNING)
        return services or EngineFailure(code=Code.EMS_NOT_RUNNING)


def left_of(period: timedelta, started_at: datetime | None, now: datetime) -> float:
    """Say how many seconds of a start period are left; two clocks that disagree give no more than all of it."""
    age = (now - started_at).total_seconds() if started_at else 0.0
    return min(period.total_seconds(), max(0.0, period.total_seconds() - age))
