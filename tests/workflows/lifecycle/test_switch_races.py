"""Two switches at once, a switch that is cut, and one that the disk refuses (`seed 000` 7.3)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.switch import SwitchAction, Target
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.arbiter.switching import Switched
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.world import Blocked
from tests.workflows.lifecycle.classes import stand
from tests.workflows.lifecycle.test_switch import UPGRADING, preview, switching
from tests.workflows.places import written
from tests.workflows.scene import B0, B1, B6, PowerCut


@pytest.mark.parametrize("other", [Target.GUIDED_SETUP, Target.NONE])
def test_of_two_switches_at_once_exactly_one_acts(other: Target) -> None:
    """Seed 000 7.3: one termination, one cancellation, one new workflow; wherever the first stands meanwhile."""
    steps = count_of_places()
    for place in range(steps):
        scene = stand(UPGRADING)
        shown = preview(scene, Target.GUIDED_SETUP).view.fingerprint
        first = switching(scene, Target.GUIDED_SETUP, fingerprint=shown)
        for _ in range(place):
            first.send(None)
        second = switching(scene, other, fingerprint=shown)
        met, done = race(first, second)
        assert [refused.refusal.code for refused in met] == [Code.WORKFLOW_LIFECYCLE_CHANGED], place
        assert [switched.action for switched in done] == [SwitchAction.CANCEL_GUIDED_UPGRADE]
        begun = [entry for entry in scene.site.journal.entries if entry.line.trigger == "begin"]
        cancelled = [entry for entry in scene.site.journal.entries if entry.line.trigger == "cancel"]
        assert len(cancelled) == 1
        assert len(begun) == (1 if done[0].setup_workflow_id else 0)


def count_of_places() -> int:
    scene = stand(UPGRADING)
    work, count = switching(scene, Target.GUIDED_SETUP), 0
    try:
        while True:
            work.send(None)
            count += 1
    except StopIteration:
        return count


def race(*works: Coroutine[Any, Any, Switched]) -> tuple[list[RefusalError], list[Switched]]:
    """Let each go on as long as it can, the second one first."""
    met: list[RefusalError] = []
    done: list[Switched] = []
    waiting = list(reversed(works))
    while waiting:
        for work in list(waiting):
            try:
                while not isinstance(work.send(None), Blocked):
                    pass
            except StopIteration as end:
                done.append(end.value)
                waiting.remove(work)
            except RefusalError as refused:
                met.append(refused)
                waiting.remove(work)
    return met, done


def test_a_switch_that_cannot_be_made_durable_leaves_the_way_open() -> None:
    scene = stand(UPGRADING)
    scene.fail(B1)
    assert scene.refused(switching(scene, Target.NONE)).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.house.work.holder is None
    assert scene.do(switching(scene, Target.NONE)).action is SwitchAction.CANCEL_GUIDED_UPGRADE


def test_after_a_cut_at_every_durable_step_the_console_explains_itself() -> None:
    """A switch is never a partial state across two owners: after a start it is done, undone, or offered again."""
    whole = stand(UPGRADING)
    whole.do(switching(whole, Target.GUIDED_SETUP))
    for cut in range(1, len(whole.durable) + 1):
        scene = stand(UPGRADING)
        scene.cut_after = cut
        with pytest.raises(PowerCut):
            scene.do(switching(scene, Target.GUIDED_SETUP))
        after = scene.restart()
        assert B6 not in after.files, "a start finishes what a cancel owes"
        done = after.do(switching(after, Target.GUIDED_SETUP))
        assert done.action in {SwitchAction.START_GUIDED_SETUP, SwitchAction.RESUME_GUIDED_SETUP}
        assert B0 in after.files


def test_a_page_of_an_older_state_is_refused() -> None:
    scene = written()
    shown = preview(scene, Target.NONE).view.fingerprint
    scene.put(B1, evolve(scene.transition, stage=Stage.EMS_OPERATION_PENDING))
    before = scene.files
    refusal = scene.refused(switching(scene, Target.NONE, fingerprint=shown))
    assert (refusal.code, scene.files) == (Code.WORKFLOW_LIFECYCLE_CHANGED, before)
