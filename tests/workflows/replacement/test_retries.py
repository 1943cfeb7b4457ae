"""An explicit retry is a new attempt, and overlapping ones share it (`seed 000` 5.5; `replacement.md` 7.3, 7.6)."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import Doing
from tests.workflows.replacement.moments import ORDERS, STALLED, codes, died, ends
from tests.workflows.replacement.old_admin import (
    again,
    attempts,
    calling,
    fail_at,
    failed,
    handed_over,
    look,
    outcomes,
    pending,
    together,
    trouble,
    updaters,
    updating,
)
from tests.workflows.scene import B1

# Retries


def test_a_retry_is_a_new_attempt_under_a_new_name() -> None:
    scene = failed()
    assert scene.do(calling(scene, after=1, retrying=True)).stage is Stage.ADMIN_RECONNECT_PENDING
    assert outcomes(scene) == [(1, "failed", 1, "admin_update_launch_failed"), (2, "launched", 1, None)]
    assert [updater.name[-2:] for updater in updaters(scene)] == ["-2"]


@pytest.mark.parametrize("order", ORDERS)
def test_two_retries_share_one_attempt_and_one_launch(order: tuple[int, ...]) -> None:
    scene = failed()
    retries = [calling(scene, after=1, retrying=True) for _ in range(2)]
    assert codes(together(*retries, order=order)) == [Stage.ADMIN_RECONNECT_PENDING] * 2
    assert (len(updaters(scene)), [attempt.number for attempt in attempts(scene)]) == (1, [1, 2])


@pytest.mark.parametrize("order", ORDERS)
def test_two_retries_are_told_the_one_failure(order: tuple[int, ...]) -> None:
    scene = failed()
    trouble(scene, "create updater", STALLED)
    retries = [calling(scene, after=1, retrying=True) for _ in range(2)]
    assert codes(together(*retries, order=order)) == [Code.OPERATION_STALLED] * 2
    assert [attempt.number for attempt in attempts(scene)] == [1, 2]
    assert scene.do(calling(scene, after=2, retrying=True)).stage is Stage.ADMIN_RECONNECT_PENDING


@pytest.mark.parametrize(("order", "turn"), list(product(ORDERS[::3], (False, True))))
def test_whoever_waited_for_the_old_attempt_keeps_its_outcome_beside_a_retry(
    order: tuple[int, ...], *, turn: bool
) -> None:
    """`seed 000` 5.5: the old owner and its waiters get the old outcome, the retry its own."""
    scene = failed()
    waiter, retry = calling(scene, after=0), calling(scene, after=1, retrying=True)
    pair = (retry, waiter) if turn else (waiter, retry)
    results = codes(together(*pair, order=order))
    assert results[turn] is Code.ADMIN_UPDATE_LAUNCH_FAILED
    assert results[not turn] is Stage.ADMIN_RECONNECT_PENDING
    assert len(updaters(scene)) == 1


@pytest.mark.parametrize("order", ORDERS)
def test_whoever_reads_the_reopened_stage_gets_the_outcome_of_the_retry(order: tuple[int, ...]) -> None:
    scene = failed()
    retry, going_on = calling(scene, after=1, retrying=True), calling(scene, after=1)
    results = codes(together(retry, going_on, order=(0,) * 6 + order))
    assert results == [Stage.ADMIN_RECONNECT_PENDING] * 2
    assert [attempt.number for attempt in attempts(scene)] == [1, 2]


def test_a_retry_that_was_cut_between_its_edge_and_its_launch_is_launched_by_the_next() -> None:
    scene = failed()
    work = calling(scene, after=1, retrying=True)
    scene.until(work, lambda _mark: scene.stage is Stage.ADMIN_UPDATE_PENDING)
    work.close()
    after = again(scene)
    assert after.stage is Stage.ADMIN_UPDATE_PENDING, "a start never moves it on"
    assert after.do(calling(after, after=1, retrying=True)).stage is Stage.ADMIN_RECONNECT_PENDING
    assert [attempt.number for attempt in attempts(after)] == [1, 2]


@pytest.mark.parametrize(
    ("doing", "code"), [(Doing.RUNNING, Code.REPLACEMENT_ACTIVE), (Doing.CREATED, Code.REPLACEMENT_ACTIVE)]
)
def test_a_retry_needs_the_last_updater_proven_inactive(doing: Doing, code: Code) -> None:
    """`replacement.md` 7.6."""
    scene = handed_over()
    died(scene)
    look(scene)
    updaters(scene)[0].doing = doing
    before = scene.site.world.files[B1]
    assert scene.refused(calling(scene, after=1, retrying=True)).code is code
    assert (scene.site.world.files[B1], len(attempts(scene))) == (before, 1)


def test_a_retry_is_refused_while_nobody_can_say_what_the_last_updater_does() -> None:
    scene = failed()
    trouble(scene, "look at the updater", Silence())
    before = scene.files
    assert scene.refused(calling(scene, after=1, retrying=True)).code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.files == before


@pytest.mark.parametrize("stage", [Stage.COMPLETED, Stage.CANCELLED, Stage.ADMIN_ALIGNED])
def test_a_stage_that_may_not_be_reopened_is_refused_by_the_edge_itself(stage: Stage) -> None:
    scene = pending()
    scene.put(B1, evolve(scene.transition, stage=stage))
    before = scene.files
    assert scene.refused(calling(scene, retrying=True)).code is Code.NOT_RESUMABLE
    assert scene.files == before


def test_a_retry_that_resumes_elsewhere_launches_nothing() -> None:
    scene = pending()
    fail_at(scene, Stage.ADMIN_ALIGNED, resumes_at=Stage.ADMIN_ALIGNED)
    assert scene.do(calling(scene, retrying=True)).stage is Stage.ADMIN_ALIGNED
    assert updaters(scene) == ()


def test_a_retry_closes_an_attempt_that_was_left_open_and_opens_another() -> None:
    """An updater failed the operation before anybody had noted its launch."""
    scene = pending()
    trouble(scene, "start updater", Silence(), lands=True)
    trouble(scene, "look at the updater", Silence())
    scene.do(calling(scene))
    died(scene)
    fail_at(scene, Stage.ADMIN_RECONNECT_PENDING, resumes_at=Stage.ADMIN_UPDATE_PENDING)
    assert outcomes(scene) == [(1, "intended", 1, None)]
    scene.do(calling(scene, after=0, retrying=True))
    assert outcomes(scene) == [(1, "launched", 1, None), (2, "launched", 1, None)]


# Routes that meet


def test_the_same_request_twice_is_one_job_and_one_launch() -> None:
    """F38."""
    scene = pending()
    scene.open()
    job = scene.do(updating(scene))
    scene.open()
    assert scene.do(updating(scene)).id == job.id
    scene.finish()
    assert ends(scene) == (Stage.ADMIN_RECONNECT_PENDING, 1, [(1, "launched", 1, None)])


def test_a_failed_update_is_retried_by_asking_for_it_again() -> None:
    scene = failed()
    scene.open()
    assert scene.job(updating(scene)).error is None
    assert [attempt.number for attempt in attempts(scene)] == [1, 2]
