"""An updater that was looked at once, for a page that asks about it in many places.

An engine that is silent lets each look wait for its limit; a page may not wait for several of them (`faults.md` F19).
"""

from __future__ import annotations

from attrs import define, field

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Report
from ems_admin.workflows.ports.replacement import Launch, Launcher, SeenUpdater, Unstarted


@define(kw_only=True, eq=False)
class SeenLauncher:
    """A hand that looks once and does everything else itself. Mutable: it looks when it is first asked."""

    launcher: Launcher
    updaters: dict[tuple[str, int, bool], SeenUpdater] = field(factory=dict, init=False)
    names: dict[str, OwnName] = field(factory=dict, init=False)
    left: list[tuple[Unstarted, ...] | None] = field(factory=list, init=False)
    """What was never started: empty until somebody has asked."""

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        """Give what was seen."""
        asked = (operation_id, attempt, claimed)
        if asked not in self.updaters:
            self.updaters[asked] = await self.launcher.look(operation_id, attempt, claimed=claimed)
        return self.updaters[asked]

    async def own_name(self, operation_id: str) -> OwnName:
        """Give what was seen."""
        if operation_id not in self.names:
            self.names[operation_id] = await self.launcher.own_name(operation_id)
        return self.names[operation_id]

    async def unstarted(self) -> tuple[Unstarted, ...] | None:
        """Give what was seen."""
        if not self.left:
            self.left.append(await self.launcher.unstarted())
        return self.left[0]

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.prepare(transition, report)

    async def own_image(self) -> str | None:
        """Ask the hand itself."""
        return await self.launcher.own_image()

    async def others(self, operation_id: str) -> Activity:
        """Ask the hand itself."""
        return await self.launcher.others(operation_id)

    async def create(self, launch: Launch) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.create(launch)

    async def start(self, launch: Launch) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.start(launch)

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.discard(operation_id, attempt)

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.quell(operation_id, attempt)

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        """Ask the hand itself."""
        return await self.launcher.forget(operation_id)
