"""Starting the EMS: claimed, started, proven healthy, and remembered (`site.md` 3, 8; the seam `success`)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.deployment.view import deployment_status
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.house import EMS_DIGEST
from tests.memory.outside import RUNNING
from tests.workflows.deploying import code_of, other_live_config
from tests.workflows.places import prepared
from tests.workflows.scene import B0, B1, B3, B5, UNPROVABLE, Scene

HOUR = timedelta(hours=1)


def no_engine(scene: Scene) -> None:
    scene.engine.reachable = False


def no_marker(scene: Scene) -> None:
    scene.site.world.files.pop(B3, None)


def no_workspace(scene: Scene) -> None:
    scene.site.world.folders.clear()


def other_marker(scene: Scene) -> None:
    if B3 in scene.files:
        scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))


START_ORDER = (
    (no_engine, Code.SERVICE_MANAGER_UNREACHABLE),
    (no_marker, Code.DEPLOYMENT_NOT_PREPARED),
    (no_workspace, Code.DEPLOYMENT_WORKSPACE_MISSING),
    (other_marker, Code.DEPLOYMENT_MARKER_INVALID),
    (other_live_config, Code.DEPLOYMENT_CONFIG_MISMATCH),
)


@pytest.mark.parametrize("number", range(len(START_ORDER)))
def test_start_refuses_in_its_order_and_moves_nothing(number: int) -> None:
    """`seed 000` 2.2."""
    scene = prepared()
    for break_it, _ in START_ORDER[number:]:
        break_it(scene)
    before = scene.files
    assert scene.refused(scene.starting()).code is START_ORDER[number][1]
    assert scene.files == before


@pytest.mark.parametrize("changes", [{"owner": "somebody"}, {"release": "v0.9.0"}])
def test_a_marker_of_another_release_or_owner_starts_nothing(changes: dict[str, Any]) -> None:
    """`seed 000` 2.2."""
    scene = prepared()
    scene.put(B3, evolve(scene.marker, **changes))
    assert scene.refused(scene.starting()).code is Code.DEPLOYMENT_MARKER_INVALID


def test_an_unreadable_marker_starts_nothing() -> None:
    scene = prepared()
    scene.site.world.files[B3] = b"{"
    before = scene.files
    assert scene.refused(scene.starting()).code is Code.DEPLOYMENT_MARKER_INVALID
    assert scene.files == before


def test_expiry_closes_the_step_to_the_ems() -> None:
    scene = prepared()
    scene.site.clock.pass_time(HOUR)
    before = scene.files
    assert scene.refused(scene.starting()).code is Code.EXPIRED
    assert scene.files == before


def test_an_expired_step_that_was_taken_already_may_be_finished() -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=Stage.EMS_OPERATION_PENDING))
    scene.site.clock.pass_time(HOUR)
    assert scene.job(scene.starting()).error is None


def test_the_ems_operation_is_claimed_before_the_answer() -> None:
    """`seed 000` 2.4."""
    scene = prepared()
    scene.do(scene.starting())
    assert scene.stage is Stage.EMS_OPERATION_PENDING
    assert RUNNING not in scene.files


def test_success_ends_everything_in_the_order_of_its_seam() -> None:
    scene = prepared()
    scene.durable.clear()
    job = scene.job(scene.starting())
    assert job.status is JobStatus.SUCCEEDED
    assert scene.durable == [B1, B1, "the EMS runs", B1, B5, B1, B0]
    assert scene.stage is Stage.COMPLETED
    assert (scene.setup.status, scene.setup.preview) == (WorkflowStatus.COMPLETED, None)
    assert scene.setup.artifacts.deployment_marker == B3, "completion keeps claims and files"
    good = scene.record(B5, KnownGood)
    assert (good.ems_digest, good.system_tag) == (EMS_DIGEST, "v1.0.0")
    assert scene.house.work.holder is None
    assert scene.house.intents.newest_state() in {"consumed", "retired"}


def test_a_known_good_that_cannot_be_noted_completes_nothing_and_is_recovered_by_resume() -> None:
    scene = prepared()
    scene.fail(B5)
    assert scene.job(scene.starting()).error is not None
    assert (scene.stage, scene.setup.status) == (Stage.HEALTHCHECK_PENDING, WorkflowStatus.ACTIVE)
    assert B5 not in scene.files
    scene.do(scene.resuming())
    assert (scene.stage, scene.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED)


@pytest.mark.parametrize(
    ("step", "code", "failed_at"),
    [
        ("start", Code.EMS_START_FAILED, Stage.EMS_OPERATION_RUNNING),
        ("settle", Code.EMS_NOT_RUNNING, Stage.EMS_OPERATION_RUNNING),
        ("probe", Code.HEALTHCHECK_FAILED, Stage.HEALTHCHECK_PENDING),
    ],
)
def test_a_start_that_fails_says_where_it_goes_on(step: str, code: Code, failed_at: Stage) -> None:
    scene = prepared()
    scene.engine.fails[step] = EngineFailure(code=code, detail="ems")
    assert code_of(scene.job(scene.starting())) is code
    transition = scene.transition
    assert (transition.stage, transition.failed_stage, transition.resume_stage, transition.error_code) == (
        Stage.FAILED_RECOVERABLE,
        failed_at,
        Stage.EMS_OPERATION_PENDING,
        code,
    )
    scene.do(scene.resuming())
    assert scene.stage is Stage.EMS_OPERATION_PENDING
    assert scene.job(scene.starting()).error is None


def test_a_stranger_that_runs_is_not_taken_for_the_ems() -> None:
    scene = prepared()
    job = scene.do(scene.starting())
    while RUNNING not in scene.files:
        scene.site.tasks.running[0].step()
    scene.site.world.files[RUNNING] = b"e" * 64
    scene.finish()
    assert code_of(job) is Code.EMS_IDENTITY_MISMATCH
    assert scene.transition.resume_stage is Stage.EMS_OPERATION_PENDING


def test_an_ems_that_nobody_can_ask_is_checked_again_later() -> None:
    scene = prepared()
    job = scene.do(scene.starting())
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.engine.reachable = False
    scene.finish()
    assert code_of(job) is Code.EMS_IDENTITY_UNVERIFIABLE
    assert scene.transition.resume_stage is Stage.HEALTHCHECK_PENDING
    scene.engine.reachable = True
    scene.do(scene.resuming())
    assert scene.setup.status is WorkflowStatus.COMPLETED


def test_a_silent_dashboard_fails_the_check_and_stays_visible() -> None:
    scene = prepared()
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="dashboard")
    job = scene.job(scene.starting())
    assert job.error is not None
    assert (job.error.code, job.error.detail) == (Code.HEALTHCHECK_FAILED, "dashboard")
    assert Code.DASHBOARD_UNREACHABLE in scene.house.warnings.shown
    assert scene.do(deployment_status(scene.house)).dashboard_reachable is False
    scene.do(scene.resuming())
    scene.job(scene.starting())
    assert Code.DASHBOARD_UNREACHABLE not in scene.house.warnings.shown
    assert scene.do(deployment_status(scene.house)).dashboard_reachable is None


def test_a_failure_that_nobody_can_note_is_a_failure_all_the_same() -> None:
    scene = prepared()
    scene.engine.fails["start"] = EngineFailure(code=Code.EMS_START_FAILED)
    job = scene.do(scene.starting())
    while scene.stage is not Stage.EMS_OPERATION_RUNNING:
        scene.site.tasks.running[0].step()
    scene.fail(B1, UNPROVABLE, lands=False)
    scene.finish()
    assert job.status is JobStatus.FAILED
    assert scene.house.work.holder is None
    assert scene.stage is Stage.EMS_OPERATION_RUNNING
    with pytest.raises(RefusalError):
        scene.do(scene.resuming())
    assert scene.transition.error_code == Code.EMS_OPERATION_INTERRUPTED
