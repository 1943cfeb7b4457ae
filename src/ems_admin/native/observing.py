"""Looking at every service, at any time, whatever state it is in. Nothing here waits longer than a few seconds.

Source: `site.md` 8; `faults.md` D1, F19, F41.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from ems_admin.engines.asking import Answer, ask
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native import children, logs, stack_file
from ems_admin.native.processes import Life, Unaskable
from ems_admin.native.register import Entries
from ems_admin.native.sights import Sighting, Sights
from ems_admin.native.stack_file import StackFile, StackService, address
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.services import Health, NotSeen, Observation, Seen, SeenService, ServiceState

PATIENCE: Final = timedelta(seconds=8)
"""For the whole look: people wait for it."""
ONE_ANSWER: Final = timedelta(seconds=3)

STATES: Final = {
    (ServicePhase.STARTING, Life.ALIVE): ServiceState.STARTING,
    (ServicePhase.STARTING, Life.GONE): ServiceState.ABSENT,
    (ServicePhase.RUNNING, Life.ALIVE): ServiceState.RUNNING,
    (ServicePhase.RUNNING, Life.GONE): ServiceState.EXITED,
    (ServicePhase.STOPPING, Life.ALIVE): ServiceState.RUNNING,
    (ServicePhase.STOPPING, Life.GONE): ServiceState.ABSENT,
    (ServicePhase.STOPPED, Life.ALIVE): ServiceState.RUNNING,
    (ServicePhase.STOPPED, Life.GONE): ServiceState.STOPPED,
}
"""What an entry and its process say together. A process that nobody could look for is `unknown`."""


@frozen(kw_only=True)
class Observer:
    """Observes, and on that occasion turns over a log that has grown too long."""

    sights: Sights

    async def observe(self) -> Observation:
        """Look at every entry at once. Never raises."""
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                return await self._observe()
        except (TimeoutError, OSError, Unaskable):
            return NotSeen(code=Code.SERVICE_MANAGER_UNREACHABLE)

    async def _observe(self) -> Observation:
        entries = await self.sights.register.read()
        if isinstance(entries, EngineFailure):
            return NotSeen(code=entries.code)
        seen, file = await asyncio.to_thread(self._look, entries)
        observed = await asyncio.gather(
            *(self._service(name, entries[name], seen[name], file.get(name)) for name in entries)
        )
        return Seen(services=tuple(observed))

    def _look(self, entries: Entries) -> tuple[dict[str, Sighting], StackFile]:
        self.sights.processes.boot_id()  # raises when the host cannot be asked at all
        for name in entries:
            with suppress(OSError):
                logs.keep_within_bounds(self.sights.place.log(name))
        seen = {name: self.sights.look(name, entry) for name, entry in entries.items()}
        return seen, stack_file.read(self.sights.place)

    async def _service(
        self, name: str, entry: NativeService, seen: Sighting, planned: StackService | None
    ) -> SeenService:
        # A stack file that was written for the next start may name another port than the one it still runs at.
        running = planned and evolve(planned, port=entry.port)
        return SeenService(
            service=name,
            state=STATES.get((entry.phase, seen.life), ServiceState.UNKNOWN),
            health=await self._health(seen, running),
            build_id=entry.build_id,
            digest=entry.program_sha256,
            image=None,
            url=address(entry.port),
            dashboard_url=None if running is None else running.dashboard_url,
            started_at=entry.since,
            exit_code=children.exit_code(entry.pid) if entry.pid is not None and seen.life is Life.GONE else None,
        )

    async def _health(self, seen: Sighting, running: StackService | None) -> Health:
        if seen.life is not Life.ALIVE or seen.identity is None or running is None:
            return Health.UNKNOWN
        if await ask(running.health_url, min(running.timeout, ONE_ANSWER)) is Answer.WELL:
            return Health.HEALTHY
        young = self.sights.processes.age(seen.identity) < running.start_period.total_seconds()
        return Health.STARTING if young else Health.UNHEALTHY
