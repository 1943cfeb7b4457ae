"""Going on with a known operation from every stage (`http.md` 5.5; `site.md` 3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.jobs import Job, JobStatus
from tests.memory.outside import RUNNING
from tests.workflows.places import begun, failed, fetched, opened, prepared, running
from tests.workflows.scene import B1, Scene

HOUR = timedelta(hours=1)


def interrupted(*, runs: bytes | None) -> Scene:
    """A start was cut, and the engine shows this."""
    scene = prepared()
    job = scene.do(scene.starting())
    while scene.stage is not Stage.EMS_OPERATION_RUNNING:
        scene.site.tasks.running[0].step()
    if runs is not None:
        scene.site.world.files[RUNNING] = runs
    assert job.status is JobStatus.RUNNING
    return scene.restart()


def exact() -> bytes:
    return running().files[RUNNING]


def test_without_an_operation_there_is_nothing_to_go_on_with() -> None:
    scene = opened()
    assert scene.refused(scene.resuming(operation_id="f" * 32)).code is Code.NO_TRANSITION


@pytest.mark.parametrize("place", [fetched, failed, running])
def test_another_operation_is_never_gone_on_with(place: Callable[[], Scene]) -> None:
    scene = place()
    before = scene.files
    assert scene.refused(scene.resuming(operation_id="f" * 32)).code is Code.OPERATION_MISMATCH
    assert scene.files == before


def test_an_operation_that_cannot_be_read_is_not_gone_on_with() -> None:
    scene = fetched()
    operation = scene.transition.operation_id
    scene.site.world.files[B1] = b"{"
    assert scene.refused(scene.resuming(operation_id=operation)).code is Code.TRANSITION_STATUS_UNAVAILABLE
    assert scene.files[B1] == b"{"


def test_the_resources_are_verified_under_a_claim_that_is_stale_by_now() -> None:
    scene = begun()
    scene.put(B1, evolve(scene.transition, resources_claimed_at=scene.site.clock.now()))
    status = scene.do(scene.resuming())
    assert isinstance(status, AlignmentStatus)
    assert scene.stage is Stage.RESOURCES_VERIFIED


@pytest.mark.parametrize("stage", [Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING])
def test_where_another_command_goes_on_resume_reports_and_moves_nothing(stage: Stage) -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=stage))
    before = scene.files
    status = scene.do(scene.resuming())
    assert scene.files == before
    assert status.transition is not None
    assert not status.transition.worker_active, "the answer is no worker"
    assert status.transition.cancel_available


def test_a_start_that_came_through_is_checked() -> None:
    scene = interrupted(runs=exact())
    scene.do(scene.resuming())
    assert (scene.stage, scene.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED)


@pytest.mark.parametrize("runs", [None, b"e" * 64])
def test_a_start_that_did_not_come_through_goes_back(runs: bytes | None) -> None:
    scene = interrupted(runs=runs)
    assert scene.refused(scene.resuming()).code is Code.EMS_OPERATION_INTERRUPTED
    assert (scene.stage, scene.transition.resume_stage) == (Stage.FAILED_RECOVERABLE, Stage.EMS_OPERATION_PENDING)
    scene.do(scene.resuming())
    assert scene.job(scene.starting()).error is None


def test_a_start_that_nobody_can_ask_about_stays_where_it_is() -> None:
    scene = interrupted(runs=exact())
    scene.engine.reachable = False
    assert scene.refused(scene.resuming()).code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.stage is Stage.EMS_OPERATION_RUNNING


def test_a_live_start_is_not_recovered() -> None:
    scene = prepared()
    scene.do(scene.starting())
    while scene.stage is not Stage.EMS_OPERATION_RUNNING:
        scene.site.tasks.running[0].step()
    assert scene.refused(scene.resuming()).code is Code.TRANSITION_ACTIVE


@pytest.mark.parametrize("stage", [Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING])
def test_expiry_never_closes_a_step_that_was_claimed(stage: Stage) -> None:
    scene = interrupted(runs=exact())
    scene.put(B1, evolve(scene.transition, stage=stage))
    scene.site.clock.pass_time(HOUR)
    scene.do(scene.resuming())
    assert scene.stage is Stage.COMPLETED


@pytest.mark.parametrize("place", [begun, fetched, failed])
def test_expiry_closes_every_other_step(place: Callable[[], Scene]) -> None:
    scene = place()
    scene.site.clock.pass_time(HOUR)
    before = scene.files
    assert scene.refused(scene.resuming()).code is Code.EXPIRED
    assert scene.files == before


def test_an_age_that_is_not_proven_opens_cancel_and_closes_nothing() -> None:
    """F17."""
    scene = interrupted(runs=None)
    scene.site.clock.boot, scene.site.clock.wall = "boot-2", scene.transition.created_at - timedelta(days=1)
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    assert (view.expiry, view.expired, view.cancel_available) == (Expiry.UNPROVEN, True, True)
    assert scene.refused(scene.resuming()).code is Code.EMS_OPERATION_INTERRUPTED
    scene.do(scene.resuming())
    assert scene.stage is Stage.EMS_OPERATION_PENDING


def test_a_jump_of_the_wall_clock_within_one_boot_means_nothing() -> None:
    scene = begun()
    scene.site.clock.wall += timedelta(days=30)
    scene.do(scene.resuming())
    assert scene.stage is Stage.RESOURCES_VERIFIED


def test_a_completed_operation_is_not_gone_on_with() -> None:
    scene = running()
    assert scene.refused(scene.resuming()).code is Code.NOT_RESUMABLE


def test_an_update_of_the_admin_is_a_job_at_once() -> None:
    """`http.md` 5.5: nobody waits for a replacement."""
    scene = fetched()
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_UPDATE_PENDING))
    job = scene.do(scene.resuming())
    assert isinstance(job, Job)
    assert (job.status, job.operation_id) == (JobStatus.RUNNING, scene.transition.operation_id)
    assert scene.stage is Stage.ADMIN_UPDATE_PENDING
    assert scene.house.work.holder is not None


def test_an_aligned_install_is_only_checked() -> None:
    scene = running()
    mode = Mode.ALIGN_EXISTING_INSTALL
    scene.put(B1, evolve(scene.transition, mode=mode, stage=Stage.RESOURCES_VERIFIED))
    scene.do(scene.resuming())
    assert scene.stage is Stage.COMPLETED


def test_a_success_that_was_cut_is_completed_by_resume_with_its_workflow() -> None:
    scene = prepared()
    job = scene.do(scene.starting())
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    assert job.status is JobStatus.RUNNING
    after = scene.restart()
    assert after.stage is Stage.HEALTHCHECK_PENDING, "a start never moves the operation"
    after.do(after.resuming())
    assert (after.stage, after.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED)


def test_running_work_of_another_kind_is_named() -> None:
    scene = begun()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    refusal = scene.refused(scene.resuming())
    assert (refusal.code, refusal.more) == (Code.WORK_IN_PROGRESS, {"operation": WorkKind.MAINTENANCE_CONFIG})


# verify-resources


def test_verifying_is_a_job_under_the_claim_of_a_resume() -> None:
    scene = begun()
    job = scene.do(verify(scene.house, scene.caller, scene.transition.operation_id))
    assert scene.house.work.holder is not None
    assert scene.house.work.holder.kind is WorkKind.TRANSITION_RESUME
    scene.finish()
    assert (job.status, scene.stage) == (JobStatus.SUCCEEDED, Stage.RESOURCES_VERIFIED)


def test_the_same_verification_is_joined() -> None:
    scene = begun()
    operation = scene.transition.operation_id
    job = scene.do(verify(scene.house, scene.caller, operation))
    assert scene.do(verify(scene.house, scene.caller, operation)).id == job.id


@pytest.mark.parametrize("place", [fetched, failed])
def test_what_is_verified_already_is_not_verified_again(place: Callable[[], Scene]) -> None:
    scene = place()
    before = scene.files
    work = verify(scene.house, scene.caller, scene.transition.operation_id)
    assert scene.refused(work).code is Code.INVALID_TRANSITION
    assert scene.files == before
    assert scene.house.work.holder is None


def test_a_build_that_has_changed_since_is_recorded_as_a_failure() -> None:
    scene = begun()
    scene.put(B1, evolve(scene.transition, build_id="0.9.0", admin_digest=scene.transition.admin_digest))
    assert scene.refused(scene.resuming()).code is Code.SYSTEM_BUILD_MISMATCH
    transition = scene.transition
    assert (transition.stage, transition.resume_stage) == (Stage.FAILED_RECOVERABLE, Stage.ADMIN_ALIGNED)
