"""Product (i), the creation boundary: who may create or go on with an operation, where, and what the stores answer.

B0's link, B1, the confirmations and the dispatch are all in it; two callers, each with a confirmation of its own.
Source: `seed 000` 5.5.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import cache, partial
from typing import Any, Final

from attrs import evolve, frozen

from ems_admin.machines.alignment.facts import MARK_FAILED, FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.install_state import installation_fingerprint
from ems_admin.workflows.setup import system_build
from tests.exploration.explorer import Act
from tests.exploration.fates import Fate, of_commits
from tests.exploration.restart import as_whoever_runs
from tests.memory.running import MemoryIds
from tests.memory.site import MemorySite
from tests.memory.world import World
from tests.workflows.places import again
from tests.workflows.replacement.old_admin import DISPATCH, OLD, REFUSED, trouble, updating
from tests.workflows.scene import B0, B1, Scene

Asks = Callable[[Scene, str | None], Coroutine[Any, Any, Any]]
"""What a caller asks for, with its confirmation."""


def operation_of(scene: Scene) -> str:
    """Give the operation that a page would name; one that never was where there is none."""
    return scene.transition.operation_id if B1 in scene.site.world.files else "f" * 32


CALLERS: Final[dict[str, Asks]] = {
    "confirm": lambda scene, intent: scene.fetching(row=system_build.CONFIRM, intent_id=intent),
    "prepare": lambda scene, intent: scene.fetching(intent_id=intent),
    "update": lambda scene, intent: scene.fetching(row=system_build.UPDATE_ADMIN, intent_id=intent),
    "resume": lambda scene, _intent: scene.resuming(operation_id=operation_of(scene)),
}


def begun(scene: Scene) -> None:
    """The operation lives: its build is still to be fetched."""
    scene.open()
    scene.do(scene.fetching())


def old(scene: Scene) -> None:
    """The Admin that runs is of another build than the one that is offered."""
    container = scene.site.world.host.containers["o"]
    container.image = scene.site.world.host.pin = OLD.digest or ""
    as_whoever_runs(scene)


def pending(scene: Scene) -> None:
    """The operation waits for the update of the Admin: nothing was launched."""
    old(scene)
    scene.open()
    scene.do(updating(scene))


def not_launched(scene: Scene) -> None:
    """The first launch has failed: to go on is to retry."""
    old(scene)
    scene.open()
    trouble(scene, "create updater", REFUSED)
    scene.job(updating(scene))
    assert scene.stage is Stage.FAILED_RECOVERABLE


def launched(scene: Scene) -> None:
    """The updater is there, and has not moved yet."""
    old(scene)
    scene.open()
    scene.job(updating(scene))
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING


def failed(scene: Scene) -> None:
    """The build could not be fetched: to go on is to retry."""
    begun(scene)
    facts = FailureFacts(
        now=scene.site.clock.now(),
        operation_id=scene.transition.operation_id,
        code=Code.SYSTEM_BUILD_UNAVAILABLE,
        message=None,
    )
    scene.do(scene.house.records.transition.decide(MARK_FAILED, facts))


def cancelled(scene: Scene) -> None:
    """The workflow is active beside its own cancelled operation, where an ending was cut."""
    begun(scene)
    scene.house.work.release(scene.house.work.running.entries[0].id)
    scene.do(cancel(scene.house, scene.caller, scene.transition, None))


def foreign(scene: Scene) -> None:
    """The operation that lives is not the one that the workflow names."""
    begun(scene)
    scene.put(B1, evolve(scene.transition, operation_id="f" * 32))


def unnamed(scene: Scene) -> None:
    """An operation lives and the workflow names none."""
    begun(scene)
    setup: GuidedSetup = scene.setup
    scene.put(B0, evolve(setup, operation_id=None))


def nothing(_scene: Scene) -> None:
    """No operation was ever begun."""


ALIGNED: Final[dict[str, Callable[[Scene], None]]] = {
    "no operation": nothing,
    "its own operation": begun,
    "its own failed operation": failed,
    "its own cancelled operation": cancelled,
    "its own expired operation": begun,
    "a foreign operation": foreign,
    "an operation without a name": unnamed,
}
BEHIND: Final[dict[str, Callable[[Scene], None]]] = {
    "an old Admin": old,
    "an update that waits": pending,
    "an update that was not launched": not_launched,
    "an update that was launched": launched,
}
"""Places before an Admin that has to be replaced first."""
PLACES: Final = {**ALIGNED, **BEHIND}
LATER: Final = {"its own expired operation": timedelta(hours=1)}
"""How long after the beginning the callers come."""


@frozen
class Kept:
    """A place as it was walked to once, with two confirmations."""

    world: World
    workflow_id: str | None
    intents: dict[str, Any]
    first: str
    second: str
    ids: int


@cache
def _kept(place: str) -> Kept:
    walked = again("opened")
    PLACES[place](walked)
    scene = _process(walked.site.world.after_power_cut(), walked.workflow_id, 50, place)
    fingerprint = scene.do(installation_fingerprint(scene.house))
    assert scene.workflow_id is not None
    ask = partial(scene.house.intents.issue, scene.caller, scene.workflow_id, fingerprint)
    first, second = scene.do(ask()), scene.do(ask())
    kept = dict(scene.house.intents.kept)
    return Kept(scene.site.world.after_power_cut(), scene.workflow_id, kept, first, second, scene.site.ids.count)


def stand(place: str) -> Scene:
    """Stand at a place in a new process, two confirmations given."""
    kept = _kept(place)
    scene = _process(kept.world.after_power_cut(), kept.workflow_id, kept.ids, place)
    scene.house.intents.kept = dict(kept.intents)
    scene.intent_id, scene.spare_intent_id = kept.first, kept.second
    return scene


def confirmations(place: str) -> dict[str, str]:
    """Say whose confirmation is whose."""
    return {"caller 0": _kept(place).first, "caller 1": _kept(place).second}


def _process(world: World, workflow_id: str | None, ids: int, place: str) -> Scene:
    scene = Scene(site=MemorySite(world=world, ids=MemoryIds(ids)), workflow_id=workflow_id)
    as_whoever_runs(scene)
    scene.site.clock.pass_time(LATER.get(place, timedelta()))
    return scene


def acts(first: str, second: str) -> tuple[Act, Act]:
    """Let two callers ask, each with its own confirmation."""
    return (
        lambda scene: CALLERS[first](scene, scene.intent_id),
        lambda scene: CALLERS[second](scene, scene.spare_intent_id),
    )


UNOWNED: Final = frozenset({"a foreign operation", "an operation without a name"})
"""Places at which the workflow cannot name the operation that lives."""
MEETINGS: Final = (("confirm", "confirm"), ("confirm", "prepare"), ("confirm", "resume"), ("resume", "resume"))
"""Before an Admin of the build. `prepare` is `confirm` by another name, and meets it as a stranger."""
UPDATES: Final = (("update", "update"), ("update", "confirm"), ("update", "resume"), ("resume", "resume"))
"""Before an old Admin, where `confirm` and `prepare` are refused alike."""
PAIRS: Final = tuple(
    (place, *pair)
    for places, pairs in ((ALIGNED, MEETINGS), (BEHIND, UPDATES))
    for place in places
    for pair in pairs
    if pair != ("resume", "resume") or place not in UNOWNED  # a resume asks for no owner
)
OUTCOMES: Final = of_commits(B0, B1, DISPATCH)


def outcomes(first: str, second: str) -> tuple[Fate, ...]:
    """Give what the stores may answer; a resume that meets another one has been through it beside the others."""
    return () if first == second == "resume" else OUTCOMES
