"""The hand of the Admin that is replaced natively. Source: `replacement.md` 7.8."""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Transition
from ems_admin.native.place import Place
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Report
from ems_admin.workflows.ports.replacement import Launch, SeenUpdater, UpdaterState

NOT_YET = EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)


@frozen(kw_only=True)
class NativeLauncher:
    """Implements `Launcher`."""

    place: Place

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        """Make ready what can be made ready."""
        return NOT_YET

    async def own_image(self) -> str | None:
        """Natively there is none."""
        return None

    async def own_name(self, operation_id: str) -> OwnName:
        """Nothing takes the name of a program."""
        return OwnName.HELD

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        """Look at the lock."""
        return SeenUpdater(state=UpdaterState.EXITED if claimed else UpdaterState.ABSENT)

    async def others(self, operation_id: str) -> Activity:
        """Look at the other locks."""
        return Activity.INACTIVE

    async def create(self, launch: Launch) -> Done | EngineFailure:
        """There is no *created* here."""
        return Done()

    async def start(self, launch: Launch) -> Done | EngineFailure:
        """Start the process."""
        return NOT_YET

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Nothing to remove."""
        return Done()

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Stop the process."""
        return Done()

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        """Remove the lock files."""
        return Done()
