"""Leaving behind what a cleanup could not remove (`http.md` 5.3, disown; `seed 000` 5.3)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import NO_ARTIFACTS, ArtifactStatus, CleanupState, WorkflowStatus
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.setup.ending import Ended
from tests.workflows.places import PLACES, prepared, written
from tests.workflows.scene import B0, B1, B3, Scene
from tests.workflows.stubborn import Stubborn

REASON = "The folder belongs to the backup of the house."


def disowning(
    scene: Scene, *, confirm: bool = True, reason: str = REASON, **changes: Any
) -> Coroutine[Any, Any, Ended]:
    workflow_id = changes.get("workflow_id", scene.workflow_id)
    return disown(scene.house, scene.caller, workflow_id, confirm=confirm, reason=reason)


def in_review() -> Scene:
    """An abandon found a marker that it cannot prove to be its own."""
    scene = prepared()
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))
    assert scene.refused(scene.abandoning()).code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED
    return scene


def stuck(*, tries: int) -> Scene:
    """A file that this host never lets go."""
    scene = written()
    scene.house = evolve(scene.house, setup_files=Stubborn(scene.site.world))
    for _ in range(tries):
        assert scene.refused(scene.abandoning()).code is Code.ABANDON_CLEANUP_INCOMPLETE
    return scene


@pytest.mark.parametrize("place", [in_review, lambda: stuck(tries=2)], ids=["review", "pending after a retry"])
def test_the_claims_are_dropped_and_every_file_stays(place: Any) -> None:
    scene = place()
    before = scene.files
    done = scene.do(disowning(scene))
    setup = scene.setup
    assert (setup.cleanup.state, setup.artifacts) == (CleanupState.COMPLETE, NO_ARTIFACTS)
    assert done.cleanup == setup.cleanup.artifacts
    left = {entry.status for entry in setup.cleanup.artifacts}
    assert ArtifactStatus.DISOWNED in left
    assert not left & {ArtifactStatus.FAILED, ArtifactStatus.REVIEW_REQUIRED}
    assert {**scene.files, B0: b""} == {**before, B0: b""}
    assert scene.open(confirm=True).setup_workflow_id != setup.workflow_id, "the way is free again"


def test_the_reason_is_in_the_journal() -> None:
    scene = in_review()
    scene.do(disowning(scene))
    (line,) = [entry.line for entry in scene.site.journal.entries if entry.line.detail == REASON]
    assert (line.machine, line.trigger, line.workflow_id) == ("cleanup", "disown", scene.workflow_id)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"confirm": False}, Code.CONFIRMATION_REQUIRED),
        ({"confirm": False, "reason": ""}, Code.CONFIRMATION_REQUIRED),
        ({"reason": ""}, Code.UNSUPPORTED_VALUE),
        ({"reason": "x" * 201}, Code.UNSUPPORTED_VALUE),
        ({"workflow_id": None}, Code.SETUP_WORKFLOW_REQUIRED),
        ({"workflow_id": "w" * 43}, Code.SETUP_WORKFLOW_NOT_ACTIVE),
    ],
)
def test_the_person_says_yes_to_exactly_this(said: dict[str, Any], code: Code) -> None:
    scene = in_review()
    before = scene.files
    assert scene.refused(disowning(scene, **said)).code is code
    assert scene.files == before
    assert scene.house.work.holder is None


def test_the_longest_reason_is_kept_whole() -> None:
    scene = in_review()
    scene.do(disowning(scene, reason="x" * 200))
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


@pytest.mark.parametrize("place", ["opened", "written", "prepared", "running"])
def test_what_owes_no_cleanup_is_not_disowned(place: str) -> None:
    scene = PLACES[place]()
    before = scene.files
    assert scene.refused(disowning(scene, confirm=False)).code is Code.CLEANUP_NOT_DISOWNABLE
    assert scene.files == before


def test_a_first_failure_is_tried_again_before_anything_is_left_behind() -> None:
    scene = stuck(tries=1)
    assert scene.refused(disowning(scene)).code is Code.CLEANUP_NOT_DISOWNABLE
    assert scene.refused(scene.abandoning()).code is Code.ABANDON_CLEANUP_INCOMPLETE
    scene.do(disowning(scene))


def test_a_restart_between_two_failures_counts_them_all_the_same() -> None:
    scene = stuck(tries=1).restart(start_up=False)
    scene.house = evolve(scene.house, setup_files=Stubborn(scene.site.world))
    assert scene.refused(scene.abandoning()).code is Code.ABANDON_CLEANUP_INCOMPLETE
    scene.do(disowning(scene))
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


def test_once_is_enough() -> None:
    scene = in_review()
    scene.do(disowning(scene))
    before = scene.files
    assert scene.refused(disowning(scene)).code is Code.CLEANUP_NOT_DISOWNABLE
    assert scene.files == before


def test_it_holds_the_site_alone() -> None:
    scene = in_review()
    entry = scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    assert scene.refused(disowning(scene)).code is Code.WORK_IN_PROGRESS
    scene.house.work.release(entry.id)
    scene.do(disowning(scene))


def test_an_operation_that_cannot_be_read_is_in_nobodys_way_here() -> None:
    """Nothing is cancelled, so nothing has to be known of it."""
    scene = in_review()
    scene.site.world.files[B1] = b"{"
    done = scene.do(disowning(scene))
    assert (done.transition, scene.setup.status) == (None, WorkflowStatus.ABANDONED)
