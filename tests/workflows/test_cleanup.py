"""The cleanup of an ended Setup: claim and proof are two decisions (`seed 000` 5.3)."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

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
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.arbiter.start_path import Choice, StartPath, start_path
from ems_admin.workflows.setup.view import read_setup
from tests.workflows.places import opened, prepared, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, CONFIG, Scene
from tests.workflows.stubborn import Stubborn

KIND, STATUS = ArtifactKind, ArtifactStatus
HOUR = timedelta(hours=1)


def directory(scene: Scene) -> list[str]:
    return [name for name in scene.files if name.startswith("workflows/")]


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
