"""An Admin of yesterday in the middle of a Setup: the chosen build has another Admin, which has to take over."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Attempt, Dispatch
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.workflows.alignment.watch import look_after
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.replacement.dispatch import dispatch
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.startup import start_up
from tests.memory.host import Container, Host, Kind, Trouble
from tests.memory.house import OWN
from tests.memory.world import Blocked
from tests.workflows.places import opened
from tests.workflows.scene import B1, Scene

OLD: Final = evolve(OWN, build_id="0.9.0", revision="9" * 40, digest="9" * 64)
DISPATCH: Final = "state/replacement-dispatch.json"
RUN: Final = "state/replacement-run.json"
REFUSED: Final = EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)


def as_old(scene: Scene) -> Scene:
    """Let the Admin of the scene be the old one."""
    scene.house = evolve(scene.house, identity=KnownIdentity(OLD))
    return scene


def chosen() -> Scene:
    """The Setup is open before an Admin of another build."""
    scene = as_old(opened())
    own = host(scene).containers["o"]
    own.image = host(scene).pin = OLD.digest or ""
    return scene


def updating(scene: Scene, **changes: Any) -> Coroutine[Any, Any, Job]:
    """Ask for the update of the Admin."""
    return scene.fetching(row=system_build.UPDATE_ADMIN, **changes)


def pending() -> Scene:
    """The operation is there and durable, and its process gone before anything was prepared."""
    scene = chosen()
    scene.do(updating(scene))
    return again(scene)


def handed_over() -> Scene:
    """The updater was launched, and has not moved yet."""
    scene = chosen()
    assert scene.job(updating(scene)).error is None
    return scene


def failed(code: Code = Code.ADMIN_UPDATE_LAUNCH_FAILED) -> Scene:
    """The first attempt did not come to an updater."""
    scene = chosen()
    trouble(scene, "create updater", EngineFailure(code=code))
    assert scene.job(updating(scene)).error is not None
    return scene


def fail_at(scene: Scene, stage: Stage, *, resumes_at: Stage) -> None:
    """Let somebody else have failed the operation."""
    failed_there = evolve(
        scene.transition,
        stage=Stage.FAILED_RECOVERABLE,
        failed_stage=stage,
        resume_stage=resumes_at,
        error_code="healthcheck_failed",
    )
    scene.put(B1, failed_there)


def again(scene: Scene, *, started: bool = True) -> Scene:
    """The old Admin is gone and starts again, where `started` says so with everything that a start does."""
    after = as_old(scene.restart(start_up=False))
    if started:
        after.house.startup.passed = False
        after.do(start_up(after.house))
        assert after.house.startup.passed
    return after


def as_new(scene: Scene) -> Scene:
    """The Admin of the build has taken over, and starts."""
    after = scene.restart(start_up=False)
    after.house.startup.passed = False
    after.do(start_up(after.house))
    return after


def look(scene: Scene) -> object:
    """Ten seconds have passed."""
    return scene.do(look_after(scene.house))


def calling(scene: Scene, *, after: int = 0, retrying: bool = False) -> Coroutine[Any, Any, Transition]:
    """Call the dispatch as whoever was accepted when `after` attempts were settled."""
    return dispatch(scene.house, scene.caller, scene.transition, after=after, retrying=retrying)


def trouble(scene: Scene, act: str, *answers: Any, lands: bool = False) -> None:
    """Let the next acts of this name come to this."""
    host(scene).troubles.setdefault(act, []).extend(Trouble(answer=answer, lands=lands) for answer in answers)


def host(scene: Scene) -> Host:
    return scene.site.world.host


def updaters(scene: Scene) -> tuple[Container, ...]:
    return host(scene).updaters()


def attempts(scene: Scene) -> tuple[Attempt, ...]:
    return scene.record(DISPATCH, Dispatch).attempts if DISPATCH in scene.files else ()


def outcomes(scene: Scene) -> list[tuple[int, str, int, str | None]]:
    """Give number, outcome, tries and code of each attempt."""
    return [(a.number, a.outcome.value, a.tries, a.code) for a in attempts(scene)]


def stranger(name: str) -> Container:
    return Container(id="stranger", name=name, kind=Kind.STRANGER, image="x")


def together(*callers: Coroutine[Any, Any, Any], order: tuple[int, ...] = ()) -> list[Any]:
    """Step the callers in this order, and whoever is left to the end; give what each came to."""
    ends: dict[int, Any] = {}
    left = dict(enumerate(callers))
    choices = iter(order)
    waiting: set[int] = set()
    while left:
        free = [number for number in left if number not in waiting] or list(left)
        number = free[next(choices, 0) % len(free)]
        try:
            mark = left[number].send(None)
        except StopIteration as end:
            ends[number] = end.value
        except BaseException as error:  # noqa: BLE001  # a refusal is a result as well
            ends[number] = error
        else:
            waiting = waiting | {number} if isinstance(mark, Blocked) else set()
            continue
        del left[number]
        waiting = set()
    return [ends[number] for number in range(len(callers))]
