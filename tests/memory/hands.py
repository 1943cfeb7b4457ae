"""Both hands over a host in memory: the one that launches an updater, and the one that an updater moves with.

Each act is one place to be left at, and a second one behind it if it has changed anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import Container, Host
from tests.memory.world import Call, Durable, Step, World

T = TypeVar("T")


@define(kw_only=True)
class Hand:
    """The hand of one process."""

    world: World
    me: str = "o"
    """The id of the container that it runs in."""

    @property
    def host(self) -> Host:
        return self.world.host

    @property
    def own(self) -> Container | None:
        return self.host.containers.get(self.me)

    async def act(self, name: str, change: Callable[[], T]) -> T | EngineFailure | Silence:
        """Do one thing, or meet the trouble that was chosen for it."""
        await Step(Call(name))
        trouble = self.host.trouble(name)
        if trouble and not trouble.lands:
            return trouble.answer
        before = self.host.picture()
        answer = change()
        if self.host.picture() != before:
            await Step(Durable(name))
        return trouble.answer if trouble else answer

    async def done(self, name: str, change: Callable[[], T]) -> Done | EngineFailure | Silence:
        """Do one thing that always comes about."""
        answer = await self.act(name, change)
        return answer if isinstance(answer, EngineFailure | Silence) else Done()


def failing_loudly(answer: Done | EngineFailure | Silence) -> Done | EngineFailure:
    """Say silence as the hand of the Admin says it."""
    return EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE) if isinstance(answer, Silence) else answer


def aside(run: Run) -> str:
    """Name the old Admin that was set aside."""
    assert run.predecessor is not None
    return f"{run.predecessor.name}-before-{run.operation_id}"


def started_for(run: Run) -> str:
    """Name what a new Admin was started for."""
    return f"{run.operation_id}-{run.attempt}"
