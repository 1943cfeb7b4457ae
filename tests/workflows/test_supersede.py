"""Another build after a Setup has begun (`seed 000` 3 row 16d, 5.3, 5.4)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ArtifactKind, CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.ports.files import Layout
from ems_admin.workflows.setup.supersede import Superseded, supersede
from tests.memory.files import MemoryInstallation
from tests.memory.house import TAG
from tests.workflows.places import PLACES, fetched, opened, prepared, running, secret_draft, written
from tests.workflows.scene import B0, B1, B3, CONFIG, PowerCut, Scene
from tests.workflows.stubborn import Stubborn


def superseding(scene: Scene, tag: str = TAG, **changes: Any) -> Coroutine[Any, Any, Superseded]:
    return supersede(scene.house, scene.caller, changes.get("workflow_id", scene.workflow_id), tag)


@pytest.mark.parametrize("place", ["opened", "fetched", "reviewed", "written", "prepared", "failed"])
def test_from_every_place_another_workflow_begins_with_the_chosen_build(place: str) -> None:
    """`seed 000` 1.1."""
    scene = PLACES[place]()
    old, live = (
        scene.workflow_id,
        {name: data for name, data in scene.files.items() if name in {CONFIG, "/running-ems"}},
    )
    done = scene.do(superseding(scene))
    assert (done.superseded_workflow_id, done.selected_system_tag) == (old, TAG)
    setup = scene.setup
    assert (setup.workflow_id, setup.status) == (done.setup_workflow_id, WorkflowStatus.ACTIVE)
    assert setup.workflow_id != old
    assert (setup.selected_system_tag, setup.operation_id, setup.preview) == (TAG, None, None)
    assert B1 not in scene.files or scene.stage is Stage.CANCELLED
    assert not [name for name in scene.files if name.startswith("workflows/")]
    assert B3 not in scene.files
    assert live.items() <= scene.files.items(), "live config and running EMS are not its to remove"
    assert scene.house.work.holder is None


def test_the_fresh_confirmation_is_good_for_the_new_workflow_and_no_stale_one_is() -> None:
    scene = written()
    stale = scene.spare_intent_id = scene.open().setup_intent_id
    old = scene.workflow_id
    done = scene.do(superseding(scene))
    scene.workflow_id, scene.intent_id = done.setup_workflow_id, done.setup_intent_id
    # 5.5: an intent of a superseded workflow cannot authorise its replacement; confirming anew has dropped its tomb.
    code = scene.refused(scene.fetching(intent_id=stale)).code
    assert code in {Code.SETUP_INTENT_WORKFLOW_MISMATCH, Code.SETUP_INTENT_REQUIRED}
    assert scene.refused(scene.fetching(workflow_id=old)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert scene.fetch().error is None


def test_an_unknown_build_ends_nothing() -> None:
    scene = written()
    before = scene.files
    assert scene.refused(superseding(scene, "v9.9.9")).code is Code.SYSTEM_BUILD_UNKNOWN
    assert scene.files == before
    assert scene.house.work.holder is None


@pytest.mark.parametrize(
    ("given", "code"), [(None, Code.SETUP_WORKFLOW_REQUIRED), ("w" * 43, Code.SETUP_WORKFLOW_NOT_ACTIVE)]
)
def test_the_workflow_is_named_exactly(given: str | None, code: Code) -> None:
    """2.4: required, exact; the tag is not even looked at before."""
    scene = written()
    before = scene.files
    assert scene.refused(superseding(scene, "v9.9.9", workflow_id=given)).code is code
    assert scene.files == before


@pytest.mark.parametrize("place", [running, fetched])
def test_a_workflow_that_is_over_is_not_superseded(place: Any) -> None:
    scene = place()
    if scene.setup.status is WorkflowStatus.ACTIVE:
        scene.do(scene.abandoning())
    before = scene.files
    assert scene.refused(superseding(scene)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert scene.files == before


@pytest.mark.parametrize(
    ("own", "live", "code"),
    [
        (None, {}, Code.SETUP_TRANSITION_OWNER_UNPROVEN),
        ("f" * 32, {}, Code.SETUP_TRANSITION_CONTEXT_MISMATCH),
        (..., {"mode": Mode.GUIDED_UPGRADE}, Code.SETUP_TRANSITION_OWNER_UNPROVEN),
    ],
)
def test_an_owner_that_is_not_proven_ends_nothing(own: Any, live: dict[str, Any], code: Code) -> None:
    """5.3: nothing cancelled, nothing cleaned."""
    scene = written()
    if own is not ...:
        scene.put(B0, evolve(scene.setup, operation_id=own))
    scene.put(B1, evolve(scene.transition, **live))
    before = scene.files
    assert scene.refused(superseding(scene)).code is code
    assert scene.files == before


def test_a_running_mutation_keeps_its_workflow() -> None:
    """Rows 26, 26b."""
    scene = opened()
    scene.do(scene.fetching())
    refusal = scene.refused(superseding(scene))
    assert refusal.code is Code.SETUP_OPERATION_IN_PROGRESS
    assert refusal.more == {"operation": WorkKind.SETUP_RELEASE_PREPARE}
    scene.finish()
    scene.do(superseding(scene))


def test_a_stage_that_mutates_is_not_left() -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=Stage.EMS_OPERATION_RUNNING))
    before = scene.files
    assert scene.refused(superseding(scene)).code is Code.MUTATION_IN_PROGRESS
    assert scene.files == before


def test_while_one_is_ended_nothing_of_it_can_commit() -> None:
    """Row 26a: refused before any credential is staged."""
    scene = prepared(draft=secret_draft())
    work = superseding(scene)
    scene.until(work, lambda _mark: scene.house.work.is_ending)
    for act in ("writing", "applying", "preparing", "starting"):
        assert scene.refused(getattr(scene, act)()).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    scene.do(work)


def test_an_unfinished_cleanup_keeps_the_old_owner_and_begins_nothing() -> None:
    """5.3: B0 keeps the same id, and the exact id goes on with it."""
    scene = written()
    old = scene.workflow_id
    scene.house = evolve(scene.house, setup_files=Stubborn(scene.site.world))
    refusal = scene.refused(superseding(scene))
    assert refusal.code is Code.ABANDON_CLEANUP_INCOMPLETE
    assert refusal.more["cleanup"]
    setup = scene.setup
    assert (setup.workflow_id, setup.status, setup.cleanup.state) == (
        old,
        WorkflowStatus.SUPERSEDED,
        CleanupState.PENDING,
    )
    begins = start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=True)
    assert scene.refused(begins).code is Code.SETUP_CLEANUP_REQUIRED
    assert scene.refused(superseding(scene)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    scene.house = evolve(scene.house, setup_files=scene.site.setup_files)
    scene.do(scene.abandoning())
    assert (scene.setup.status, scene.setup.cleanup.state) == (WorkflowStatus.SUPERSEDED, CleanupState.COMPLETE)


def test_a_review_keeps_the_old_owner_too() -> None:
    scene = prepared()
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))
    assert scene.refused(superseding(scene)).code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED
    assert scene.setup.status is WorkflowStatus.SUPERSEDED
    assert B3 in scene.files


def test_two_requests_make_one_replacement() -> None:
    scene = written()
    first, second = superseding(scene), superseding(scene)
    scene.until(first, lambda _mark: scene.house.work.is_ending)
    scene.do(first)
    replaced = scene.setup.workflow_id
    assert scene.refused(second).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert scene.setup.workflow_id == replaced


class Unreadable(MemoryInstallation):
    """An install root of which one file cannot be read."""

    async def layout(self) -> Layout:
        return evolve(await super().layout(), digests=None)


def test_an_installation_that_cannot_be_read_ends_nothing() -> None:
    """Nobody could be given a confirmation for the workflow that would follow."""
    scene = written()
    scene.house = evolve(scene.house, installation=Unreadable(scene.site.world))
    before = scene.files
    assert scene.refused(superseding(scene)).code is Code.SETUP_STATE_CHANGED
    assert scene.files == before


def test_a_cut_after_every_step_leaves_a_place_that_a_person_leaves() -> None:
    """What ended stays ended and is cleaned up by the start; what had not is superseded again."""
    number, ended_at = 0, set()
    while True:
        number += 1
        scene = prepared(draft=secret_draft())
        scene.durable.clear()
        scene.cut_after = number
        try:
            scene.do(superseding(scene))
        except PowerCut:
            after = scene.restart()
        else:
            break
        assert after.house.startup.passed
        setup = after.setup
        ended_at.add(setup.status)
        if setup.workflow_id != scene.workflow_id:
            assert (setup.status, setup.selected_system_tag) == (WorkflowStatus.ACTIVE, TAG)
            assert after.open(confirm=True).setup_workflow_id == setup.workflow_id
        elif setup.status is WorkflowStatus.ACTIVE:
            after.do(superseding(after))
        else:
            assert (setup.status, setup.cleanup.state) == (WorkflowStatus.SUPERSEDED, CleanupState.COMPLETE)
            assert not [name for name in after.files if name.startswith("workflows/")]
            assert after.open(confirm=True).setup_workflow_id != scene.workflow_id
        assert after.setup.status is WorkflowStatus.ACTIVE, number
    assert number > len(ArtifactKind), "there was something to cut"
    assert ended_at == {WorkflowStatus.ACTIVE, WorkflowStatus.SUPERSEDED}
