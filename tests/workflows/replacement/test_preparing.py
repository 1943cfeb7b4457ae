"""Before the handover: what is tried first, what a failure records, and that a stop leaves everything as it was.

`replacement.md` 7.2, 7.6; `http.md` 5.5; `faults.md` F20, F21.
"""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import EngineFailure
from tests.memory.house import TAG
from tests.memory.outside import MemoryBuilds
from tests.workflows.replacement.moments import going_on
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    again,
    attempts,
    failed,
    handed_over,
    host,
    pending,
    trouble,
    updaters,
)
from tests.workflows.scene import B1, Scene

CORRUPT = EngineFailure(code=Code.IMAGE_SMOKE_FAILED, message="the storage may be damaged")


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
