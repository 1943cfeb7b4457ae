"""One service from its start to its end: what is intended is durable first, then it is done, then it is looked at.

The steps of a start are: `starting` durable → spawn → `running` durable. The Admin may be killed after any of them:
the child carries the id of its start in its environment, so that the next one finds it, or finds that there is none.

Source: `site.md` 4 (native services), 8; `faults.md` F22, F27, F44.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native import children, logs, sockets
from ems_admin.native.disk import disk_failure
from ems_admin.native.place import MARKER, Place
from ems_admin.native.processes import Identity, Life, Processes, Unaskable
from ems_admin.native.register import SETTLEMENT, Cut, Entries, Register, Settlement
from ems_admin.native.stack_file import StackService
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.running import Clock, Ids

POLL: Final = timedelta(milliseconds=50)
LINES_OF_A_FAILURE: Final = 10
UNREACHABLE: Final = EngineFailure(code=Code.SERVICE_MANAGER_UNREACHABLE)


@frozen(kw_only=True)
class Limits:
    """How long things may take."""

    grace: timedelta = timedelta(seconds=30)
    """Between the request to end and the kill."""
    start_or_stop: timedelta = timedelta(seconds=240)
    """Of one service; then it is `operation_stalled`."""
    dashboard: timedelta = timedelta(seconds=10)
    """For a dashboard, once its service is well."""


@frozen(kw_only=True)
class Sighting:
    """What was seen of the process of an entry."""

    life: Life
    identity: Identity | None
    """`None` when no process is known."""


@frozen(kw_only=True)
class Services:
    """The services of one site. One caller at a time: the engine sees to that."""

    place: Place
    register: Register
    processes: Processes
    clock: Clock
    ids: Ids
    limits: Limits

    def look(self, name: str, entry: NativeService) -> Sighting:
        """Look for the process of an entry. Reads `/proc` and nothing else."""
        try:
            if entry.boot_id is not None and entry.boot_id != self.processes.boot_id():
                return Sighting(life=Life.GONE, identity=None)  # no process outlives a boot
            if entry.pid is None or entry.start_ticks is None or entry.boot_id is None:
                found = self.processes.carriers(self.place.marker(name, entry.attempt))
                return Sighting(life=Life.ALIVE if found else Life.GONE, identity=found[0] if found else None)
        except Unaskable:
            return Sighting(life=Life.UNKNOWN, identity=None)
        identity = Identity(pid=entry.pid, start_ticks=entry.start_ticks, boot_id=entry.boot_id)
        return Sighting(life=self.processes.life(identity), identity=identity)

    async def look_at(self, entries: Entries) -> Mapping[str, Sighting]:
        """Look for the processes of all entries."""
        return await asyncio.to_thread(lambda: {name: self.look(name, entry) for name, entry in entries.items()})

    async def settle_cut(self) -> Entries | EngineFailure:
        """Settle by looking whatever a kill of the Admin has cut, and give the entries that stand then."""
        entries = await self.register.read()
        if isinstance(entries, EngineFailure):
            return entries
        for name, seen in (await self.look_at(entries)).items():
            failure = await self._settle(name, entries[name], seen)
            if failure is not None:
                return failure
        return await self.register.read()

    async def _settle(self, name: str, entry: NativeService, seen: Sighting) -> EngineFailure | None:
        match SETTLEMENT.classify(Cut(entry.phase, seen.life)):
            case Settlement.KEEP:
                return None
            case Settlement.LEAVE:
                return UNREACHABLE
            case Settlement.FORGET:
                return await self.register.forget(name, entry.attempt)
            case Settlement.ADOPT if seen.identity is not None:
                return await self.register.put(name, _running(entry, seen.identity))
            case Settlement.ADOPT | Settlement.STOP:
                return await self.end((name,))

    async def begin(self, service: StackService) -> Done | EngineFailure:
        """Start a service that has no entry, and wait until it accepts connections or its start period is over."""
        try:
            async with asyncio.timeout(self.limits.start_or_stop.total_seconds()):
                return await self._begin(service)
        except TimeoutError:
            return EngineFailure(code=Code.OPERATION_STALLED, detail=service.name)
        except Unaskable:
            return UNREACHABLE
        except OSError as error:
            return disk_failure(error)

    async def _begin(self, service: StackService) -> Done | EngineFailure:
        if not sockets.is_free(service.port):
            return EngineFailure(code=Code.EMS_START_FAILED, detail="port_in_use")
        log = self.place.log(service.name)
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        logs.keep_within_bounds(log)
        logs.begin_chapter(log, f"{service.name} of {service.build_id} starts at {self.clock.now().isoformat()}")
        entry = NativeService(
            build_id=service.build_id,
            program_sha256=service.digest,
            attempt=self.ids.operation(),
            pid=None,
            start_ticks=None,
            boot_id=self.processes.boot_id(),
            port=service.port,
            phase=ServicePhase.STARTING,
            since=self.clock.now(),
        )
        if failure := await self.register.put(service.name, entry):
            return failure
        try:
            # In this thread on purpose: a cancelled start must not go on behind the back of the next one.
            pid = children.spawn(self._spawn(service, entry))
        except OSError:
            await self.register.forget(service.name, entry.attempt)
            return EngineFailure(
                code=Code.EMS_START_FAILED, detail=service.name, message=f"{service.name} cannot be executed"
            )
        identity = self.processes.find(pid)
        if identity is None:
            raise Unaskable
        if failure := await self.register.put(service.name, _running(entry, identity)):
            return await self._take_back(service.name, entry, failure)
        return await self._until_listening(service, identity)

    def _spawn(self, service: StackService, entry: NativeService) -> children.Spawn:
        return children.Spawn(
            command=service.command,
            directory=self.place.install_root / service.program,
            environment={**service.environment, MARKER: self.place.marker(service.name, entry.attempt)},
            log=self.place.log(service.name),
        )

    async def _take_back(self, name: str, entry: NativeService, failure: EngineFailure) -> EngineFailure:
        """Undo a start whose second step is proved absent. One that nobody can prove stands, and is settled later."""
        if failure.code is not Code.STATE_COMMIT_UNPROVABLE:
            await self._end_processes(name, entry)
            await self.register.forget(name, entry.attempt)
        return failure

    async def _until_listening(self, service: StackService, identity: Identity) -> Done | EngineFailure:
        period = service.start_period.total_seconds()
        while True:
            if self.processes.life(identity) is Life.GONE:
                gone = self.ended(service.name, identity, code=Code.EMS_START_FAILED)
                return gone if sockets.is_free(service.port) else evolve(gone, detail="port_in_use")
            if await sockets.is_listening(service.port) or self.processes.age(identity) > period:
                return Done()
            await self.clock.sleep(POLL)

    def ended(self, name: str, identity: Identity, *, code: Code) -> EngineFailure:
        """Say how a service ended and what it said last. The install root is not named: a view may show this."""
        said = logs.last_words(self.place.log(name), LINES_OF_A_FAILURE)
        number = children.exit_code(identity.pid)
        how = f"{name} ended" if number is None else f"{name} ended with exit code {number}"
        message = "\n".join((how, *said)).replace(str(self.place.install_root), ".")
        return EngineFailure(code=code, detail=name, message=message)

    async def end(self, names: tuple[str, ...]) -> EngineFailure | None:
        """End services in this order; that they are to end is durable before the first of them hears of it."""
        entries = await self.register.read()
        if isinstance(entries, EngineFailure):
            return entries
        names = tuple(name for name in names if name in entries)
        if failure := await self.register.change(lambda now: {n: _stopping(e, n in names) for n, e in now.items()}):
            return failure
        for name in names:
            try:
                async with asyncio.timeout(self.limits.start_or_stop.total_seconds()):
                    await self._end_processes(name, entries[name])
            except TimeoutError:
                return EngineFailure(code=Code.OPERATION_STALLED, detail=name)
            except Unaskable:
                return UNREACHABLE
            if failure := await self.register.forget(name, entries[name].attempt):
                return failure
        return None

    async def _end_processes(self, name: str, entry: NativeService) -> None:
        """End the process of an entry, then whatever it has left behind: that carries the same mark."""
        seen = await asyncio.to_thread(self.look, name, entry)
        if seen.life is Life.UNKNOWN:
            raise Unaskable
        if seen.identity is not None:
            await self._end_process(seen.identity)
        for left in await asyncio.to_thread(self.processes.carriers, self.place.marker(name, entry.attempt)):
            await self._end_process(left)

    async def _end_process(self, identity: Identity) -> None:
        patience = self.clock.boottime() + self.limits.grace.total_seconds()
        life, killed = self.processes.send(identity, signal.SIGTERM), False
        while life is not Life.GONE:
            if life is Life.UNKNOWN:
                raise Unaskable
            if not killed and self.clock.boottime() >= patience:
                self.processes.send(identity, signal.SIGKILL)
                killed = True
            await self.clock.sleep(POLL)
            life = self.processes.life(identity)
        children.exit_code(identity.pid)  # lets the kernel forget it


def _running(entry: NativeService, identity: Identity) -> NativeService:
    return evolve(
        entry,
        phase=ServicePhase.RUNNING,
        pid=identity.pid,
        start_ticks=identity.start_ticks,
        boot_id=identity.boot_id,
    )


def _stopping(entry: NativeService, is_to_end: bool) -> NativeService:  # noqa: FBT001  # read as one word
    return evolve(entry, phase=ServicePhase.STOPPING) if is_to_end else entry
