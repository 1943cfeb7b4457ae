"""Take the steps of a walk in their declared order, and say what an engine answered.

An engine that is silent and a store that is full are the same here: the step is left, and taken again later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias, TypeVar

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.walk import RunFacts
from ems_admin.machines.replacement.walking import Heading, Wish, last_attempt, way_on, wish
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.replacement import Moved, Silence
from ems_admin.workflows.replacement.updating import Updating

T = TypeVar("T")

Act: TypeAlias = Callable[[Updating, Run], Awaitable[Run]]
"""Takes one step and gives the run record as it stands then. Raises `RefusalError` when it has to be taken again."""
Acts: TypeAlias = Mapping[str, Act]
"""By the name of the step in its seam."""

SILENT: Final = Refusal(Code.INSTALL_STATE_UNAVAILABLE, detail="engine")


async def follow(updating: Updating, run: Run, acts: Acts) -> Run:
    """Take the steps that are left, until only the updater itself is. A step may turn the walk round."""
    way = way_on(run)
    while way.heading is not Heading.OUT:
        run = await acts[way.steps[0].name](updating, run)
        turned = way_on(run)
        way = evolve(way, steps=way.steps[1:]) if turned.heading is way.heading else turned
    return run


def heard(answer: T | EngineFailure | Silence) -> T | EngineFailure:
    """Give what the engine answered. Raises `RefusalError` when it was silent."""
    if isinstance(answer, Silence):
        raise RefusalError(SILENT)
    return answer


def moved(answer: Moved) -> None:
    """Accept that it is so. Raises `RefusalError` when it is not, or nobody can say: there is no other way on."""
    outcome = heard(answer)
    if isinstance(outcome, EngineFailure):
        raise RefusalError(Refusal(outcome.code, detail=outcome.detail))


async def wished(updating: Updating, run: Run) -> tuple[Wish, Transition | None]:
    """Read B1 afresh, and say what it wants of this walk."""
    last = last_attempt(await updating.dispatch.read(), updating.operation_id)
    operation = await updating.transition.read()
    return wish(operation, run, last), operation.record if isinstance(operation, Present) else None


def facts(updating: Updating) -> RunFacts:
    """Say which walk, and when."""
    return RunFacts(now=updating.clock.now(), operation_id=updating.operation_id, attempt=updating.attempt)
