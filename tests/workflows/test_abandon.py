"""The end of a Setup: its own operation, then the workflow, then what it left behind (`seed 000` 5.3, 5.4)."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import (
    ArtifactKind,
    ArtifactStatus,
    Cleanup,
    CleanupEntry,
    CleanupState,
    WorkflowStatus,
)
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.work_kinds import WorkKind
from ems_admin.workflows.setup_view import read_setup
from ems_admin.workflows.start_path import Choice, StartPath, start_path
from tests.memory.files import MemorySetupFiles
from tests.workflows.places import PLACES, fetched, opened, prepared, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, CONFIG, CREDENTIALS, Scene

KIND, STATUS = ArtifactKind, ArtifactStatus
HOUR = timedelta(hours=1)


def directory(scene: Scene) -> list[str]:
    return [name for name in scene.files if name.startswith("workflows/")]


@pytest.mark.parametrize("place", ["opened", "fetched", "reviewed", "written", "prepared", "failed"])
def test_from_every_place_nothing_of_the_workflow_is_left(place: str) -> None:
    scene = PLACES[place]()
    live = {name: data for name, data in scene.files.items() if name in {CONFIG, CREDENTIALS, "/running-ems"}}
    ended = scene.do(scene.abandoning())
    setup = scene.setup
    assert (setup.status, setup.preview) == (WorkflowStatus.ABANDONED, None)
    assert (setup.cleanup.state, ended.setup) == (CleanupState.COMPLETE, setup)
    assert B1 not in scene.files or scene.stage is Stage.CANCELLED
    assert not directory(scene)
    assert B3 not in scene.files
    assert live.items() <= scene.files.items(), "live config and running EMS are not its to remove"
    assert scene.house.work.holder is None


def test_the_operation_is_cancelled_before_the_workflow_ends() -> None:
    scene = written(draft=secret_draft())
    scene.durable.clear()
    scene.do(scene.abandoning())
    assert scene.durable == [B1, B0, "generated_config", "generated_metadata", "workflow_directory", B0]


@pytest.mark.parametrize(
    ("given", "code"), [(None, Code.SETUP_WORKFLOW_REQUIRED), ("w" * 43, Code.SETUP_WORKFLOW_NOT_ACTIVE)]
)
def test_whatever_is_stored_is_never_abandoned_by_default(given: str | None, code: Code) -> None:
    scene = written()
    before = scene.files
    assert scene.refused(scene.abandoning(workflow_id=given)).code is code
    assert scene.files == before


def test_abandoning_twice_says_it_again_and_changes_nothing() -> None:
    scene = written()
    first = scene.do(scene.abandoning())
    before = scene.files
    assert scene.do(scene.abandoning()).setup == first.setup
    assert scene.files == before


def test_a_completed_workflow_is_not_abandoned() -> None:
    scene = running()
    before = scene.files
    assert scene.refused(scene.abandoning()).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert scene.files == before


# Whose the operation is


@pytest.mark.parametrize(
    ("own", "live", "code"),
    [
        (None, {}, Code.SETUP_TRANSITION_OWNER_UNPROVEN),
        ("f" * 32, {}, Code.SETUP_TRANSITION_CONTEXT_MISMATCH),
        (..., {"mode": Mode.GUIDED_UPGRADE}, Code.SETUP_TRANSITION_OWNER_UNPROVEN),
        (..., {"mode": Mode.ALIGN_EXISTING_INSTALL}, Code.SETUP_TRANSITION_OWNER_UNPROVEN),
    ],
)
def test_an_owner_that_is_not_proven_ends_nothing_and_cleans_nothing(
    own: Any, live: dict[str, Any], code: Code
) -> None:
    scene = written()
    if own is not ...:
        scene.put(B0, evolve(scene.setup, operation_id=own))
    scene.put(B1, evolve(scene.transition, **live))
    before = scene.files
    assert scene.refused(scene.abandoning()).code is code
    assert scene.files == before
    assert scene.house.work.holder is None


def test_an_unreadable_operation_is_nobodys_to_end() -> None:
    scene = written()
    scene.site.world.files[B1] = b"{"
    before = scene.files
    assert scene.refused(scene.abandoning()).code is Code.TRANSITION_STATUS_UNAVAILABLE
    assert scene.files == before


@pytest.mark.parametrize("state", [CleanupState.PENDING, CleanupState.REVIEW_REQUIRED])
def test_the_retry_of_a_cleanup_asks_for_the_owner_as_well(state: CleanupState) -> None:
    scene = written()
    owed = evolve(scene.setup.cleanup, state=state)
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, preview=None, cleanup=owed))
    scene.put(B1, evolve(scene.transition, operation_id="f" * 32))
    before = scene.files
    assert scene.refused(scene.abandoning()).code is Code.SETUP_TRANSITION_CONTEXT_MISMATCH
    assert scene.files == before


# Whether now is a safe moment


def test_a_running_mutation_keeps_its_workflow() -> None:
    scene = opened()
    scene.do(scene.fetching())
    before = scene.files
    refusal = scene.refused(scene.abandoning())
    assert (refusal.code, refusal.more) == (
        Code.SETUP_OPERATION_IN_PROGRESS,
        {"operation": WorkKind.SETUP_RELEASE_PREPARE},
    )
    assert scene.files == before
    scene.finish()
    scene.do(scene.abandoning())


def test_an_import_of_a_resume_is_external_work() -> None:
    """Row 18c: refused while it runs, in its first hour by the store and later by the worker."""
    scene = opened()
    scene.do(scene.fetching())
    scene = scene.restart()
    work = scene.resuming()
    scene.until(work, lambda _mark: bool(scene.site.tasks.started))
    assert scene.refused(scene.abandoning()).code is Code.MUTATION_IN_PROGRESS
    scene.site.clock.pass_time(HOUR)
    assert scene.refused(scene.abandoning()).code is Code.TRANSITION_WORKER_ACTIVE
    assert scene.setup.status is WorkflowStatus.ACTIVE


def test_a_stale_import_claim_of_a_dead_process_is_in_nobodys_way() -> None:
    scene = opened()
    scene.do(scene.fetching())
    scene._step(scene.site.tasks.running[0])
    while scene.transition.resources_claimed_at is None:
        scene._step(scene.site.tasks.running[0])
    after = scene.restart()
    assert after.transition.resources_claimed_at is not None
    after.do(after.abandoning())
    assert after.stage is Stage.CANCELLED


@pytest.mark.parametrize("stage", [Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING])
def test_a_stage_that_mutates_is_left_only_once_it_has_expired(stage: Stage) -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=stage))
    before = scene.files
    assert scene.refused(scene.abandoning()).code is Code.MUTATION_IN_PROGRESS
    assert scene.files == before
    scene.site.clock.pass_time(HOUR)
    scene.do(scene.abandoning())
    assert scene.stage is Stage.CANCELLED


def test_a_cancel_that_cannot_be_made_durable_ends_nothing() -> None:
    scene = written()
    before = scene.files
    scene.fail(B1)
    assert scene.refused(scene.abandoning()).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.files == before
    assert scene.house.work.holder is None
    scene.do(scene.abandoning())


# What is cleaned


def test_every_artifact_is_reported_by_its_own_name() -> None:
    scene = prepared(draft=secret_draft())
    ended = scene.do(scene.abandoning())
    assert {(entry.kind, entry.status) for entry in ended.cleanup} == {
        (KIND.GENERATED_CONFIG, STATUS.REMOVED),
        (KIND.GENERATED_METADATA, STATUS.REMOVED),
        (KIND.WORKFLOW_DIRECTORY, STATUS.REMOVED),
        (KIND.DEPLOYMENT_MARKER, STATUS.REMOVED),
    }


def test_a_claimed_artifact_that_is_gone_is_absent() -> None:
    scene = prepared()
    del scene.site.world.files[B3]
    ended = scene.do(scene.abandoning())
    assert CleanupEntry(kind=KIND.DEPLOYMENT_MARKER, status=STATUS.ABSENT) in ended.cleanup


def test_a_workflow_without_claims_sees_no_leftover_in_an_installed_system() -> None:
    """Row 23b: known paths create no ownership."""
    installed = running()
    files = {B3: installed.files[B3], "generated/config.json": b"{}", CONFIG: installed.files[CONFIG]}
    scene = Scene()
    scene.site.ids.count = installed.site.ids.count
    scene.site.world.files.update(files)
    scene.open(confirm=True)
    ended = scene.do(scene.abandoning())
    assert ended.cleanup == ()
    assert scene.setup.cleanup.state is CleanupState.COMPLETE
    assert files.items() <= scene.files.items()


def test_a_marker_that_names_this_workflow_needs_no_claim() -> None:
    """Content that specific is itself the claim: a cut between marker and claim leaves nothing behind."""
    scene = prepared()
    scene.put(B0, evolve(scene.setup, artifacts=evolve(scene.setup.artifacts, deployment_marker=None)))
    scene.do(scene.abandoning())
    assert B3 not in scene.files


@pytest.mark.parametrize("content", ["foreign", "unreadable"])
def test_a_claimed_artifact_without_proof_is_kept_for_a_person(content: str) -> None:
    """Row 23a; a recheck never converts it, and never removes it."""
    scene = prepared()
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))
    if content == "unreadable":
        scene.site.world.files[B3] = b"{"
    marker = scene.files[B3]
    refusal = scene.refused(scene.abandoning())
    assert refusal.code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED
    for _ in range(2):
        setup = scene.setup
        assert (setup.status, setup.cleanup.state) == (WorkflowStatus.ABANDONED, CleanupState.REVIEW_REQUIRED)
        assert setup.artifacts.deployment_marker is not None
        assert scene.files[B3] == marker
        assert not directory(scene), "what is provably its own is gone all the same"
        assert scene.refused(scene.abandoning()).code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED
    scene.put(B3, evolve(prepared().marker, workflow_id=scene.setup.workflow_id))
    scene.do(scene.abandoning())
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


@frozen
class Stubborn(MemorySetupFiles):
    """Setup files of which one cannot be removed, nor the directory that holds it."""

    stuck: frozenset[ArtifactKind] = frozenset({KIND.GENERATED_CONFIG, KIND.WORKFLOW_DIRECTORY})

    async def remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        return kind not in self.stuck and await super().remove(kind, workflow_id)


def entries(refusal: Refusal) -> tuple[CleanupEntry, ...]:
    told = refusal.more["cleanup"]
    assert isinstance(told, tuple)
    return told


def test_a_removal_that_fails_is_owed_and_the_others_go_on() -> None:
    """Row 23: the same workflow goes on owning what is left, until a retry converges."""
    scene = prepared()
    whole = scene.house
    scene.house = evolve(whole, setup_files=Stubborn(scene.site.world))
    refusal = scene.refused(scene.abandoning())
    assert refusal.code is Code.ABANDON_CLEANUP_INCOMPLETE
    assert CleanupEntry(kind=KIND.GENERATED_CONFIG, status=STATUS.FAILED) in entries(refusal)
    setup = scene.setup
    assert (setup.status, setup.cleanup.state) == (WorkflowStatus.ABANDONED, CleanupState.PENDING)
    assert (setup.workflow_id, setup.cleanup.failed_count) == (scene.workflow_id, 2)
    assert B3 not in scene.files

    assert scene.refused(scene.abandoning()).code is Code.ABANDON_CLEANUP_INCOMPLETE
    assert scene.setup.cleanup.failed_count == 4

    scene.house = whole
    assert scene.refused(scene.abandoning(workflow_id="w" * 43)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    ended = scene.do(scene.abandoning())
    assert ended.setup is not None
    assert ended.setup.cleanup.state is CleanupState.COMPLETE
    assert not directory(scene)


def test_an_unfinished_cleanup_survives_a_restart_which_retries_it() -> None:
    scene = prepared()
    scene.house = evolve(scene.house, setup_files=Stubborn(scene.site.world))
    scene.refused(scene.abandoning())
    assert scene.restart(start_up=False).setup.cleanup.state is CleanupState.PENDING
    after = scene.restart()
    assert after.setup.cleanup.state is CleanupState.COMPLETE
    assert after.setup.workflow_id == scene.workflow_id


@pytest.mark.parametrize("state", [CleanupState.PENDING, CleanupState.REVIEW_REQUIRED])
def test_no_setup_begins_before_the_cleanup_of_the_last_one_has_converged(state: CleanupState) -> None:
    scene = written()
    owed = evolve(scene.setup.cleanup, state=state)
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, preview=None, cleanup=owed))
    scene.put(B1, evolve(scene.transition, stage=Stage.CANCELLED))
    before, intents = scene.files, dict(scene.house.intents.kept)
    assert scene.refused(_open(scene)).code is Code.SETUP_CLEANUP_REQUIRED
    assert (scene.files, scene.house.intents.kept) == (before, intents)


def _open(scene: Scene) -> Coroutine[Any, Any, StartPath]:
    return start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=True)


# Reviews that were never this workflow's


def stranded(scene: Scene, kind: ArtifactKind = KIND.DEPLOYMENT_MARKER) -> None:
    entry = CleanupEntry(kind=kind, status=STATUS.REVIEW_REQUIRED)
    cleanup = Cleanup(
        state=CleanupState.REVIEW_REQUIRED,
        attempted_at=scene.site.clock.now(),
        failed_count=0,
        review_count=1,
        artifacts=(entry,),
    )
    scene.do(scene.abandoning())
    scene.put(B0, evolve(scene.setup, cleanup=cleanup))


def test_a_stranded_review_is_settled_by_reading_and_no_file_is_touched() -> None:
    scene = opened()
    stranded(scene)
    scene.site.world.files[B3] = b"{}"
    before = scene.files
    scene.do(read_setup(scene.house))
    assert scene.setup.cleanup.state is CleanupState.COMPLETE
    assert {**scene.files, B0: b""} == {**before, B0: b""}


def test_a_stranded_review_stands_in_no_new_setups_way() -> None:
    """Workflow creation is an authoritative read as well."""
    scene = opened()
    stranded(scene)
    old = scene.workflow_id
    assert scene.open().setup_workflow_id != old


@pytest.mark.parametrize("kind", [KIND.WORKFLOW_DIRECTORY, KIND.GENERATED_CONFIG])
def test_a_genuine_question_is_never_settled_by_reading(kind: ArtifactKind) -> None:
    scene = opened()
    stranded(scene, kind)
    before = scene.files
    scene.do(read_setup(scene.house))
    assert scene.files == before


# Confirmations, and whoever comes late


def test_no_confirmation_outlives_its_workflow_in_any_session() -> None:
    scene = opened()
    stale, old = scene.intent_id, scene.workflow_id
    scene.caller = evolve(scene.caller, session="browser-2")
    scene.do(scene.abandoning())
    scene.open()
    scene.caller = Scene().caller
    assert scene.workflow_id != old
    assert scene.refused(scene.fetching(intent_id=stale)).code is Code.SETUP_INTENT_WORKFLOW_MISMATCH


@pytest.mark.parametrize("act", ["writing", "applying", "preparing", "starting", "fetching"])
def test_an_abandon_is_a_hard_barrier(act: str) -> None:
    scene = prepared()
    scene.do(scene.abandoning())
    before = scene.files
    assert scene.refused(getattr(scene, act)()).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert scene.files == before


def test_a_late_resume_of_an_abandoned_operation_never_starts() -> None:
    scene = fetched()
    scene.do(scene.abandoning())
    assert scene.refused(scene.resuming()).code is Code.NOT_RESUMABLE


# Before there were workflows


def test_a_setup_operation_without_any_workflow_is_cancelled_and_nothing_is_cleaned() -> None:
    scene = prepared()
    del scene.site.world.files[B0]
    before = scene.files
    assert scene.refused(scene.abandoning()).code is Code.SETUP_WORKFLOW_REQUIRED
    scene.do(scene.abandoning(workflow_id=None))
    assert scene.stage is Stage.CANCELLED
    assert {**scene.files, B1: b""} == {**before, B1: b""}


@pytest.mark.parametrize("mode", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])
def test_a_foreign_operation_without_any_workflow_is_left_alone(mode: Mode) -> None:
    scene = prepared()
    del scene.site.world.files[B0]
    scene.put(B1, evolve(scene.transition, mode=mode))
    before = scene.files
    assert scene.refused(scene.abandoning(workflow_id=None)).code is Code.SETUP_WORKFLOW_REQUIRED
    assert scene.files == before


def test_without_a_workflow_a_live_worker_keeps_its_operation() -> None:
    scene = prepared()
    del scene.site.world.files[B0]
    scene.house.work.begin(WorkKind.TRANSITION_RESUME, operation_id=scene.transition.operation_id)
    assert scene.refused(scene.abandoning(workflow_id=None)).code is Code.MUTATION_IN_PROGRESS
