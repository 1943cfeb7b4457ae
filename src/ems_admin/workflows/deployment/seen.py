"""An engine that was looked at once, for a page that asks about it in many places.

An engine that is silent lets each question wait for its limit; a page may not wait for several of them, one after
another (`faults.md` F19).
"""

from __future__ import annotations

from datetime import timedelta

from attrs import define, field

from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.installed import DeployedImage, EngineKind
from ems_admin.workflows.ports.engine import (
    Activity,
    ContainerConflict,
    Deployment,
    Done,
    Engine,
    EngineFailure,
    EngineStatus,
    Report,
)
from ems_admin.workflows.ports.services import NotSeen, Observation, ServiceContainer


@define(kw_only=True, eq=False)
class SeenEngine:
    """An engine that looks once and does everything else itself. Mutable: it looks when it is first asked."""

    engine: Engine
    seen_status: EngineStatus | None = field(default=None, init=False)
    observation: Observation | None = field(default=None, init=False)
    conflicts: dict[str | None, ContainerConflict | NotSeen | None] = field(factory=dict, init=False)

    @property
    def kind(self) -> EngineKind:
        """Say which engine this is."""
        return self.engine.kind

    async def status(self) -> EngineStatus:
        """Give what was seen."""
        if self.seen_status is None:
            self.seen_status = await self.engine.status()
        return self.seen_status

    async def observe(self) -> Observation:
        """Give what was seen."""
        if self.observation is None:
            self.observation = await self.engine.observe()
        return self.observation

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        """Give what was seen."""
        if container_name not in self.conflicts:
            self.conflicts[container_name] = await self.engine.conflict(container_name)
        return self.conflicts[container_name]

    async def fetch(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.fetch(deployment, report)

    def images(self, deployment: Deployment) -> tuple[DeployedImage, ...]:
        """Ask the engine itself."""
        return self.engine.images(deployment)

    async def write_stack(self, deployment: Deployment) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.write_stack(deployment)

    async def start(self, deployment: Deployment, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.start(deployment, report)

    async def settle(self, window: timedelta, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.settle(window, report)

    async def probe(self, *, dashboard: bool, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.probe(dashboard=dashboard, report=report)

    async def stop(self, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.stop(report)

    async def present(self, deployment: Deployment) -> bool | NotSeen:
        """Ask the engine itself."""
        return await self.engine.present(deployment)

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        """Ask the engine itself."""
        return await self.engine.containers()

    async def control(self, service: str, action: ContainerAction, report: Report) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.control(service, action, report)

    async def adopt(self) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.adopt()

    async def clear_conflict(self, conflict: ContainerConflict, *, replace: bool) -> Done | EngineFailure:
        """Ask the engine itself."""
        return await self.engine.clear_conflict(conflict, replace=replace)

    async def prune(self, builds: frozenset[str]) -> None:
        """Ask the engine itself."""
        await self.engine.prune(builds)

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        """Ask the engine itself."""
        return await self.engine.logs(service, lines)

    async def replacement_activity(self, operation_id: str | None) -> Activity:
        """Ask the engine itself."""
        return await self.engine.replacement_activity(operation_id)
