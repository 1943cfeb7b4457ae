"""Moments of a replacement, and what it comes to: shared by the tests of its Admin's side."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import ResourceStrategy, Stage, Transition
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.processes import Processes
from tests.memory.world import Call
from tests.workflows.replacement.old_admin import again, calling, handed_over, host, outcomes, pending, updaters
from tests.workflows.scene import B1, Scene

HOUR = timedelta(hours=1)
STALLED = EngineFailure(code=Code.OPERATION_STALLED)
ORDERS = [(n * (0,) + 2 * (1,)) for n in range(0, 40, 3)]
"""The second caller comes in after so many places of the first one."""


def tampered(scene: Scene, how: str) -> None:
    changes: dict[str, dict[str, Any]] = {
        "another operation": {"operation_id": "f" * 32},
        "another identity": {"resource_strategy": ResourceStrategy.EMBEDDED},
        "another stage": {"stage": Stage.CANCELLED},
    }
    if how == "unreadable":
        scene.site.world.files[B1] = b"{"
    elif how == "absent":
        del scene.site.world.files[B1]
    else:
        scene.put(B1, evolve(scene.transition, **changes[how]))


def ends(scene: Scene) -> tuple[Stage, int, list[Any]]:
    return scene.stage, len(updaters(scene)), outcomes(scene)


def codes(results: list[Any]) -> list[Any]:
    return [code(result) for result in results]


def code(result: Any) -> Any:
    if isinstance(result, RefusalError):
        return result.refusal.code
    return result.stage if isinstance(result, Transition) else result


def going_on(scene: Scene) -> Job:
    """Resume, and let the job run to its end."""
    job = scene.do(scene.resuming())
    assert isinstance(job, Job), "a replacement is a job at once"
    scene.finish()
    return job


def died(scene: Scene, exit_code: int = 139) -> Scene:
    """The updater has ended, and is not started again."""
    (updater,) = updaters(scene)
    updater.restarts_by_itself = False
    host(scene).ended(updater, exit_code)
    return scene


def walked(until: str | None = None) -> Scene:
    """The updater has walked this far, or to its end."""
    scene = handed_over()
    (updater,) = updaters(scene)
    processes = Processes(scene.site.world, scene.site.clock)
    if until is None:
        processes.run(updater.id)
    else:
        while processes.step(updater.id) != Call(until):
            pass
        processes.crash(updater.id)
    return scene


def claimed(scene: Scene) -> Scene:
    scene.put(B1, evolve(scene.transition, admin_update_claimed_at=scene.site.clock.now()))
    return scene


def failure(scene: Scene) -> tuple[Stage, str | None, Stage | None]:
    return scene.stage, scene.transition.error_code, scene.transition.resume_stage


def failed_with(code: str) -> tuple[Stage, str, Stage]:
    return Stage.FAILED_RECOVERABLE, code, Stage.ADMIN_UPDATE_PENDING


def created() -> Scene:
    """The Admin was gone between the create and the start."""
    scene = pending()
    scene.until(calling(scene), lambda mark: mark == Call("start updater"))
    return again(scene, started=False)


def promised() -> Scene:
    """The Admin was gone between the stage and the create."""
    scene = pending()
    scene.until(calling(scene), lambda mark: mark == Call("create updater"))
    return again(scene, started=False)
