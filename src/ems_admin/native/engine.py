"""The native engine: the port `Engine`, put together from the files beside this one.

What changes something runs alone: one lock of this object, for one Admin owns a site. What looks takes no lock.

Source: `site.md` 8; `faults.md` D1, F19, F44.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from ems_admin.codec import DecodeError
from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.installed import DeployedImage, EngineKind, NativeServices
from ems_admin.native import logs, planning, programs, pruning, stack_file, updater_locks
from ems_admin.native.controlling import Controlling
from ems_admin.native.ending import Ending
from ems_admin.native.observing import Observer
from ems_admin.native.place import Place, is_plain
from ems_admin.native.planning import Plan
from ems_admin.native.processes import Processes, Unaskable
from ems_admin.native.programs import ServiceProgram
from ems_admin.native.register import Register
from ems_admin.native.sights import Limits, Sights
from ems_admin.native.starting import Starting
from ems_admin.native.watching import Watch
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
from ems_admin.workflows.ports.records import RecordStore
from ems_admin.workflows.ports.running import Clock, Ids
from ems_admin.workflows.ports.services import NotSeen, Observation, ServiceContainer

DEFAULT_LIMITS: Final = Limits()
ANSWER_LIMIT: Final = timedelta(seconds=5)
"""For what is asked of the file system on the way of a view."""


class NativeEngine:
    """Runs the EMS of one site as children of the Admin that outlive it. Implements `Engine`."""

    def __init__(
        self,
        place: Place,
        store: RecordStore[NativeServices],
        *,
        clock: Clock,
        ids: Ids,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Touch nothing yet: `adopt` looks for what an earlier Admin has left."""
        self._place = place
        self._processes = Processes(clock=clock, proc=place.proc)
        self._sights = Sights(
            place=place, register=Register(store=store), processes=self._processes, clock=clock, limits=limits
        )
        self._ending = Ending(sights=self._sights)
        self._starting = Starting(sights=self._sights, ending=self._ending, ids=ids)
        self._watch = Watch(sights=self._sights)
        self._observer = Observer(sights=self._sights)
        self._controlling = Controlling(
            sights=self._sights, starting=self._starting, ending=self._ending, observer=self._observer
        )
        self._alone = asyncio.Lock()

    @property
    def kind(self) -> EngineKind:
        """Native."""
        return EngineKind.NATIVE

    async def status(self) -> EngineStatus:
        """Ask whether the processes of this host can be looked at."""
        try:
            await asyncio.wait_for(asyncio.to_thread(self._processes.boot_id), ANSWER_LIMIT.total_seconds())
        except (Unaskable, TimeoutError):
            return EngineStatus(kind=self.kind, ready=False, code=Code.SERVICE_MANAGER_UNREACHABLE)
        return EngineStatus(kind=self.kind, ready=True)

    async def adopt(self) -> Done | EngineFailure:
        """Settle by looking what a kill of an earlier Admin has cut. For the start-up, before anything is served."""
        async with self._alone:
            settled = await self._starting.settle_cut()
        return settled if isinstance(settled, EngineFailure) else Done()

    async def fetch(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Bring the program trees of a stack out of the release cache and verify them."""
        wanted = programs.programs_of(deployment)
        if isinstance(wanted, EngineFailure):
            return wanted
        async with self._alone:
            for number, one in enumerate(wanted):
                report(Progress(step="fetch", percent=100 * number // len(wanted), detail=one.service.name))
                brought = await asyncio.to_thread(programs.bring, self._place, deployment.manifest, one)
                if isinstance(brought, EngineFailure):
                    return brought
        report(Progress(step="fetch", percent=100))
        return Done()

    def images(self, deployment: Deployment) -> tuple[DeployedImage, ...]:
        """Name the digest of the program tree of each service; nothing for a stack that cannot run natively."""
        wanted = programs.programs_of(deployment)
        if isinstance(wanted, EngineFailure):
            return ()
        return tuple(DeployedImage(service=one.service.name, image=None, digest=one.program.sha256) for one in wanted)

    async def write_stack(self, deployment: Deployment) -> Done | EngineFailure:
        """Write `stack.json`, with the ports chosen."""
        wanted = programs.programs_of(deployment)
        if isinstance(wanted, EngineFailure):
            return wanted
        async with self._alone:
            plan = await self._plan(deployment, wanted)
            return plan if isinstance(plan, EngineFailure) else await self._write(plan)

    async def start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Verify every tree, end what is not to go on as it is, then start what does not run, in order."""
        wanted = programs.programs_of(deployment)
        if isinstance(wanted, EngineFailure):
            return wanted
        async with self._alone:
            for one in wanted:
                verified = await asyncio.to_thread(programs.verify, self._place, deployment.manifest.build_id, one)
                if isinstance(verified, EngineFailure):
                    return verified
            plan = await self._plan(deployment, wanted)
            return plan if isinstance(plan, EngineFailure) else await self._perform(plan, report)

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Watch for `window` that every service stays the very same process."""
        return await self._watch.settle(window, report)

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask every service for its health at its port, then for its dashboard if wanted."""
        return await self._watch.probe(dashboard=dashboard, report=report)

    async def stop(self, report: Report) -> Done | EngineFailure:
        """End every service against the order of start. What a person has stopped before keeps its note."""
        async with self._alone:
            entries = await self._starting.settle_cut()
            if isinstance(entries, EngineFailure):
                return entries
            names = planning.stop_order(stack_file.read(self._place), planning.to_end(entries))
            report(Progress(step="stop", detail=", ".join(names) or None))
            return await self._ending.end(names) or Done()

    async def observe(self) -> Observation:
        """Look at every service."""
        return await self._observer.observe()

    async def present(self, deployment: Deployment) -> bool | NotSeen:
        """Hash every program tree where it would be run."""
        wanted = programs.programs_of(deployment)
        for one in () if isinstance(wanted, EngineFailure) else wanted:
            verified = await asyncio.to_thread(programs.verify, self._place, deployment.manifest.build_id, one)
            if isinstance(verified, EngineFailure):
                return verified.code not in programs.NOT_THERE and NotSeen(code=verified.code)
        return not isinstance(wanted, EngineFailure)

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """List every service."""
        return await self._controlling.containers()

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Act on one service."""
        async with self._alone:
            return await self._controlling.control(service, action, report)

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:  # noqa: ARG002  # a port
        """Find none: processes bear no names that could be taken."""
        return None

    async def clear_conflict(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:  # noqa: ARG002
        """Decline: there is none."""
        return EngineFailure(code=Code.CONTAINER_CONFLICT_CHANGED)

    async def prune(self, builds: frozenset[str]) -> None:
        """Remove program trees of other builds; whatever cannot be read keeps them all."""
        async with self._alone:
            entries = await self._sights.register.read()
            if isinstance(entries, EngineFailure):
                return
            try:
                await asyncio.to_thread(pruning.prune, self._place, builds, entries)
            except (OSError, DecodeError):
                return

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        """Give the last lines of a service's log, masked; none for a name that no service has."""
        if not is_plain(service) or "/" in service:
            return ()
        return await asyncio.to_thread(logs.last_lines, self._place.log(service), lines)

    async def replacement_activity(self, operation_id: str | None) -> Activity:
        """Ask the locks of updaters."""
        try:
            return await asyncio.wait_for(
                asyncio.to_thread(updater_locks.replacement_activity, self._place.state, operation_id),
                ANSWER_LIMIT.total_seconds(),
            )
        except TimeoutError:
            return Activity.UNKNOWN

    async def _plan(self, deployment: Deployment, wanted: tuple[ServiceProgram, ...]) -> Plan | EngineFailure:
        entries = await self._starting.settle_cut()
        if isinstance(entries, EngineFailure):
            return entries
        running = planning.running(entries, await self._sights.look_at(entries))
        if isinstance(running, EngineFailure):
            return running
        return await asyncio.to_thread(planning.plan, self._place, deployment.manifest, wanted, running)

    async def _perform(self, plan: Plan, report: Report) -> Done | EngineFailure:
        if failure := await self._ending.end(plan.ends):
            return failure
        written = await self._write(plan)
        if isinstance(written, EngineFailure):
            return written
        for number, service in enumerate(plan.starts):
            report(Progress(step="start", percent=100 * number // len(plan.starts), detail=service.name))
            begun = await self._starting.begin(service)
            if isinstance(begun, EngineFailure):
                return begun
        report(Progress(step="start", percent=100))
        return Done()

    async def _write(self, plan: Plan) -> Done | EngineFailure:
        try:
            await asyncio.to_thread(stack_file.write, self._place, plan.file)
        except OSError as error:
            return disk_failure(error)
        return Done()
