"""The containers of a site one by one: listed for people, and started, stopped or restarted by them as they are.

That a stop is on purpose is the daemon's to keep: with the policy of every service it starts again what ends by itself
or with the host, and notes of what it was asked to stop, before the process hears of it, that it is to rest. A start
lifts that. Nothing of ours starts a container behind its back (`docs/adr` 43).

Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F19, F27, F29.
"""

from __future__ import annotations

import asyncio

from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.acting import Acting
from ems_admin.docker.compose_file import images_by_name
from ems_admin.docker.containers import Container
from ems_admin.docker.daemon import UnaskedError
from ems_admin.docker.definition import known
from ems_admin.docker.labels import SERVICE, SITE
from ems_admin.docker.observing import PATIENCE, Observer, state_of, whole
from ems_admin.docker.own_container import is_own
from ems_admin.docker.sights import Sights
from ems_admin.docker.stack_images import ADMIN
from ems_admin.docker.starting import Starting
from ems_admin.docker.words import printed
from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.services import Health, NotSeen, ServiceContainer, ServiceState


@frozen(kw_only=True)
class Controlling:
    """Lists the containers of a site, and acts on one of them."""

    sights: Sights
    acting: Acting
    starting: Starting
    observer: Observer

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """List the services in their order, then what stands under the name of one that is missing, then the Admin."""
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                services = await self.sights.services()
                health = await asyncio.gather(*(self.observer.see(one) for one in services))
                own = await self.sights.look(self.sights.own) if self.sights.own else None
                meant = await asyncio.to_thread(images_by_name, self.sights.place.compose_file)
                missing = sorted(set(meant) - {one.name for one in services})
                found = {name: await self.sights.look(name) for name in missing}
        except UnaskedError as error:
            return error.unseen
        except (DockerError, TimeoutError):
            return NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)
        shown = [self._shown(one.name, one.container, seen.health) for one, seen in zip(services, health, strict=True)]
        # A name that is the beginning of an id finds that container: only who bears the name itself stands under it.
        shown += [self._shown(name, one if one and one.name == name else None) for name, one in found.items()]
        if own is not None and all(row.container != own.name for row in shown):
            shown.append(self._shown(ADMIN, own))
        return tuple(shown)

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Act on one service. Raises `UnaskedError` or `DockerError` when nobody can say what came of it."""
        container = await self._container(service)
        if isinstance(container, EngineFailure):
            return container
        report(Progress(step="control", detail=service))
        return await self._act(container, action) or Done()

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        """Give the last lines of a service's log, masked; none for a name that no service has. Never raises."""
        try:
            services = await self.sights.services()
            container = next((one.container for one in services if one.name == service), None)
            async with self.sights.daemon.asked() as docker:
                return () if container is None else await printed(docker, container.id, lines)
        except (UnaskedError, DockerError):
            return ()

    async def _container(self, service: str) -> Container | EngineFailure:
        found = await self.sights.look(service)
        holder = found if found and found.name == service else None
        if holder is None and service == ADMIN and self.sights.own:
            return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail=service)
        if holder is None:
            return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=service)
        if is_own(holder, self.sights.own):
            return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail=service)
        return holder if self._is_ours(service, holder) else EngineFailure(code=Code.CONTAINER_NAME_CONFLICT)

    async def _act(self, container: Container, action: ContainerAction) -> EngineFailure | None:
        match action:
            case ContainerAction.STOP:
                return await self.acting.stop(container)
            case ContainerAction.START:
                return await self.starting.run(known(container.labels), container)
            case ContainerAction.RESTART:
                begun = await self.acting.restart(container)
        told = known(container.labels)
        return begun if isinstance(begun, EngineFailure) else await self.starting.until_it_answers(told, begun)

    def _is_ours(self, service: str, holder: Container) -> bool:
        return (holder.labels.get(SITE), holder.labels.get(SERVICE)) == (self.sights.place.site, service)

    def _shown(self, service: str, one: Container | None, health: Health = Health.UNKNOWN) -> ServiceContainer:
        own = one is not None and is_own(one, self.sights.own)
        return ServiceContainer(
            service=service,
            container=one.name if one else None,
            image=(one.image or None) if one else None,
            image_id=(one.image_id or None) if one else None,
            state=state_of(one) if one else ServiceState.ABSENT,
            health=health,
            started_at=whole(one.started_at) if one else None,
            ours=own or one is None or self._is_ours(service, one),
            protected=own,
        )
