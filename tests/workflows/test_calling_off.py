"""Calling an operation off that is no Setup's (`seed 000` 3 rows 16a to 16c; `site.md` 3, Cancel refuses).

Source: `seed 000` 7.5.
"""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import AfterCut
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.seams import CANCEL
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.replacement import Launch
from tests.workflows.foreign import failed_upgrade, operation
from tests.workflows.places import prepared, written
from tests.workflows.scene import B0, B1, B3, B5, B6, PowerCut, Scene

HOUR = timedelta(hours=1)
BOTH = pytest.mark.parametrize("mode", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])


def calling_off(scene: Scene, *, confirm: bool = True, **changes: Any) -> Coroutine[Any, Any, AlignmentStatus]:
    operation_id = changes.get("operation_id", ...)
    if operation_id is ...:
        operation_id = scene.transition.operation_id
    return call_off(scene.house, scene.caller, operation_id, confirm=confirm)


@BOTH
def test_the_operation_and_its_own_context_go_and_nothing_else(mode: Mode) -> None:
    """Row 16a: B6 cleared with its operation, B5 preserved, Setup artifacts untouched. `seed 000` 1.1, 5.2."""
    scene = operation(mode, Stage.RESOURCES_VERIFIED)
    before = scene.files
    status = scene.do(calling_off(scene))
    assert (scene.stage, status.active) == (Stage.CANCELLED, False)
    assert B6 not in scene.files
    kept = {name: data for name, data in before.items() if name not in {B1, B6}}
    assert {name: data for name, data in scene.files.items() if name != B1} == kept
    assert {B0, B3, B5} <= kept.keys()
    assert scene.house.work.holder is None


def test_the_context_of_another_operation_stays() -> None:
    """6.2: cleanup is bound to the operation. `seed 000` 1.1."""
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED, context_of="f" * 32)
    context = scene.files[B6]
    scene.do(calling_off(scene))
    assert scene.files[B6] == context


def test_what_has_failed_is_called_off_too() -> None:
    """I4: a failed operation stays cancellable. `seed 000` 5."""
    scene = failed_upgrade()
    scene.do(calling_off(scene))
    assert scene.stage is Stage.CANCELLED


def test_a_second_time_is_answered_as_the_first_and_changes_nothing() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    first = scene.do(calling_off(scene))
    before = scene.files
    assert scene.do(calling_off(scene)) == first
    assert scene.files == before


@pytest.mark.parametrize("place", [written, prepared])
def test_a_setup_is_never_cancelled_here(place: Any) -> None:
    """Row 16c; also once it is over."""
    scene = place()
    before = scene.files
    assert scene.refused(calling_off(scene, confirm=False)).code is Code.SETUP_ABANDON_REQUIRED
    assert scene.files == before
    scene.do(scene.abandoning())
    assert scene.refused(calling_off(scene)).code is Code.SETUP_ABANDON_REQUIRED


def test_a_contradiction_is_nobodys_to_cancel() -> None:
    """Row 16b: an active Setup beside a foreign operation."""
    scene = written()
    scene.put(B1, evolve(scene.transition, mode=Mode.GUIDED_UPGRADE))
    before = scene.files
    assert scene.refused(calling_off(scene)).code is Code.TRANSITION_CANCEL_UNSUPPORTED
    assert scene.files == before


@pytest.mark.parametrize("name", [B0, B1])
def test_what_cannot_be_read_is_nobodys_to_cancel(name: str) -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    named = scene.transition.operation_id
    scene.site.world.files[name] = b"{"
    before = scene.files
    refusal = scene.refused(calling_off(scene, operation_id=named))
    assert refusal.code is Code.TRANSITION_CANCEL_UNSUPPORTED
    assert scene.files == before


def test_the_exact_operation_is_named_and_meant() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    before = scene.files
    assert scene.refused(calling_off(scene, operation_id="f" * 32, confirm=False)).code is Code.OPERATION_MISMATCH
    assert scene.refused(calling_off(scene, operation_id=None)).code is Code.OPERATION_MISMATCH
    assert scene.refused(calling_off(scene, confirm=False)).code is Code.CONFIRMATION_REQUIRED
    assert scene.files == before
    assert Scene().refused(calling_off(Scene(), operation_id="f" * 32)).code is Code.NO_TRANSITION


def test_a_completed_operation_has_nothing_left_to_cancel() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.COMPLETED)
    before = scene.files
    assert scene.refused(calling_off(scene)).code is Code.NOT_RESUMABLE
    assert scene.files == before


@BOTH
@pytest.mark.parametrize("stage", [Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING])
def test_a_stage_that_mutates_is_left_only_once_it_has_expired(mode: Mode, stage: Stage) -> None:
    """`site.md` 3: `mutation_in_progress`, and cancel of an expired record is open in every stage."""
    scene = operation(mode, stage)
    before = scene.files
    assert scene.refused(calling_off(scene)).code is Code.MUTATION_IN_PROGRESS
    assert scene.files == before
    scene.site.clock.pass_time(HOUR)
    scene.do(calling_off(scene))
    assert scene.stage is Stage.CANCELLED


def test_expiry_never_outranks_a_live_worker() -> None:
    """5.3, F43."""
    scene = operation(Mode.GUIDED_UPGRADE, Stage.ADMIN_ALIGNED)
    scene.house.work.begin(WorkKind.GUIDED_UPGRADE, operation_id=scene.transition.operation_id)
    assert scene.refused(calling_off(scene)).code is Code.MUTATION_IN_PROGRESS
    scene.site.clock.pass_time(HOUR)
    assert scene.refused(calling_off(scene)).code is Code.TRANSITION_WORKER_ACTIVE


def test_a_running_updater_keeps_its_operation_whatever_its_age() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    launch = Launch(operation_id=scene.transition.operation_id, attempt=1, container="updater", image=None)
    assert isinstance(scene.do(scene.house.launcher.create(launch)), Done)
    assert isinstance(scene.do(scene.house.launcher.start(launch)), Done)
    assert scene.refused(calling_off(scene)).code is Code.REPLACEMENT_ACTIVE
    scene.site.clock.pass_time(HOUR)
    assert scene.refused(calling_off(scene)).code is Code.REPLACEMENT_ACTIVE


def test_work_of_another_kind_is_named() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    refusal = scene.refused(calling_off(scene))
    assert (refusal.code, refusal.more) == (Code.WORK_IN_PROGRESS, {"operation": WorkKind.MAINTENANCE_CONFIG})


def test_a_cancel_that_cannot_be_made_durable_keeps_the_context() -> None:
    scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    before = scene.files
    scene.fail(B1)
    assert scene.refused(calling_off(scene)).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.files == before


def test_a_cut_after_each_step_is_gone_on_with_by_the_start() -> None:
    """The seam `cancel`: a context whose own operation is cancelled is cleared."""
    assert [step.after_cut for step in CANCEL.steps] == [AfterCut.GO_ON, None]
    for number in (1, 2):
        scene = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
        scene.durable.clear()
        scene.cut_after = number
        with pytest.raises(PowerCut):
            scene.do(calling_off(scene))
        assert scene.durable == [B1, B6][:number]
        after = scene.restart()
        assert (after.stage, B6 in after.files) == (Stage.CANCELLED, False)
