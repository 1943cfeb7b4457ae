"""Jobs: what people see of running work, and how it is stopped (`http.md` 5.4; F38 to F41)."""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.jobs import KEPT, Job, Jobs, JobStatus, StepStatus
from ems_admin.workflows.ports.engine import Progress
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.world import Call
from tests.workflows.places import opened, written
from tests.workflows.scene import Scene


def opened_job(scene: Scene, name: str = "j") -> Job:
    return scene.house.jobs.open(
        job_id=name, kind="test", steps=(("first", "First"), ("second", "Second")), workflow_id=None, operation_id=None
    )


def test_a_percentage_never_falls() -> None:
    """F39."""
    job = opened_job(Scene())
    seen = []
    for percent in (10, 40, 20, None, 90, 5):
        job.report(Progress(step="first", percent=percent))
        assert job.step is not None
        seen.append(job.step.percent)
    assert seen == [10, 40, 40, 40, 90, 90]


def test_a_step_ends_when_the_next_one_reports() -> None:
    job = opened_job(Scene())
    job.report(Progress(step="first"))
    job.report(Progress(step="second"))
    assert [step.status for step in job.steps] == [StepStatus.SUCCEEDED, StepStatus.RUNNING]


def test_the_running_step_shares_the_fate_of_its_job() -> None:
    scene = Scene()
    job = opened_job(scene)
    job.report(Progress(step="first"))
    job.end(scene.site.clock.now(), Refusal(Code.IMAGE_PULL_DENIED))
    assert job.status is JobStatus.FAILED
    assert [step.status for step in job.steps] == [StepStatus.FAILED, StepStatus.PENDING]


def test_a_report_of_a_step_that_nobody_declared_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        opened_job(Scene()).report(Progress(step="third"))


def test_the_last_jobs_are_kept_and_a_running_one_always() -> None:
    scene = Scene()
    running = opened_job(scene, "running")
    for number in range(2 * KEPT):
        opened_job(scene, f"j{number}").end(scene.site.clock.now())
    assert scene.house.jobs.find("running") is running
    assert len(scene.house.jobs.jobs) <= KEPT + 1
    assert scene.house.jobs.find("j0") is None


def test_a_download_can_be_stopped_and_leaves_a_way_on() -> None:
    scene = opened()
    job = scene.do(scene.fetching())
    task = scene.site.tasks.running[0]
    while task.step() != Call("commit releases/v1.0.0/manifest.json"):
        pass
    scene.house.jobs.stop(job.id)
    scene._run_tasks()
    assert (job.status, job.error and job.error.code) == (JobStatus.FAILED, Code.JOB_CANCELLED)
    assert scene.house.work.holder is None
    assert scene.stage is Stage.ADMIN_ALIGNED
    scene.do(scene.resuming())
    assert scene.transition.stage is Stage.RESOURCES_VERIFIED


def test_a_step_that_writes_is_not_stopped() -> None:
    scene = written()
    job = scene.do(scene.preparing())
    scene.site.tasks.running[0].step()
    with pytest.raises(RefusalError) as refused:
        scene.house.jobs.stop(job.id)
    assert refused.value.refusal.code is Code.JOB_NOT_CANCELLABLE
    scene.finish()
    assert job.status is JobStatus.SUCCEEDED


def test_an_ended_job_is_not_stopped_and_an_unknown_one_not_found() -> None:
    scene = opened()
    job = scene.fetch()
    for job_id, code in ((job.id, Code.JOB_NOT_CANCELLABLE), ("f" * 16, Code.NOT_FOUND)):
        with pytest.raises(RefusalError) as refused:
            scene.house.jobs.stop(job_id)
        assert refused.value.refusal.code is code


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (WorkKind.SYSTEM_BUILD_UPDATE_ADMIN, Code.SETUP_OPERATION_IN_PROGRESS),
        (WorkKind.TRANSITION_RESUME, Code.WORK_IN_PROGRESS),
    ],
)
def test_who_joins_work_that_ends_without_a_job_hears_whose_work_it_was(kind: WorkKind, code: Code) -> None:
    """The first of two equal requests was refused behind the claim, so there is nothing to join (`site.md` 2)."""
    scene = Scene()
    gone = WorkEntry(
        id="e" * 16,
        kind=kind,
        workflow_id=None,
        operation_id=None,
        started_at=scene.site.clock.now(),
        request_hash="a" * 64,
        job_id=None,
    )
    refusal = scene.refused(scene.house.jobs.of(gone))
    assert (refusal.code, refusal.more) == (code, {"operation": kind})


def test_after_a_restart_a_job_is_unknown_and_the_operation_tells_the_truth() -> None:
    """`seed 000` 1.2."""
    scene = opened()
    job = scene.do(scene.fetching())
    after = scene.restart()
    assert after.house.jobs.find(job.id) is None
    assert after.transition.operation_id == job.operation_id


def test_a_fault_of_the_program_ends_the_job_and_frees_the_site() -> None:
    scene = Scene()
    jobs: Jobs = scene.house.jobs
    job, freed = opened_job(scene), []

    async def fault() -> None:
        raise ZeroDivisionError

    jobs.run(job, fault(), lambda: freed.append(True))
    scene._run_tasks()
    task = scene.site.tasks.started.pop()
    assert isinstance(task.error, ZeroDivisionError)
    assert (job.status, job.error and job.error.code) == (JobStatus.FAILED, Code.INTERNAL_ERROR)
    assert freed == [True]
