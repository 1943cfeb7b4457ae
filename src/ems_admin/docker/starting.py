"""Starting the services of a site: each step is found by looking, so that a start can be entered again anywhere.

What runs from the same definition is left alone. A service that changes is stopped and put aside under another name,
where it holds its image until the operation is over; then its successor is created and started. A kill between any two
of these leaves containers that tell by their names and labels how far it came.

Source: `site.md` 8 (start); `faults.md` F21, F22, F24, F27, F31, F44.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from ems_admin.docker.acting import Acting
from ems_admin.docker.carrying import missing_networks, predecessor_of
from ems_admin.docker.containers import Container, Doing, look
from ems_admin.docker.definition import Definition, Known, known
from ems_admin.docker.images import find
from ems_admin.docker.labels import BUILD_ID, SERVICE, SITE, aside_name
from ems_admin.docker.own_container import is_own
from ems_admin.docker.planning import next_port
from ems_admin.docker.reaching import is_well
from ems_admin.docker.sights import Sights
from ems_admin.engines.asking import Answer
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report

POLL: Final = timedelta(milliseconds=100)
ASKED_FOR_ONE_LOOK: Final = 4
LOOKS_FOR_AN_END: Final = 150
ONE_ANSWER: Final = timedelta(seconds=1)
OTHER_PORTS: Final = 20
"""That are tried for a service without one of its own, when somebody outside of the daemon has taken them."""


@frozen(kw_only=True)
class Starting:
    """Brings one service after the other into the condition that is wanted."""

    sights: Sights
    acting: Acting

    async def obstacle(self, stack: Collection[Definition]) -> EngineFailure | None:
        """Find what would keep a service from being started: an image that is gone, a name that somebody else bears."""
        async with self.sights.daemon.asked() as docker:
            if missing := await self.missing(stack):
                return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=missing[0])
            for one in stack:
                holder = await look(docker, one.service)
                if holder is None or holder.name != one.service:
                    continue
                if is_own(holder, self.sights.own):
                    return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail=one.service)
                if (holder.labels.get(SITE), holder.labels.get(SERVICE)) != (one.site, one.service):
                    return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=one.service)
        return None

    async def missing(self, stack: Collection[Definition]) -> tuple[str, ...]:
        """Name the services with nothing to run from: no image, and no container that was put aside and holds it."""
        ours = await self.sights.ours()
        async with self.sights.daemon.asked() as docker:
            gone = [
                one.service
                for one in stack
                if not any(one.is_of(container) for container in ours) and await find(docker, one.reference) is None
            ]
        return tuple(gone)

    async def make_room(self, stack: Collection[Definition]) -> EngineFailure | None:
        """Stop and put aside, against the order of start, what is not to go on as it is."""
        wanted = {one.service: one for one in stack}
        if failure := await self.halt_strays():
            return failure
        for service in reversed(await self.sights.services()):
            definition = wanted.get(service.name)
            if definition is not None and definition.is_of(service.container):
                continue
            if failure := await self.put_aside(service.container):
                return failure
        return None

    async def halt_strays(self) -> EngineFailure | None:
        """Stop what runs for a service under another name: one that was put aside and then started by hand."""
        for one in await self.sights.ours():
            if one.name != one.labels.get(SERVICE) and one.runs and (failure := await self.acting.stop(one)):
                return failure
        return None

    async def stop_all(self, report: Report) -> Done | EngineFailure:
        """Stop every service, against the order of start, and what was put aside and runs all the same."""
        if failure := await self.halt_strays():
            return failure
        services = await self.sights.services()
        report(Progress(step="stop", detail=", ".join(one.name for one in reversed(services)) or None))
        for service in reversed(services):
            if failure := await self.acting.stop(service.container):
                return failure
        return Done()

    async def put_aside(self, container: Container) -> EngineFailure | None:
        """Stop a container, and give its name free. What was put aside for the same build before goes."""
        service, build = container.labels.get(SERVICE, container.name), container.labels.get(BUILD_ID, "")
        if failure := await self.acting.stop(container):
            return failure
        name = aside_name(service, build)
        for other in await self.sights.ours():
            if other.name == name and other.id != container.id and (failure := await self._clear(other)):
                return failure
        return await self.acting.rename(container, name)

    async def bring(self, wanted: Definition, *, besides: frozenset[int] | None) -> Definition | EngineFailure:
        """Have one service run, and give the definition that it runs from.

        Where its port is not fixed and somebody has taken it, the next one is, `besides` these; `None` for a fixed one.
        """
        for _ in range(OTHER_PORTS):
            container = await self._have(wanted)
            if isinstance(container, EngineFailure):
                return container
            failure = await self._carry_over(wanted, container) or await self.run(known(wanted.labels), container)
            if failure is None:
                return wanted
            if failure.code is not Code.CONTAINER_PORT_CONFLICT or besides is None:
                return failure
            # One that has run before holds its image: it only steps aside.
            fresh = container.doing is Doing.CREATED
            if stuck := await (self.acting.remove(container) if fresh else self.put_aside(container)):
                return stuck
            wanted = evolve(wanted, published=next_port(wanted.published + 1, besides))
        return EngineFailure(code=Code.CONTAINER_PORT_CONFLICT, detail=wanted.service)

    async def _have(self, wanted: Definition) -> Container | EngineFailure:
        """Find the container of a definition, bring it back from aside, or create it."""
        ours = await self.sights.ours()
        named = next((one for one in ours if one.name == wanted.service), None)
        if named is not None and wanted.is_of(named):
            return named
        if named is not None and (failure := await self.put_aside(named)):
            return failure
        before = next((one for one in ours if one.id != (named and named.id) and wanted.is_of(one)), None)
        if before is not None:
            failure = await self.acting.rename(before, wanted.service)
            return failure or evolve(before, name=wanted.service)
        return await self.acting.create(wanted)

    async def _carry_over(self, wanted: Definition, container: Container) -> EngineFailure | None:
        """Let a container that has never run join what its predecessor had joined beside its definition (F25)."""
        ours = await self.sights.ours() if container.doing is Doing.CREATED else ()
        predecessor = predecessor_of(wanted, ours)
        for joined in missing_networks(wanted, container, predecessor) if predecessor else ():
            if failure := await self.acting.join(container, joined):
                return failure
        return None

    async def run(self, told: Known, container: Container) -> EngineFailure | None:
        """Start a container unless it runs, and see that it answers or at least lives through its start period."""
        if container.doing in {Doing.RUNNING, Doing.RESTARTING}:
            return None
        begun = await self.acting.start(container)
        return begun if isinstance(begun, EngineFailure) else await self.until_it_answers(told, begun)

    async def until_it_answers(self, told: Known, now: Container) -> EngineFailure | None:
        """Wait until it answers anything. How well it is, is asked later; that it ended, is told at once."""
        clock = self.sights.clock
        deadline = clock.boottime() + told.start_period.total_seconds()
        seen: Container | None = now
        while seen is not None:
            if seen.doing is not Doing.RUNNING or seen.restarts:
                return await self.sights.ended(await self._at_its_end(seen), code=Code.EMS_START_FAILED)
            # To look costs the machine more than to ask, and it has just begun to start something.
            for _ in range(ASKED_FOR_ONE_LOOK):
                if await is_well(self.sights.where(seen), told, ONE_ANSWER) is not Answer.SILENT:
                    return None
                if clock.boottime() >= deadline:
                    return None
                await clock.sleep(POLL)
            seen = await self.sights.look(now.id)
        return EngineFailure(code=Code.EMS_START_FAILED, detail=told.service)

    async def _at_its_end(self, seen: Container) -> Container:
        """Wait a moment for a container in a restart loop to end once more: only then does it tell its exit code."""
        for _ in range(LOOKS_FOR_AN_END):
            if seen.doing is not Doing.RUNNING:
                break
            await self.sights.clock.sleep(POLL)
            seen = await self.sights.look(seen.id) or seen
        return seen

    async def _clear(self, container: Container) -> EngineFailure | None:
        return await self.acting.stop(container) or await self.acting.remove(container)
