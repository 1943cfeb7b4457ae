"""Before the handover: what is tried first, what a failure records, and that a stop leaves everything as it was.

`replacement.md` 7.2, 7.6; `http.md` 5.5; `faults.md` F20, F21.
"""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.jobs import Job, JobStatus
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.house import TAG
from tests.memory.outside import MemoryBuilds
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    again,
    attempts,
    chosen,
    failed,
    handed_over,
    host,
    look,
    pending,
    trouble,
    updaters,
    updating,
)
from tests.workflows.scene import B1, Scene

CORRUPT = EngineFailure(code=Code.IMAGE_SMOKE_FAILED, message="the storage may be damaged")


def going_on(scene: Scene) -> Job:
    """Resume, and let the job run to its end."""
    job = scene.do(scene.resuming())
    assert isinstance(job, Job), "a replacement is a job at once"
    scene.finish()
    return job


def failure(scene: Scene) -> tuple[Stage, str | None, Stage | None]:
    return scene.stage, scene.transition.error_code, scene.transition.resume_stage


def test_the_steps_are_shown_in_their_order_and_the_build_comes_first() -> None:
    scene = pending()
    job = going_on(scene)
    assert [step.key for step in job.steps] == ["download", "unpack", "place", "image", "digest", "smoke", "launch"]
    assert (job.status, job.reconnect) == (JobStatus.SUCCEEDED, True)
    assert scene.durable[0] == f"releases/{TAG}/manifest.json"


@pytest.mark.parametrize("step", ["place", "image", "digest", "smoke"])
def test_a_failure_is_recorded_with_its_code_and_nothing_is_touched(step: str) -> None:
    scene = pending()
    trouble(scene, f"prepare {step}", CORRUPT)
    before = host(scene).picture()
    job = going_on(scene)
    assert job.error is not None
    assert job.error.code is Code.IMAGE_SMOKE_FAILED
    assert failure(scene) == (Stage.FAILED_RECOVERABLE, "image_smoke_failed", Stage.ADMIN_UPDATE_PENDING)
    assert scene.transition.error_message == "the storage may be damaged"
    assert (host(scene).picture(), DISPATCH in scene.files) == (before, False)


def test_a_build_that_cannot_be_had_is_recorded_with_its_code() -> None:
    scene = pending()
    scene.house = evolve(scene.house, builds=Gone(**{f: getattr(scene.house.builds, f) for f in FIELDS}))
    assert going_on(scene).error is not None
    assert failure(scene) == (Stage.FAILED_RECOVERABLE, "release_source_unreachable", Stage.ADMIN_UPDATE_PENDING)


FIELDS = ("world", "entry", "build", "identity")


class Gone(MemoryBuilds):
    async def import_build(self, tag: str, report: Any) -> BuildFailure:
        return BuildFailure(code=Code.RELEASE_SOURCE_UNREACHABLE)


def test_a_build_whose_admin_has_changed_since_is_not_handed_over_to() -> None:
    """F21."""
    scene = pending()
    scene.put(B1, evolve(scene.transition, admin_digest="7" * 64))
    assert going_on(scene).error is not None
    assert failure(scene) == (Stage.FAILED_RECOVERABLE, "system_build_mismatch", Stage.ADMIN_UPDATE_PENDING)
    assert updaters(scene) == ()


@pytest.mark.parametrize("step", ["place", "image", "digest", "smoke"])
def test_a_stopped_preparation_leaves_the_operation_where_it_is(step: str) -> None:
    """Interruptible (`http.md` 5.3): the job fails with `job_cancelled`, a resume does it again."""
    scene = pending()
    job = scene.do(scene.resuming())
    before = scene.site.world.files[B1]
    while job.step is None or job.step.key != step:
        scene.site.tasks.running[0].step()
    scene.house.jobs.stop(job.id)
    while scene.site.tasks.running:
        scene.site.tasks.running[0].step()
    assert (job.status, job.error.code) == (JobStatus.FAILED, Code.JOB_CANCELLED)
    assert (scene.site.world.files[B1], updaters(scene), scene.house.work.holder) == (before, (), None)
    assert going_on(again(scene)).error is None


def test_what_is_handed_over_cannot_be_stopped_any_more() -> None:
    scene = pending()
    job = scene.do(scene.resuming())
    while job.step is None or job.step.key != "launch":
        scene.site.tasks.running[0].step()
    assert not job.can_stop


def test_a_killed_admin_loses_the_job_and_not_the_operation() -> None:
    scene = pending()
    scene.do(scene.resuming())
    scene.site.tasks.running[0].step()
    after = again(scene)
    assert after.stage is Stage.ADMIN_UPDATE_PENDING
    assert going_on(after).error is None
    assert len(updaters(after)) == 1


# A retry


def test_a_retry_prepares_while_the_operation_is_still_failed() -> None:
    scene = failed()
    job = scene.do(scene.resuming())
    while job.step is None or job.step.key != "launch":
        scene.site.tasks.running[0].step()
        assert scene.stage is Stage.FAILED_RECOVERABLE
    scene.finish()
    assert (job.error, scene.stage) == (None, Stage.ADMIN_RECONNECT_PENDING)
    assert [attempt.number for attempt in attempts(scene)] == [1, 2]


def test_a_retry_whose_preparation_fails_records_the_new_failure_and_stays_failed() -> None:
    scene = failed()
    trouble(scene, "prepare image", EngineFailure(code=Code.IMAGE_PULL_DENIED))
    assert going_on(scene).error is not None
    assert failure(scene) == (Stage.FAILED_RECOVERABLE, "image_pull_denied", Stage.ADMIN_UPDATE_PENDING)
    assert len(attempts(scene)) == 1


def test_a_stopped_retry_leaves_the_failure_as_it_was() -> None:
    scene = failed()
    before = scene.site.world.files[B1]
    job = scene.do(scene.resuming())
    while job.step is None or job.step.key != "image":
        scene.site.tasks.running[0].step()
    scene.house.jobs.stop(job.id)
    while scene.site.tasks.running:
        scene.site.tasks.running[0].step()
    assert scene.site.world.files[B1] == before


def test_a_retry_is_refused_before_it_is_a_job_while_the_last_updater_lives() -> None:
    scene = handed_over()
    scene.put(
        B1,
        evolve(
            scene.transition,
            stage=Stage.FAILED_RECOVERABLE,
            failed_stage=Stage.ADMIN_RECONNECT_PENDING,
            resume_stage=Stage.ADMIN_UPDATE_PENDING,
            error_code="replacement_updater_failed",
        ),
    )
    before = scene.files
    assert scene.refused(scene.resuming()).code is Code.REPLACEMENT_ACTIVE
    assert (scene.files, scene.house.work.holder) == (before, None)


# While it is handed over


def test_elsewhere_a_resume_only_reports() -> None:
    scene = handed_over()
    before = scene.files
    status = scene.do(scene.resuming())
    assert status.transition.record.stage is Stage.ADMIN_RECONNECT_PENDING
    assert scene.files == before


def test_the_page_sees_attempt_step_and_entries() -> None:
    """`http.md` 5.4, `replacement.md` 7.7."""
    scene = chosen()
    assert scene.do(alignment_status(scene.house)).transition is None
    scene.job(updating(scene))
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    assert (view.replacement_active, view.next_actions, view.cancel_available) == (True, (), False)
    assert view.replacement is not None
    assert (view.replacement.attempt, view.replacement.outcome.value) == (1, "launched")
    assert (view.replacement.step, view.replacement.step_at, view.replacement.entries) == (None, None, None)
    host(scene).silent = True
    silent = scene.do(alignment_status(scene.house)).transition
    assert silent is not None
    assert silent.replacement_active is None


def test_a_worker_that_lost_its_workflow_hands_nothing_over() -> None:
    """`seed 000` 5.4, row 26c: it reads B0 again before the durable step."""
    scene = chosen()
    job = scene.do(updating(scene))
    while job.step is None or job.step.key != "smoke":
        scene.site.tasks.running[0].step()
    scene.put("state/guided-setup-workflow.json", evolve(scene.setup, workflow_id="w" * 43))
    scene.finish()
    assert job.error is not None
    assert job.error.code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert (updaters(scene), DISPATCH in scene.files) == ((), False)


# The route


def test_an_admin_that_is_aligned_needs_no_update() -> None:
    scene = again(chosen())
    scene.open()
    scene.house = evolve(scene.house, own=Scene().house.own)
    before = scene.files
    assert scene.refused(updating(scene)).code is Code.ADMIN_UPDATE_NOT_REQUIRED
    assert scene.files == before


def test_a_refused_claim_leaves_the_confirmation_unspent() -> None:
    scene = chosen()
    other = scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    assert scene.refused(updating(scene)).code is Code.WORK_IN_PROGRESS
    scene.house.work.release(other.id)
    assert scene.job(updating(scene)).error is None


def test_an_update_under_way_is_reported_and_launches_nothing_more() -> None:
    scene = handed_over()
    scene.open()
    job = scene.job(updating(scene))
    assert (job.status, job.reconnect, len(updaters(scene))) == (JobStatus.SUCCEEDED, True, 1)


def test_an_expired_update_of_ones_own_is_cancelled_and_begun_anew() -> None:
    """`site.md` 3, Expiry: under the same claim and workflow; the updater that never started goes with it."""
    scene = pending()
    work = scene.do(scene.resuming())
    while scene.stage is not Stage.ADMIN_RECONNECT_PENDING:
        scene.site.tasks.running[0].step()
    assert work.status is JobStatus.RUNNING
    after = again(scene, started=False)
    first = after.transition.operation_id
    after.site.clock.pass_time(after.transition.expires_at - after.transition.created_at)
    look(after)
    after.open()
    assert after.job(updating(after)).error is None
    assert after.transition.operation_id != first
    assert [updater.operation_id for updater in updaters(after)] == [after.transition.operation_id]


def test_an_expired_update_whose_updater_lives_is_not_begun_anew() -> None:
    """F43: expiry never outranks life."""
    scene = handed_over()
    scene.site.clock.pass_time(scene.transition.expires_at - scene.transition.created_at)
    scene.open()
    before = scene.site.world.files[B1]
    assert scene.refused(updating(scene)).code is Code.REPLACEMENT_ACTIVE
    assert scene.site.world.files[B1] == before


def test_the_walk_of_a_silent_engine_is_waited_for_by_nobody() -> None:
    scene = pending()
    trouble(scene, "look for other updaters", Silence())
    job = going_on(scene)
    assert job.error is not None
    assert job.error.code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.stage is Stage.ADMIN_UPDATE_PENDING, "nothing was written, so a resume does it again"
