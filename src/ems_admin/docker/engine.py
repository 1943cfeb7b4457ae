"""The Docker engine: the port `Engine`, put together from the files beside this one.

What changes something runs alone: one lock of this object, for one Admin owns a site. What looks takes no lock.

Source: `site.md` 8; `faults.md` D1, F19, F29.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from aiodocker.exceptions import DockerError

from ems_admin.docker import compose_file, planning
from ems_admin.docker import status as asking
from ems_admin.docker.acting import Acting
from ems_admin.docker.conflicts import Conflicts
from ems_admin.docker.controlling import Controlling
from ems_admin.docker.credentials import Credentials
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.definition import Definition
from ems_admin.docker.fetching import Fetching
from ems_admin.docker.observing import Observer
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.planning import Ports
from ems_admin.docker.pruning import Pruning
from ems_admin.docker.pulling import Terms
from ems_admin.docker.reaching import LOOPBACK
from ems_admin.docker.replacement import updaters
from ems_admin.docker.sights import Limits, Sights, rows
from ems_admin.docker.stack_images import images_of
from ems_admin.docker.starting import Starting
from ems_admin.docker.surroundings import surroundings
from ems_admin.docker.watching import Watch
from ems_admin.docker.words import said
from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.installed import DeployedImage, EngineKind
from ems_admin.workflows.ports.engine import (
    Activity,
    ContainerConflict,
    Deployment,
    Done,
    EngineFailure,
    EngineStatus,
    Progress,
    Report,
)
from ems_admin.workflows.ports.files import RuntimeIdentity
from ems_admin.workflows.ports.running import Clock
from ems_admin.workflows.ports.services import NotSeen, Observation, ServiceContainer

DEFAULT_LIMITS: Final = Limits()
T = TypeVar("T")


class DockerEngine:
    """Runs the EMS of one site as containers. Implements `Engine`."""

    def __init__(  # noqa: PLR0913  # the composition names each
        self,
        daemon: Daemon,
        place: DockerPlace,
        *,
        own: str | None,
        runtime: Callable[[], Awaitable[RuntimeIdentity | None]],
        clock: Clock,
        built_at: Callable[[], datetime | None] = lambda: None,
        credentials: Credentials | None = None,
        limits: Limits = DEFAULT_LIMITS,
        host: str = LOOPBACK,
    ) -> None:
        """Ask nothing yet. `own` is the id of the Admin's container, `built_at` when the running Admin was built."""
        self._daemon, self._place, self._own, self._runtime = daemon, place, own, runtime
        self._sights = Sights(daemon=daemon, place=place, own=own, clock=clock, limits=limits, host=host)
        self._acting = Acting(sights=self._sights)
        self._starting = Starting(sights=self._sights, acting=self._acting)
        self._watch = Watch(sights=self._sights)
        self._observer = Observer(sights=self._sights)
        self._controlling = Controlling(
            sights=self._sights, acting=self._acting, starting=self._starting, observer=self._observer
        )
        self._conflicts = Conflicts(sights=self._sights, acting=self._acting)
        self._pruning = Pruning(sights=self._sights, acting=self._acting)
        terms = Terms(credentials=credentials or Credentials.of(), patience=limits.pull)
        self._fetching = Fetching(daemon=daemon, site=place.site, clock=clock, terms=terms, built_at=built_at)
        self._alone = asyncio.Lock()

    @property
    def kind(self) -> EngineKind:
        """Docker."""
        return EngineKind.DOCKER

    async def status(self) -> EngineStatus:
        """Ask the daemon for its version."""
        return await asking.status(self._daemon)

    async def adopt(self) -> Done | EngineFailure:
        """Leave everything as it is: whatever was cut is settled by looking when the next start or stop comes to it.

        A daemon that cannot be asked at the start of an Admin keeps nobody from working on records.
        """
        return Done()

    async def fetch(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Pull the images of a stack by their digests."""
        images = images_of(deployment)
        if isinstance(images, EngineFailure):
            return images
        async with self._alone:
            return await _told(self._fetching.fetch(deployment.manifest, images, report))

    def images(self, deployment: Deployment) -> tuple[DeployedImage, ...]:
        """Name the image and digest of each service; nothing for a stack that cannot run as containers."""
        images = images_of(deployment)
        return () if isinstance(images, EngineFailure) else tuple(one.deployed for one in images)

    async def write_stack(self, deployment: Deployment) -> Done | EngineFailure:
        """Write `docker-compose.yml`, with the ports chosen."""
        async with self._alone:
            plan = await _told(self._plan(deployment))
            return plan if isinstance(plan, EngineFailure) else await self._write(plan)

    async def start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Stop and put aside what is not to go on as it is, then start what does not run, in order."""
        async with self._alone:
            return await _told(self._start(deployment, report))

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Watch for `window` that every service stays in the very same life."""
        return await _told(self._watch.settle(window, report))

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask every service for its health, then for its dashboard if wanted."""
        return await _told(self._watch.probe(dashboard=dashboard, report=report))

    async def stop(self, report: Report) -> Done | EngineFailure:
        """Stop every service against the order of start. The daemon keeps that it was on purpose."""
        async with self._alone:
            return await _told(self._starting.stop_all(report))

    async def observe(self) -> Observation:
        """Look at every service."""
        return await self._observer.observe()

    async def present(self, deployment: Deployment) -> bool | NotSeen:
        """Look for every image, and for the containers that were put aside with one."""
        try:
            plan = await self._plan(deployment)
            if isinstance(plan, EngineFailure):
                return False if plan.code is Code.SYSTEM_BUILD_UNAVAILABLE else NotSeen(code=plan.code)
            return not await self._starting.missing(plan)
        except UnaskedError as error:
            return error.unseen
        except DockerError:
            return NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """List them as the daemon has them now."""
        return await self._controlling.containers()

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Act on one container. The daemon keeps that a stop was on purpose."""
        async with self._alone:
            return await _told(self._controlling.control(service, action, report))

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        """Look who bears a name of ours."""
        return await self._conflicts.find(container_name)

    async def clear_conflict(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:
        """Remove it by its id, after looking at it again."""
        async with self._alone:
            return await _told(self._conflicts.clear(conflict, replace=replace))

    async def prune(self, builds: frozenset[str]) -> None:
        """Clear away what an operation that is over has left; what cannot be looked at stays for the next time."""
        async with self._alone:
            try:
                await self._pruning.prune(builds)
            except (UnaskedError, DockerError):
                return

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        """Give the last lines of a service's log, masked; none for a name that no service has."""
        return await self._controlling.logs(service, lines)

    async def replacement_activity(self, operation_id: str | None) -> Activity:
        """Ask for the updaters."""
        return await updaters.replacement_activity(self._daemon, self._place.site, operation_id)

    async def _plan(self, deployment: Deployment) -> tuple[Definition, ...] | EngineFailure:
        images, runtime = images_of(deployment), await self._runtime()
        if isinstance(images, EngineFailure):
            return images
        if runtime is None:
            return EngineFailure(code=Code.RUNTIME_IDENTITY_MISSING)
        async with self._daemon.asked() as docker:
            around = await surroundings(docker, self._place, own=self._own, runtime=runtime)
            if isinstance(around, EngineFailure):
                return around
            ports = Ports.of(await rows(docker), self._place.site)
        return planning.plan(deployment.manifest, images, self._place, around, ports)

    async def _start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        plan = await self._plan(deployment)
        if isinstance(plan, EngineFailure):
            return plan
        # All of this before the first thing is stopped: what runs goes on when its successor has no chance.
        failure = await self._starting.obstacle(plan) or await self._starting.make_room(plan)
        if failure is not None:
            return failure
        fixed = {service.name for service in deployment.stack.services if service.publish}
        ports, started = frozenset(one.published for one in plan), list[Definition]()
        for number, one in enumerate(plan):
            report(Progress(step="start", percent=100 * number // len(plan), detail=one.service))
            begun = await self._starting.bring(one, besides=None if one.service in fixed else ports)
            if isinstance(begun, EngineFailure):
                return begun
            started.append(begun)
        report(Progress(step="start", percent=100))
        return await self._write(tuple(started))

    async def _write(self, plan: tuple[Definition, ...]) -> Done | EngineFailure:
        try:
            await asyncio.to_thread(compose_file.write, self._place.compose_file, plan)
        except OSError as error:
            return disk_failure(error)
        return Done()


async def _told(work: Awaitable[T]) -> T | EngineFailure:
    """Do work with the daemon, and tell by a code when it gave no answer that anything follows from."""
    try:
        return await work
    except UnaskedError as error:
        return error.failure
    except DockerError as error:
        return EngineFailure(code=Code.DOCKER_DAEMON_UNREACHABLE, message=said(error))
