"""The replacement of an Admin in memory: updaters, Admins and their names, all of which survive a power cut."""

from __future__ import annotations

from attrs import define

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Report
from ems_admin.workflows.ports.replacement import (
    Launch,
    Moved,
    SeenUpdater,
    Silence,
    Snapshot,
    UpdaterState,
    Verification,
)
from tests.memory.world import Call, Step, World

NOT_YET = EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)


@define(kw_only=True)
class MemoryReplacement:
    """Implements `Launcher` and `Mover`."""

    world: World

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        return NOT_YET

    async def own_image(self) -> str | None:
        return None

    async def own_name(self, operation_id: str) -> OwnName:
        return OwnName.HELD

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        await Step(Call("look at the updater"))
        return SeenUpdater(state=UpdaterState.EXITED if claimed else UpdaterState.ABSENT)

    async def others(self, operation_id: str) -> Activity:
        return Activity.INACTIVE

    async def create(self, launch: Launch) -> Done | EngineFailure:
        return Done()

    async def start(self, launch: Launch) -> Done | EngineFailure:
        return NOT_YET

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        return Done()

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        return Done()

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        return Done()

    def container(self) -> str:
        return "updater"

    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure | Silence:
        return NOT_YET

    async def fence(self, run: Run) -> Moved:
        return Done()

    async def stop_predecessor(self, run: Run) -> Moved:
        return NOT_YET

    async def set_aside(self, run: Run) -> Moved:
        return Done()

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        return NOT_YET

    async def start_successor(self, run: Run) -> Moved:
        return NOT_YET

    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure | Silence:
        return NOT_YET

    async def name_successor(self, run: Run) -> Moved:
        return Done()

    async def unfence_successor(self, run: Run) -> Moved:
        return Done()

    async def remove_predecessor(self, run: Run) -> Moved:
        return Done()

    async def remove_successor(self, run: Run) -> Moved:
        return NOT_YET

    async def restore_predecessor(self, run: Run) -> Moved:
        return NOT_YET

    async def running_image(self, run: Run) -> str | Silence | None:
        return None

    async def revive_predecessor(self) -> Moved:
        return NOT_YET

    async def retire(self) -> Moved:
        return Done()
