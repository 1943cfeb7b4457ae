"""Every seam, the power taken away after each durable step, and held against what its declaration says of that place.

Each act is numbered by running it once; then it is run again for every number, cut there, and started anew.
"""

from __future__ import annotations

import pytest

from ems_admin.machines.kernel import AfterCut
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.seams import CANCEL
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.workflows.startup import start_up
from tests.faults.seam_acts import ACTS, cut, essence, to_write
from tests.stores.records import UPGRADE
from tests.workflows.places import written
from tests.workflows.scene import B0, B2, B2A, B6, CONFIG, CREDENTIALS, INTENT, KEPT, PowerCut


@pytest.mark.parametrize("name", ACTS)
def test_a_start_does_after_each_cut_what_the_seam_declares(name: str) -> None:
    walked = ACTS[name]
    begun = walked.before()
    before = essence(begun.files)
    walked.act(begun)
    final = essence(begun.files)
    own = set(final) if name != "prepare" else {CONFIG, CREDENTIALS, INTENT, B0} & set(final)
    steps = {step.name: step for step in walked.seam.steps}
    met = set()
    for number, last, scene in cut(walked):
        dead = essence(scene.files)
        after = scene.restart()
        assert after.house.startup.passed, (number, last)
        found = essence(after.files)
        met.add(last)
        declared = steps[last].after_cut if last is not None else None
        if name == "prepare" and last == "delete_intent":
            break  # the rest of the work is no part of the seam
        if last is None:
            expected = dead
        elif declared is AfterCut.GO_ON or declared is None:
            expected = final
        elif declared is AfterCut.ROLL_BACK:
            expected = before
        else:
            expected = dead
        compared = own | {CONFIG, CREDENTIALS, INTENT} if name == "prepare" else set(expected) | set(found)
        for file in compared:
            if name == "prepare" and file == B0:
                continue  # claims its marker later
            assert found.get(file) == expected.get(file), (number, last, declared, file)
        assert not [file for file in found if file.endswith(KEPT)], (number, last)
        assert INTENT not in found
    assert met >= {step for step, _ in walked.ends[:-1]}


@pytest.mark.parametrize("name", ACTS)
def test_a_second_cut_during_the_start_changes_nothing_of_that(name: str) -> None:
    """The start itself is cut after each of its own durable steps, and started once more."""
    walked = ACTS[name]
    for number, last, scene in cut(walked):
        once = essence(scene.restart().files)
        for step in range(1, 10):
            dying = scene.restart(start_up=False)
            dying.house.startup.passed = False
            dying.cut_after = step
            try:
                dying.do(start_up(dying.house))
            except PowerCut:
                assert essence(dying.restart().files) == once, (number, last, step)
            else:
                break


def test_a_write_that_rests_is_written_again_with_its_unspent_preview() -> None:
    for number, last, scene in cut(ACTS["write"]):
        after = scene.restart()
        if last == "bind_artifacts":
            continue
        after.do(after.writing())
        assert after.setup.artifacts.generated_preview_id == after.preview_id, number
        assert after.job(after.preparing()).error is None


def test_an_abandon_that_rests_is_abandoned_again() -> None:
    for number, _last, scene in cut(ACTS["abandon"]):
        after = scene.restart()
        after.do(after.abandoning())
        assert after.setup.status is WorkflowStatus.ABANDONED, number
        assert not [name for name in after.files if name.startswith("workflows/")]


def test_a_success_that_rests_is_checked_again() -> None:
    for number, last, scene in cut(ACTS["success"]):
        after = scene.restart()
        if last in {None, "note_known_good"}:
            assert after.stage is Stage.HEALTHCHECK_PENDING
            after.do(after.resuming())
        assert (after.stage, after.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED), number
        assert B6 not in after.files


@pytest.mark.parametrize("own", [True, False])
def test_the_context_of_a_cancelled_operation_goes_at_the_start_and_no_other(own: bool) -> None:
    """The seam `cancel`: what follows the cancel is gone on with."""
    assert [step.after_cut for step in CANCEL.steps] == [AfterCut.GO_ON, None]
    scene = written()
    operation_id = scene.transition.operation_id if own else "f" * 32
    scene.put(B6, sealed(UPGRADE, operation_id=operation_id))
    scene.until(scene.abandoning(), lambda _mark: scene.stage is Stage.CANCELLED)
    assert (B6 in scene.restart().files) is not own


def test_a_cut_file_of_generated_metadata_is_named_as_the_seam_names_it() -> None:
    """The names of the durable steps are the ones that the tests above go by."""
    scene = to_write()
    scene.durable.clear()
    scene.do(scene.writing())
    assert [name.rpartition("/")[2] for name in scene.durable] == [B2, B2A, "credentials.json", B0.rpartition("/")[2]]
