"""Prepare and start: what was written goes live, is started, proven healthy, and remembered (`seed 000` 2.2, 5.4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.setup import NO_ARTIFACTS, GeneratedMetadata, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.work_kinds import WorkKind
from ems_admin.workflows.jobs import Job, JobStatus, StepStatus
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.files import DirectoryVerdict
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.files import MemoryInstallation
from tests.memory.house import EMS_DIGEST
from tests.memory.outside import RUNNING
from tests.memory.world import Call, Mark
from tests.workflows.places import SECRET, fetched, prepared, reviewed, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, B5, CONFIG, CREDENTIALS, INTENT, UNPROVABLE, Scene

HOUR = timedelta(hours=1)


def sidecar(scene: Scene, **changes: Any) -> None:
    name = f"workflows/guided-setup/{scene.workflow_id}/generated/config.meta.json"
    scene.put(name, evolve(scene.record(name, GeneratedMetadata), **changes))


def generated_name(scene: Scene) -> str:
    return f"workflows/guided-setup/{scene.workflow_id}/generated/config.json"


def code_of(job: Job) -> Code | str | None:
    return None if job.error is None else job.error.code


# Prepare: what it refuses, in order


def no_build(scene: Scene) -> None:
    del scene.site.world.files["releases/v1.0.0/manifest.json"]


def no_config(scene: Scene) -> None:
    del scene.site.world.files[generated_name(scene)]


def other_owner(scene: Scene) -> None:
    sidecar(scene, workflow_id="w" * 43)


def other_live_config(scene: Scene) -> None:
    scene.site.world.files[CONFIG] = b"{}"


def nobody_to_run_as(scene: Scene) -> None:
    scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, identity=None))


def an_install(scene: Scene) -> None:
    scene.site.world.files["/stack.json"] = b"{}"


ORDER = (
    (no_build, Code.RELEASE_NOT_PREPARED),
    (no_config, Code.GENERATED_CONFIG_MISSING),
    (other_owner, Code.GENERATED_CONFIG_REVIEW_REQUIRED),
    (other_live_config, Code.STALE_GENERATED_CONFIG),
    (nobody_to_run_as, Code.RUNTIME_IDENTITY_MISSING),
    (an_install, Code.EXISTING_INSTALL_CONFLICT),
)


@pytest.mark.parametrize("number", range(len(ORDER)))
def test_prepare_refuses_in_its_order_and_writes_nothing(number: int) -> None:
    scene = written()
    for break_it, _ in ORDER[number:]:
        break_it(scene)
    before = scene.files
    assert scene.refused(scene.preparing()).code is ORDER[number][1]
    assert scene.files == before
    assert scene.house.work.holder is None


def test_prepare_refuses_to_replace_another_prepared_config() -> None:
    scene = prepared()
    scene.put(B3, evolve(scene.marker, config_sha256="0" * 64))
    assert scene.refused(scene.preparing()).code is Code.WORKSPACE_CONFLICT
    assert scene.job(scene.preparing(overwrite=True)).error is None


@pytest.mark.parametrize("act", ["preparing", "starting"])
@pytest.mark.parametrize(
    ("given", "code"), [(None, Code.SETUP_WORKFLOW_REQUIRED), ("w" * 43, Code.SETUP_WORKFLOW_NOT_ACTIVE)]
)
def test_both_need_the_exact_workflow(act: str, given: str | None, code: Code) -> None:
    scene = prepared()
    assert scene.refused(getattr(scene, act)(workflow_id=given)).code is code


@pytest.mark.parametrize("act", ["preparing", "starting"])
def test_both_need_verified_resources_before_anything_of_their_own(act: str) -> None:
    scene = fetched()
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_ALIGNED))
    assert scene.refused(getattr(scene, act)()).code is Code.SYSTEM_ALIGNMENT_INCOMPLETE


# Prepare: who owns what was written, and whether it is fresh (W3)


def test_a_newer_preview_never_disowns_what_was_written() -> None:
    """`site.md` 1.3, D2."""
    scene = written()
    scene.review(secret_draft())
    assert scene.job(scene.preparing()).error is None
    assert scene.files[CONFIG] == scene.generated()


@pytest.mark.parametrize(
    "changes", [{"owner": "somebody"}, {"preview_id": "p" * 43}, {"prepared_config_sha256": "0" * 64}]
)
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_sidecar_that_is_not_ours_needs_a_review_whatever_is_agreed_to(
    changes: dict[str, str], overwrite: bool
) -> None:
    scene = written()
    sidecar(scene, **changes)
    before = scene.files
    assert scene.refused(scene.preparing(overwrite=overwrite)).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED
    assert scene.files == before


def test_a_config_without_sidecar_needs_a_review() -> None:
    scene = written()
    del scene.site.world.files[generated_name(scene).replace("config.json", "config.meta.json")]
    assert scene.refused(scene.preparing()).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED


@pytest.mark.parametrize("tampered", [b"{}", b"\xff"])
def test_a_tampered_config_needs_a_review(tampered: bytes) -> None:
    scene = written()
    scene.site.world.files[generated_name(scene)] = tampered
    assert scene.refused(scene.preparing()).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED


def live_beside(base: bytes | None, live: bytes | str | None) -> Scene:
    scene = fetched()
    if base is not None:
        scene.site.world.files[CONFIG] = base
    scene.review()
    scene.do(scene.writing())
    now = scene.generated() if live == "generated" else live
    scene.site.world.files.pop(CONFIG, None)
    if isinstance(now, bytes):
        scene.site.world.files[CONFIG] = now
    return scene


@pytest.mark.parametrize(
    ("base", "live", "fresh"),
    [
        (None, None, True),
        (None, "generated", True),
        (None, b'{"other": 1}', False),
        (b'{"base": 1}', None, False),
        (b'{"base": 1}', b'{"base": 1}', True),
        (b'{"base": 1}', "generated", True),
        (b'{"base": 1}', b'{"other": 1}', False),
    ],
)
def test_freshness_knows_presence_and_absence(base: bytes | None, live: bytes | str | None, fresh: bool) -> None:
    scene = live_beside(base, live)
    if fresh:
        assert scene.job(scene.preparing(overwrite=True)).error is None
        assert scene.files[CONFIG] == scene.generated()
        return
    before = scene.files
    assert scene.refused(scene.preparing(overwrite=True)).code is Code.STALE_GENERATED_CONFIG
    assert scene.files == before


def test_a_config_that_was_applied_already_is_no_foreign_install() -> None:
    scene = reviewed()
    scene.do(scene.applying())
    scene.review()
    scene.do(scene.writing())
    assert scene.job(scene.preparing()).error is None


# Prepare: what the worker does


def test_prepare_leaves_config_secrets_stack_and_a_marker_that_says_so() -> None:
    scene = written(draft=secret_draft())
    stage = scene.transition
    job = scene.job(scene.preparing())
    assert (job.status, [step.status for step in job.steps]) == (JobStatus.SUCCEEDED, [StepStatus.SUCCEEDED] * 6)
    marker = scene.marker
    assert scene.files[CONFIG] == scene.generated()
    assert SECRET in scene.files[CREDENTIALS].decode()
    assert (marker.owner, marker.workflow_id) == ("guided_setup", scene.workflow_id)
    assert marker.config_sha256 == scene.setup.preview.prepared_config_sha256  # type: ignore[union-attr]  # kept
    assert scene.setup.artifacts.deployment_marker == B3
    assert scene.transition == stage, "preparing never moves the operation"
    assert INTENT not in scene.files


def test_secrets_that_cannot_be_read_are_not_taken_for_none() -> None:
    scene = written(draft=secret_draft())
    scene.site.world.files[generated_name(scene).replace("config.json", "credentials.json")] = b"\xff"
    job = scene.job(scene.preparing())
    assert code_of(job) is Code.CREDENTIAL_STAGING_FAILED
    assert CONFIG not in scene.files


def test_an_engine_that_is_silent_ends_the_job_before_any_write() -> None:
    scene = written()
    scene.engine.reachable = False
    before = scene.files
    assert code_of(scene.job(scene.preparing())) is Code.SERVICE_MANAGER_UNREACHABLE
    assert scene.files == before


def test_a_live_config_that_changes_under_the_worker_is_not_written_over() -> None:
    scene = written()
    job = scene.do(scene.preparing())
    scene.site.world.files[CONFIG] = b"{}"
    scene.finish()
    assert code_of(job) is Code.STALE_GENERATED_CONFIG
    assert scene.files[CONFIG] == b"{}"
    assert B3 not in scene.files


@pytest.mark.parametrize("place", ["workspace", "commit /stack.json", "commit state/.admin-deployment.json"])
def test_a_worker_whose_workflow_is_another_by_now_commits_nothing_more(place: str) -> None:
    """Row 26c: the identity is the carried one, never whichever is stored."""
    scene = written()
    job = scene.do(scene.preparing())
    task = scene.site.tasks.running[0]
    mark: Mark | None = None
    before = {"workspace": Call("engine status"), "commit /stack.json": Call("commit state/config-commit.json")}
    stop = before.get(place, Call("not writable"))
    while mark != stop:
        mark = task.step()
    replacement = evolve(scene.setup, workflow_id="w" * 43, artifacts=NO_ARTIFACTS)
    scene.put(B0, replacement)
    if place == "commit /stack.json":
        while INTENT not in scene.files or mark != Call(f"commit {INTENT}"):
            mark = task.step()
    scene.finish()
    assert code_of(job) is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert B3 not in scene.files
    assert scene.setup == replacement
    if place == "workspace":
        assert CONFIG not in scene.files
    if place != "commit state/.admin-deployment.json":
        assert "/stack.json" not in scene.files


def test_a_foreign_marker_is_never_claimed_before_it_is_replaced() -> None:
    """A cut, or a full disk, while the marker is written leaves the older install's marker nobody's question."""
    installed = running()
    scene = Scene()
    scene.site.ids.count = installed.site.ids.count
    scene.site.world.files[B3] = installed.files[B3]
    scene.open(confirm=True)
    scene.fetch()
    scene.review()
    scene.do(scene.writing())
    scene.fail(B3)
    assert scene.job(scene.preparing(overwrite=True)).error is not None
    scene.do(scene.abandoning())
    assert scene.files[B3] == installed.files[B3]


def test_the_same_preparation_is_joined_and_another_one_refused() -> None:
    scene = written()
    job = scene.do(scene.preparing())
    assert scene.do(scene.preparing()).id == job.id
    refusal = scene.refused(scene.preparing(overwrite=True))
    assert (refusal.code, refusal.more) == (
        Code.SETUP_OPERATION_IN_PROGRESS,
        {"operation": WorkKind.DEPLOYMENT_PREPARE},
    )
    scene.finish()
    assert job.status is JobStatus.SUCCEEDED
    assert scene.house.work.holder is None


def test_no_mutation_begins_while_a_directory_cannot_be_written() -> None:
    scene = written()
    verdict = DirectoryVerdict(code=Code.CONFIG_NOT_WRITABLE, detail="config is 0:0, running as 1000:1000")
    scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, verdict=verdict))
    before = scene.files
    for work in (scene.preparing(), scene.starting(), scene.writing(), scene.applying(), scene.abandoning()):
        refusal = scene.refused(work)
        assert (refusal.code, refusal.detail) == (Code.CONFIG_NOT_WRITABLE, verdict.detail)
    assert scene.files == before


# Start


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
    scene = prepared()
    for break_it, _ in START_ORDER[number:]:
        break_it(scene)
    before = scene.files
    assert scene.refused(scene.starting()).code is START_ORDER[number][1]
    assert scene.files == before


@pytest.mark.parametrize("changes", [{"owner": "somebody"}, {"release": "v0.9.0"}])
def test_a_marker_of_another_release_or_owner_starts_nothing(changes: dict[str, Any]) -> None:
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
    scene.do(scene.resuming())
    scene.job(scene.starting())
    assert Code.DASHBOARD_UNREACHABLE not in scene.house.warnings.shown


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
