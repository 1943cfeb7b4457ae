"""The services of a site one by one: listed for people, and started, stopped or restarted by them as they are.

A stop by a person is noted as such before the process hears of it, and the note stays: no start of an Admin revives
the service, and a cut in between is finished at the next one (`docs/adr` 43). A start by a person or an operation
lifts it.

Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F19, F27.
"""

from __future__ import annotations

import asyncio

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native import programs, stack_file
from ems_admin.native.ending import Ending
from ems_admin.native.observing import Observer
from ems_admin.native.processes import Life
from ems_admin.native.register import Entries
from ems_admin.native.sights import Sights
from ems_admin.native.stack_file import StackFile, StackService
from ems_admin.native.starting import Starting
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.services import Health, NotSeen, SeenService, ServiceContainer, ServiceState


@frozen(kw_only=True)
class Controlling:
    """Lists the services of a site, and acts on one of them."""

    sights: Sights
    starting: Starting
    ending: Ending
    observer: Observer

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """List what the stack names and what was started, in the order of start. Never raises."""
        observation = await self.observer.observe()
        if isinstance(observation, NotSeen):
            return observation
        file = await asyncio.to_thread(stack_file.read, self.sights.place)
        seen = {one.service: one for one in observation.services}
        names = dict.fromkeys((*(one.name for one in file.services), *seen))
        return tuple(_shown(name, seen.get(name), file) for name in names)

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Act on one service; whatever an earlier cut has left of any is settled first."""
        entries = await self.starting.settle_cut()
        if isinstance(entries, EngineFailure):
            return entries
        report(Progress(step="control", detail=service))
        if action is ContainerAction.STOP:
            return await self.ending.halt(service) or Done()
        planned = await self._planned(service, entries)
        if isinstance(planned, EngineFailure):
            return planned
        if action is ContainerAction.START and (await self._life(service, entries)) is Life.ALIVE:
            return Done()
        return await self.ending.end((service,)) or await self.starting.begin(planned)

    async def _planned(self, service: str, entries: Entries) -> StackService | EngineFailure:
        """Find how a service is run, as it was: a stack that was written for another build starts nothing here."""
        file = await asyncio.to_thread(stack_file.read, self.sights.place)
        planned, entry = file.get(service), entries.get(service)
        if planned is None:
            return EngineFailure(code=Code.EMS_NOT_RUNNING, detail=service)
        if entry is not None and not _is_of(entry, planned):
            return EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=service)
        root = self.sights.place.install_root / planned.program
        verified = await asyncio.to_thread(programs.verify_tree, root, planned.digest, service)
        return verified if isinstance(verified, EngineFailure) else planned

    async def _life(self, service: str, entries: Entries) -> Life:
        if service not in entries or entries[service].phase is not ServicePhase.RUNNING:
            return Life.GONE
        return (await asyncio.to_thread(self.sights.look, service, entries[service])).life


def _is_of(entry: NativeService, planned: StackService) -> bool:
    return (entry.build_id, entry.program_sha256) == (planned.build_id, planned.digest)


def _shown(name: str, seen: SeenService | None, file: StackFile) -> ServiceContainer:
    planned = file.get(name)
    digest = seen.digest if seen else planned.digest if planned else None
    return ServiceContainer(
        service=name,
        container=None,
        image=None,
        image_id=digest,
        state=seen.state if seen else ServiceState.ABSENT,
        health=seen.health if seen else Health.UNKNOWN,
        started_at=seen.started_at if seen else None,
        ours=True,
        protected=False,
    )
