"""Looking at every service, at any time, whatever state it is in. Nothing here waits longer than a few seconds.

Source: `site.md` 8; `faults.md` D1, F19, F22.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.daemon import UnaskedError
from ems_admin.docker.definition import RESTART_POLICY
from ems_admin.docker.reaching import Addresses, is_well
from ems_admin.docker.sights import Service, Sights
from ems_admin.docker.watching import left_of
from ems_admin.engines.asking import Answer
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.services import Health, NotSeen, Observation, Seen, SeenService, ServiceState

PATIENCE: Final = timedelta(seconds=8)
"""For the whole look: people wait for it."""
ONE_ANSWER: Final = timedelta(seconds=3)

STATES: Final = {
    Doing.CREATED: ServiceState.ABSENT,
    Doing.RUNNING: ServiceState.RUNNING,
    Doing.RESTARTING: ServiceState.RESTARTING,
    Doing.PAUSED: ServiceState.UNKNOWN,
    Doing.EXITED: ServiceState.EXITED,
    Doing.UNKNOWN: ServiceState.UNKNOWN,
}
"""One that was created and never started is no service yet; a frozen one neither runs nor has ended."""


@frozen(kw_only=True)
class Observer:
    """Observes."""

    sights: Sights

    async def observe(self) -> Observation:
        """Look at every service at once. Never raises."""
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                services = await self.sights.services()
                return Seen(services=tuple(await asyncio.gather(*(self.see(one) for one in services))))
        except UnaskedError as error:
            return error.unseen
        except (DockerError, TimeoutError):
            return NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)

    async def see(self, service: Service) -> SeenService:
        """Look at one service, and ask how it is."""
        container, told = service.container, service.known
        where = self.sights.where(container)
        ended = container.doing in {Doing.EXITED, Doing.RESTARTING}
        page = told.dashboard_path
        return SeenService(
            service=service.name,
            state=state_of(container),
            health=await self._health(service, where),
            build_id=told.build_id,
            digest=digest_it_runs(container),
            image=container.image or None,
            url=where.shown,
            dashboard_url=None if page is None or where.shown is None else f"{where.shown}/{page.removeprefix('/')}",
            started_at=whole(container.started_at),
            exit_code=container.exit_code if ended else None,
        )

    async def _health(self, service: Service, where: Addresses) -> Health:
        container, told = service.container, service.known
        if container.doing is not Doing.RUNNING or not where.asked:
            return Health.UNKNOWN
        if await is_well(where, told, min(told.timeout, ONE_ANSWER)) is Answer.WELL:
            return Health.HEALTHY
        young = left_of(told.start_period, container.started_at, self.sights.clock.now()) > 0
        return Health.STARTING if young else Health.UNHEALTHY


def state_of(container: Container) -> ServiceState:
    """Say what a service does.

    The daemon starts what ended by itself again, for that is the policy of every service. One that rests all the same
    was stopped on purpose, unless the daemon has noted that it could not be started.
    """
    found = STATES[container.doing]
    at_rest = container.policy == RESTART_POLICY and not container.error
    return ServiceState.STOPPED if at_rest and found is ServiceState.EXITED else found


def whole(moment: datetime | None) -> datetime | None:
    """Give a time as it is shown and kept everywhere: to the whole second."""
    return moment and moment.replace(microsecond=0)


def digest_it_runs(container: Container) -> str | None:
    """Give the digest that a container was created by, else the id of its image; `None` when nobody can say.

    The daemon has bound that digest to the image once and for all. It is not asked of the image itself: a thorough
    clean-up takes the digests from an image that a container holds, and the container runs from it all the same.
    """
    return container.image.partition("@")[2] or container.image_id or None
