"""The hand of the Admin in memory: it creates and starts updaters, and looks after them."""

from __future__ import annotations

from attrs import define

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import UpdaterExit
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.replacement import Launch, SeenUpdater, Silence, Unstarted, UpdaterState
from tests.memory.hands import Hand, failing_loudly
from tests.memory.host import ADMIN_NAME, Container, Doing, Kind

STATES = {
    Doing.CREATED: UpdaterState.CREATED,
    Doing.RUNNING: UpdaterState.RUNNING,
    Doing.EXITED: UpdaterState.EXITED,
}


@define(kw_only=True)
class MemoryLauncher(Hand):
    """Implements `Launcher`."""

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        for step in ("place", "image", "digest", "smoke"):
            report(Progress(step=step))
            answer = failing_loudly(await self.done(f"prepare {step}", lambda: None))
            if isinstance(answer, EngineFailure):
                return answer
        return Done()

    async def own_image(self) -> str | None:
        return self.own.image if self.own else None

    async def own_name(self, operation_id: str) -> OwnName:
        answer = await self.act("own name", lambda: self.own)
        if answer is None or isinstance(answer, EngineFailure | Silence):
            return OwnName.UNKNOWN
        return OwnName.HELD if answer.name == ADMIN_NAME else OwnName.SET_ASIDE

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        answer = await self.act("look at the updater", lambda: self._updater(operation_id, attempt))
        if isinstance(answer, EngineFailure | Silence):
            return SeenUpdater(state=UpdaterState.UNKNOWN)
        if answer is None:
            return SeenUpdater(state=UpdaterState.ABSENT)
        exited = UpdaterExit(code=answer.exit_code or 0, oom=False, log=())
        return SeenUpdater(
            state=STATES[answer.doing],
            restarts=answer.restarts,
            exit=exited if answer.doing is Doing.EXITED else None,
        )

    async def others(self, operation_id: str) -> Activity:
        answer = await self.act("look for other updaters", self.host.updaters)
        if isinstance(answer, EngineFailure | Silence):
            return Activity.UNKNOWN
        running = any(found.runs and found.operation_id != operation_id for found in answer)
        return Activity.ACTIVE if running else Activity.INACTIVE

    async def unstarted(self) -> tuple[Unstarted, ...] | None:
        answer = await self.act("look for unstarted updaters", self.host.updaters)
        if isinstance(answer, EngineFailure | Silence):
            return None
        return tuple(
            Unstarted(operation_id=found.operation_id, attempt=found.attempt)
            for found in answer
            if found.doing is Doing.CREATED
        )

    async def create(self, launch: Launch) -> Done | EngineFailure:
        held: list[Container] = []

        def create() -> None:
            holder = self.host.named(launch.container)
            if holder is None:
                self.host.containers[launch.container] = Container(
                    id=launch.container,
                    name=launch.container,
                    kind=Kind.UPDATER,
                    image=launch.image or "",
                    operation_id=launch.operation_id,
                    attempt=launch.attempt,
                    predecessor=self.me,
                )
            elif holder.kind is not Kind.UPDATER:
                held.append(holder)

        answer = failing_loudly(await self.done("create updater", create))
        return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT) if held else answer

    async def start(self, launch: Launch) -> Done | EngineFailure:
        def start() -> bool:
            updater = self._updater(launch.operation_id, launch.attempt)
            return updater is not None and self.host.start(updater)

        answer = await self.act("start updater", start)
        if answer is False:
            return EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)
        return failing_loudly(answer if isinstance(answer, EngineFailure | Silence) else Done())

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        def discard() -> bool:
            updater = self._updater(operation_id, attempt)
            if updater is not None and not updater.runs:
                del self.host.containers[updater.id]
            return updater is None or not updater.runs

        answer = await self.act("discard updater", discard)
        if answer is False:
            return EngineFailure(code=Code.REPLACEMENT_ACTIVE)
        return failing_loudly(answer if isinstance(answer, EngineFailure | Silence) else Done())

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        def fence() -> None:
            if (updater := self._updater(operation_id, attempt)) is not None:
                updater.restarts_by_itself = False

        def stop() -> None:
            if (updater := self._updater(operation_id, attempt)) is not None:
                self.host.stop(updater)

        fenced = failing_loudly(await self.done("fence updater", fence))
        return fenced if isinstance(fenced, EngineFailure) else failing_loudly(await self.done("stop updater", stop))

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        def forget() -> None:
            for updater in self.host.updaters(operation_id):
                if not updater.runs:
                    del self.host.containers[updater.id]

        return failing_loudly(await self.done("forget updaters", forget))

    def _updater(self, operation_id: str, attempt: int) -> Container | None:
        """Find the one of this attempt; a running one of an earlier attempt counts as it."""
        found = self.host.updaters(operation_id)
        running = [updater for updater in found if updater.runs]
        exact = [updater for updater in found if updater.attempt == attempt]
        return next(iter((*running, *exact)), None)
