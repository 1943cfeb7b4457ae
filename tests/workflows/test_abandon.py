"""The end of a Setup: its own operation, then the workflow, then what it left behind (`seed 000` 5.3, 5.4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import (
    ArtifactKind,
    ArtifactStatus,
    CleanupState,
    WorkflowStatus,
)
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from tests.workflows.places import PLACES, fetched, opened, prepared, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, CONFIG, CREDENTIALS, Scene

KIND, STATUS = ArtifactKind, ArtifactStatus
HOUR = timedelta(hours=1)


def directory(scene: Scene) -> list[str]:
    return [name for name in scene.files if name.startswith("workflows/")]


@pytest.mark.parametrize("place", ["opened", "fetched", "reviewed", "written", "prepared", "failed"])
def test_from_every_place_nothing_of_the_workflow_is_left(place: str) -> None:
    """`seed 000` 1.1."""
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
