"""Starting a service: `starting` durable → spawn → `running` durable → it accepts connections.

The Admin may be killed after any of these steps. The child carries the id of its start in its environment, so that
the next Admin finds it, or finds that there is none: it adopts or forgets, and starts nothing twice.

Source: `site.md` 4 (native services), 8; `faults.md` F22, F41, F44.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import structlog
from attrs import evolve, frozen

from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native import children, logs, sockets
from ems_admin.native.ending import Ending
from ems_admin.native.place import MARKER
from ems_admin.native.processes import Identity, Life, Unaskable
from ems_admin.native.register import SETTLEMENT, Cut, Entries, Settlement
from ems_admin.native.salvaging import Salvage
from ems_admin.native.sights import UNREACHABLE, Sighting, Sights
from ems_admin.native.stack_file import StackService
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.running import Ids

POLL: Final = timedelta(milliseconds=50)

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Starting:
    """Starts services, and settles the starts and stops that were cut."""

    sights: Sights
    ending: Ending
    ids: Ids

    async def settle_cut(self) -> Entries | EngineFailure:
        """Settle by looking whatever a kill of the Admin has cut, and give the entries that stand then."""
        entries = await self.sights.register.read()
        if isinstance(entries, EngineFailure):
            if failure := await Salvage(sights=self.sights).write_anew(entries):
                return failure
            entries = await self.sights.register.read()
        if isinstance(entries, EngineFailure):
            return entries
        for name, seen in (await self.sights.look_at(entries)).items():
            if failure := await self._settle(name, entries[name], seen):
                return failure
        return await self.sights.register.read()

    async def _settle(self, name: str, entry: NativeService, seen: Sighting) -> EngineFailure | None:
        settlement = SETTLEMENT.classify(Cut(entry.phase, seen.life))
        if settlement is not Settlement.KEEP:
            _log.info("native service settled", service=name, phase=entry.phase, process=seen.life, to=settlement)
        match settlement:
            case Settlement.KEEP:
                return None
            case Settlement.LEAVE:
                return UNREACHABLE
            case Settlement.FORGET:
                return await self.sights.register.forget(name, entry.attempt)
            case Settlement.ADOPT if seen.identity is not None:
                return await self.sights.register.put(name, _running(entry, seen.identity))
            case Settlement.HALT:
                return await self.ending.halt(name)
            case Settlement.ADOPT | Settlement.STOP:
                return await self.ending.end((name,))

    async def begin(self, service: StackService) -> Done | EngineFailure:
        """Start a service that has no entry, and wait until it accepts connections or its start period is over."""
        if not sockets.is_free(service.port):
            return EngineFailure(code=Code.EMS_START_FAILED, detail="port_in_use")
        try:
            async with asyncio.timeout(self.sights.limits.start_or_stop.total_seconds()):
                await asyncio.to_thread(self._begin_log, service)
                return await self._begin(service, self._intended(service))
        except TimeoutError:
            return EngineFailure(code=Code.OPERATION_STALLED, detail=service.name)
        except Unaskable:
            return UNREACHABLE
        except OSError as error:
            return disk_failure(error)

    async def _begin(self, service: StackService, entry: NativeService) -> Done | EngineFailure:
        register = self.sights.register
        if failure := await register.put(service.name, entry):
            return failure
        try:
            # In this thread on purpose: a cancelled start must not go on behind the back of the next one.
            pid = children.spawn(self._spawn(service, entry))
        except OSError:
            await register.forget(service.name, entry.attempt)
            said = f"{service.name} cannot be executed"
            return EngineFailure(code=Code.EMS_START_FAILED, detail=service.name, message=said)
        identity = self.sights.processes.find(pid)
        if identity is None:
            raise Unaskable
        if failure := await register.put(service.name, _running(entry, identity)):
            return await self._take_back(service.name, entry, failure)
        return await self._until_listening(service, identity)

    def _begin_log(self, service: StackService) -> None:
        log = self.sights.place.log(service.name)
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        logs.keep_within_bounds(log)
        now = self.sights.clock.now().isoformat()
        logs.begin_chapter(log, f"{service.name} of {service.build_id} starts at {now}")

    def _intended(self, service: StackService) -> NativeService:
        return NativeService(
            build_id=service.build_id,
            program_sha256=service.digest,
            attempt=self.ids.operation(),
            pid=None,
            start_ticks=None,
            boot_id=self.sights.processes.boot_id(),
            port=service.port,
            phase=ServicePhase.STARTING,
            since=self.sights.clock.now(),
        )

    def _spawn(self, service: StackService, entry: NativeService) -> children.Spawn:
        place = self.sights.place
        return children.Spawn(
            command=service.command,
            directory=place.install_root / service.program,
            environment={**service.environment, MARKER: place.marker(service.name, entry.attempt)},
            log=place.log(service.name),
        )

    async def _take_back(self, name: str, entry: NativeService, failure: EngineFailure) -> EngineFailure:
        """Undo a start whose second step is proved absent. One that nobody can prove stands, and is settled later."""
        if failure.code is not Code.STATE_COMMIT_UNPROVABLE:
            await self.ending.end_processes(name, entry)
            await self.sights.register.forget(name, entry.attempt)
        return failure

    async def _until_listening(self, service: StackService, identity: Identity) -> Done | EngineFailure:
        processes, period = self.sights.processes, service.start_period.total_seconds()
        while True:
            if processes.life(identity) is Life.GONE:
                gone = self.sights.ended(service.name, identity, code=Code.EMS_START_FAILED)
                return gone if sockets.is_free(service.port) else evolve(gone, detail="port_in_use")
            if await sockets.is_listening(service.port) or processes.age(identity) > period:
                return Done()
            await self.sights.clock.sleep(POLL)


def _running(entry: NativeService, identity: Identity) -> NativeService:
    return evolve(
        entry,
        phase=ServicePhase.RUNNING,
        pid=identity.pid,
        start_ticks=identity.start_ticks,
        boot_id=identity.boot_id,
    )
