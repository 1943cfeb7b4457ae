"""Everything that can be the matter with a site, by name: laid over a place of Guided Setup."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import NO_ARTIFACTS, CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.ports.engine import Activity
from ems_admin.workflows.ports.files import DirectoryVerdict
from tests.memory.files import MemoryInstallation
from tests.memory.host import Container, Doing, Kind
from tests.workflows.scene import B0, B1, B3, Scene


def nothing(scene: Scene) -> None:
    """All is well."""


def maintenance_runs(scene: Scene) -> None:
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)


def setup_work_runs(scene: Scene) -> None:
    scene.house.work.begin(WorkKind.CONFIG_WRITE, workflow_id=scene.workflow_id)


def a_resume_runs(scene: Scene) -> None:
    operation_id = scene.transition.operation_id if B1 in scene.files else None
    scene.house.work.begin(WorkKind.TRANSITION_RESUME, operation_id=operation_id)


def something_is_ended(scene: Scene) -> None:
    scene.house.work.begin_termination(WorkKind.ABANDON, workflow_id=scene.workflow_id)


def start_up_failed(scene: Scene) -> None:
    scene.house.startup.passed, scene.house.startup.failed_by = False, Code.STATE_LOCK_BUSY


def config_is_not_writable(scene: Scene) -> None:
    verdict = DirectoryVerdict(code=Code.CONFIG_NOT_WRITABLE, detail="config is 0:0, running as 1000:1000")
    scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, verdict=verdict))


def broken(name: str, scene: Scene) -> None:
    scene.site.world.files[name] = b"{"


def without(name: str, scene: Scene) -> None:
    scene.site.world.files.pop(name, None)


def operation(scene: Scene, **changes: object) -> None:
    if B1 in scene.files:
        scene.put(B1, evolve(scene.transition, **changes))  # type: ignore[arg-type]  # fields by name


def at(stage: Stage, scene: Scene) -> None:
    nothing_failed = dict.fromkeys(("failed_stage", "resume_stage", "error_code", "error_message"))
    operation(scene, stage=stage, **nothing_failed)


def of_mode(mode: Mode, scene: Scene) -> None:
    if mode is Mode.ALIGN_EXISTING_INSTALL:
        at(Stage.RESOURCES_VERIFIED, scene)
    operation(scene, mode=mode)


def of_another(scene: Scene) -> None:
    operation(scene, operation_id="f" * 32)


def an_hour_later(scene: Scene) -> None:
    scene.site.clock.pass_time(timedelta(hours=1))


def engine_is_silent(scene: Scene) -> None:
    scene.engine.reachable = False
    scene.engine.replacement = Activity.UNKNOWN
    scene.site.world.host.silent = True


def a_replacement_runs(scene: Scene) -> None:
    scene.engine.replacement = Activity.ACTIVE
    if B1 in scene.files:
        operation_id = scene.transition.operation_id
        updater = Container(
            id="u", name="u", kind=Kind.UPDATER, image="", doing=Doing.RUNNING, operation_id=operation_id, attempt=1
        )
        scene.site.world.host.containers[updater.id] = updater


def owes(state: CleanupState, scene: Scene) -> None:
    if B0 in scene.files:
        cleanup = evolve(scene.setup.cleanup, state=state)
        scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, preview=None, cleanup=cleanup))
    at(Stage.CANCELLED, scene)


def unlinked(scene: Scene) -> None:
    if B0 in scene.files:
        scene.put(B0, evolve(scene.setup, operation_id=None, artifacts=NO_ARTIFACTS))


SITUATIONS: dict[str, Callable[[Scene], None]] = {
    "nothing": nothing,
    "maintenance runs": maintenance_runs,
    "setup work runs": setup_work_runs,
    "a resume runs": a_resume_runs,
    "something is ended": something_is_ended,
    "start-up failed": start_up_failed,
    "config is not writable": config_is_not_writable,
    "B0 is broken": partial(broken, B0),
    "B1 is broken": partial(broken, B1),
    "B3 is broken": partial(broken, B3),
    "B0 is gone": partial(without, B0),
    "B1 is gone": partial(without, B1),
    "B3 is gone": partial(without, B3),
    **{f"operation at {stage}": partial(at, stage) for stage in Stage if stage is not Stage.FAILED_RECOVERABLE},
    **{f"operation of {mode}": partial(of_mode, mode) for mode in Mode},
    "another operation": of_another,
    "no link": unlinked,
    "an hour later": an_hour_later,
    "engine is silent": engine_is_silent,
    "a replacement runs": a_replacement_runs,
    **{f"cleanup {state}": partial(owes, state) for state in CleanupState if state is not CleanupState.NOT_REQUIRED},
}
