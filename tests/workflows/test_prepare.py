"""Preparing the EMS: what is refused, in which order, and what the worker does (`seed 000` 5.4; `site.md` 8)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import NO_ARTIFACTS
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.jobs import JobStatus, StepStatus
from ems_admin.workflows.ports.files import DirectoryVerdict
from tests.memory.files import MemoryInstallation
from tests.memory.world import Call, Mark
from tests.workflows.deploying import code_of, generated_name, other_live_config, sidecar
from tests.workflows.places import SECRET, fetched, prepared, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, CONFIG, CREDENTIALS, INTENT, Scene

# Prepare: what it refuses, in order


def no_build(scene: Scene) -> None:
    del scene.site.world.files["releases/v1.0.0/manifest.json"]


def no_config(scene: Scene) -> None:
    del scene.site.world.files[generated_name(scene)]


def other_owner(scene: Scene) -> None:
    sidecar(scene, workflow_id="w" * 43)


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
    """`seed 000` 2.2."""
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
    """`seed 000` 2.4."""
    scene = prepared()
    assert scene.refused(getattr(scene, act)(workflow_id=given)).code is code


@pytest.mark.parametrize("act", ["preparing", "starting"])
def test_both_need_verified_resources_before_anything_of_their_own(act: str) -> None:
    """`site.md` 1."""
    scene = fetched()
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_ALIGNED))
    assert scene.refused(getattr(scene, act)()).code is Code.SYSTEM_ALIGNMENT_INCOMPLETE


# Prepare: what the worker does


def test_prepare_leaves_config_secrets_stack_and_a_marker_that_says_so() -> None:
    """`seed 000` 2.4."""
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
    """F13."""
    scene = written()
    verdict = DirectoryVerdict(code=Code.CONFIG_NOT_WRITABLE, detail="config is 0:0, running as 1000:1000")
    scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, verdict=verdict))
    before = scene.files
    for work in (scene.preparing(), scene.starting(), scene.writing(), scene.applying(), scene.abandoning()):
        refusal = scene.refused(work)
        assert (refusal.code, refusal.detail) == (Code.CONFIG_NOT_WRITABLE, verdict.detail)
    assert scene.files == before
