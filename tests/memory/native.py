"""Both hands of one process, over containers or natively: there a replacement is two programs and a pointer."""

from __future__ import annotations

from attrs import define

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Launch, Moved, SeenUpdater, Silence, Unstarted, UpdaterState
from tests.memory.hands import failing_loudly, started_for
from tests.memory.host import ADMIN_NAME, Container, Doing, Kind
from tests.memory.launching import MemoryLauncher
from tests.memory.moving import GONE, PORT_IN_USE, MemoryMover, old_admin, snapshot_of


@define(kw_only=True)
class MemoryReplacement(MemoryLauncher, MemoryMover):
    """Implements `Launcher` and `Mover`, for the process that runs in the container `me`."""


@define(kw_only=True)
class MemoryNative(MemoryReplacement):
    """The same natively: no name, no policy, no *created*, and every program tree stays. `replacement.md` 7.8."""

    async def own_name(self, operation_id: str) -> OwnName:
        return OwnName.HELD

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        held = await self.act("ask the updater lock", lambda: self._holder(operation_id))
        if isinstance(held, EngineFailure | Silence):
            return SeenUpdater(state=UpdaterState.UNKNOWN)
        gone = UpdaterState.EXITED if claimed else UpdaterState.ABSENT
        return SeenUpdater(state=UpdaterState.RUNNING if held else gone)

    async def unstarted(self) -> tuple[Unstarted, ...]:
        return ()

    async def create(self, launch: Launch) -> Done | EngineFailure:
        return Done()

    async def start(self, launch: Launch) -> Done | EngineFailure:
        def spawn() -> None:
            if self._holder(launch.operation_id) is None:
                self.host.containers[launch.container] = Container(
                    id=launch.container,
                    name=launch.container,
                    kind=Kind.UPDATER,
                    image="",
                    doing=Doing.RUNNING,
                    restarts_by_itself=False,
                    operation_id=launch.operation_id,
                    attempt=launch.attempt,
                    predecessor=self.me,
                )

        return failing_loudly(await self.done("start updater", spawn))

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        held = await self.act("ask the updater lock", lambda: self._holder(operation_id))
        if isinstance(held, EngineFailure | Silence):
            return EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE)
        return EngineFailure(code=Code.REPLACEMENT_ACTIVE) if held else Done()

    async def fence(self, run: Run) -> Moved:
        return Done()

    async def set_aside(self, run: Run) -> Moved:
        return Done()

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        def switch() -> Body:
            self.host.pin = transition.admin_digest
            new = self.host.successor(started_for(run)) or Container(
                id=f"n-{started_for(run)}",
                name=ADMIN_NAME,
                kind=Kind.ADMIN,
                image=transition.admin_digest,
                restarts_by_itself=False,
                started_for=started_for(run),
                lives=self.host.successor_lives,
                whole=self.host.successor_is_whole,
            )
            self.host.containers[new.id] = new
            return Body(id=new.id, image_id=new.image, name=new.name)

        return await self.act("switch the pointer", switch)

    async def name_successor(self, run: Run) -> Moved:
        return Done()

    async def unfence_successor(self, run: Run) -> Moved:
        def start() -> None:
            if not self.host.admins_that_run() and (new := self.host.successor(started_for(run))):
                self.host.start(new)

        return await self.done("keep new admin running", start)

    async def remove_predecessor(self, run: Run) -> Moved:
        return Done()

    async def remove_successor(self, run: Run) -> Moved:
        def stop() -> None:
            if new := self.host.successor(started_for(run)):
                self.host.stop(new)

        return await self.done("stop new admin", stop)

    async def restore_predecessor(self, run: Run) -> Moved:
        def start() -> Moved:
            old = self.host.containers.get(old_admin(run).id)
            if old is None:
                return GONE
            return Done() if self.host.start(old) else PORT_IN_USE

        back = await self.done("switch the pointer back", lambda: setattr(self.host, "pin", snapshot_of(run)["pin"]))
        return await self.act("start old admin", start) if isinstance(back, Done) else back

    async def running_image(self, run: Run) -> str | Silence | None:
        def running() -> str | None:
            return next((found.image for found in self.host.admins_that_run()), None)

        answer = await self.act("which tree runs", running)
        return None if isinstance(answer, EngineFailure) else answer

    async def retire(self) -> Moved:
        return Done()

    async def serve(self) -> None:
        """Run what the pointer names, unless an Admin serves."""

        def start() -> None:
            if not self.host.admins_that_run():
                named = [found for found in self.host.containers.values() if found.image == self.host.pin]
                self.host.start(named[0])

        await self.done("serve", start)

    def _holder(self, operation_id: str) -> Container | None:
        """Find who holds an updater lock of the operation."""
        return next((found for found in self.host.updaters(operation_id) if found.runs), None)
