"""Who launches and who is answered: one launch an attempt, whoever overlaps, and every retry a new attempt.

`replacement.md` 7.3; `seed 000` 5.5 (one dispatch per operation, both tables of the overlap).
"""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from tests.memory.world import Blocked, Call
from tests.workflows.replacement.moments import ORDERS, STALLED, codes, died, ends
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    calling,
    failed,
    handed_over,
    look,
    pending,
    together,
    trouble,
    updaters,
)
from tests.workflows.scene import B1

# Overlapping starts


@pytest.mark.parametrize("order", ORDERS)
def test_a_launch_that_succeeded_answers_whoever_waited(order: tuple[int, ...]) -> None:
    """Never failed_recoverable, never a second call of the launcher."""
    scene = pending()
    results = together(calling(scene), calling(scene), order=order)
    assert codes(results) == [Stage.ADMIN_RECONNECT_PENDING] * 2
    assert ends(scene) == (Stage.ADMIN_RECONNECT_PENDING, 1, [(1, "launched", 1, None)])


@pytest.mark.parametrize("order", ORDERS)
def test_a_launch_that_failed_answers_whoever_waited_with_its_very_code(order: tuple[int, ...]) -> None:
    scene = pending()
    trouble(scene, "create updater", STALLED)
    results = together(calling(scene), calling(scene), order=order)
    assert codes(results) == [Code.OPERATION_STALLED] * 2
    assert ends(scene) == (Stage.FAILED_RECOVERABLE, 0, [(1, "failed", 1, "operation_stalled")])


def test_a_waiter_waits_for_the_lock_and_for_nothing_else() -> None:
    scene = pending()
    first, second = calling(scene), calling(scene)
    scene.until(first, lambda mark: mark == Call("create updater"))
    while not isinstance(mark := second.send(None), Blocked):
        pass
    assert mark == Blocked(DISPATCH)
    assert together(first, second)[1].stage is Stage.ADMIN_RECONNECT_PENDING


@pytest.mark.parametrize("seen", [0, 1, 2])
def test_a_caller_that_comes_late_launches_nothing(seen: int) -> None:
    """The stage may withdraw a launch, never demand one."""
    scene = handed_over()
    assert scene.do(calling(scene, after=seen)).stage is Stage.ADMIN_RECONNECT_PENDING
    assert ends(scene) == (Stage.ADMIN_RECONNECT_PENDING, 1, [(1, "launched", 1, None)])


def test_a_launched_attempt_of_an_operation_that_failed_since_is_told_by_the_code_of_that() -> None:
    scene = handed_over()
    died(scene)
    look(scene)
    assert scene.refused(calling(scene)).code is Code.REPLACEMENT_UPDATER_FAILED
    assert len(updaters(scene)) == 1


def test_a_failed_operation_is_told_by_its_code_to_whoever_only_goes_on() -> None:
    """An explicit retry stays the way forward."""
    scene = failed()
    assert scene.refused(calling(scene, after=1)).code is Code.ADMIN_UPDATE_LAUNCH_FAILED
    assert ends(scene) == (Stage.FAILED_RECOVERABLE, 0, [(1, "failed", 1, "admin_update_launch_failed")])


@pytest.mark.parametrize("stage", [Stage.ADMIN_ALIGNED, Stage.RESOURCES_VERIFIED, Stage.COMPLETED, Stage.CANCELLED])
def test_any_later_stage_is_reported_and_launches_nothing(stage: Stage) -> None:
    scene = pending()
    scene.put(B1, evolve(scene.transition, stage=stage))
    assert scene.do(calling(scene)).stage is stage
    assert (updaters(scene), DISPATCH in scene.files) == ((), False)


def test_a_failure_before_the_launcher_leaves_the_one_dispatch_to_the_next_caller() -> None:
    """A proven non-commit publishes nothing."""
    scene = pending()
    scene.fail(B1)
    results = together(calling(scene), calling(scene), order=(0,) * 30)
    assert codes(results) == [Code.TRANSITION_STATE_WRITE_FAILED, Stage.ADMIN_RECONNECT_PENDING]
    assert ends(scene) == (Stage.ADMIN_RECONNECT_PENDING, 1, [(1, "launched", 2, None)])
