"""What was promised and not done, and what a dead updater has left: the later rows of `replacement.md` 7.5."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.replacement.reconciling import Reconciling
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import ADMIN_NAME, Doing
from tests.memory.world import Call
from tests.workflows.replacement.moments import claimed, created, died, failed_with, failure, promised, walked
from tests.workflows.replacement.old_admin import (
    REFUSED,
    RUN,
    again,
    attempts,
    calling,
    handed_over,
    host,
    look,
    outcomes,
    pending,
    trouble,
    updaters,
)
from tests.workflows.scene import B1, Scene

# Tenth row and eleventh


def test_what_was_created_is_started() -> None:
    scene = created()
    assert look(scene) is Reconciling.START
    assert (updaters(scene)[0].doing, outcomes(scene)) == (Doing.RUNNING, [(1, "launched", 1, None)])


def test_what_was_promised_is_created_and_started_under_the_same_number() -> None:
    scene = promised()
    assert look(scene) is Reconciling.CREATE_AND_START
    assert (len(updaters(scene)), outcomes(scene)) == (1, [(1, "launched", 2, None)])


def test_a_start_that_fails_for_good_is_told_in_the_operation() -> None:
    scene = created()
    trouble(scene, "start updater", *[REFUSED] * 3)
    look(scene)
    assert failure(scene) == failed_with("admin_update_launch_failed")
    assert updaters(scene) == ()


@pytest.mark.parametrize("make", [created, promised])
def test_a_start_of_the_admin_does_it_too(make: Callable[[], Scene]) -> None:
    scene = again(make())
    assert (len(updaters(scene)), attempts(scene)[0].outcome.value) == (1, "launched")


# The last row


def test_an_updater_that_died_before_its_claim_leaves_a_failure_and_its_last_words() -> None:
    """F28, F37: within one look, exit code and all."""
    scene = died(handed_over())
    assert look(scene) is Reconciling.BRING_BACK
    assert failure(scene) == failed_with("replacement_updater_failed")
    end = attempts(scene)[0].exit
    assert end is not None
    assert (end.code, len(updaters(scene))) == (139, 1), "it is kept as evidence"


@pytest.mark.parametrize("place", ["stop old admin", "set aside", "create new admin", "start new admin"])
def test_what_a_dead_updater_has_left_is_taken_back_by_the_admin_that_runs(place: str) -> None:
    """`replacement.md` 7.7, Left over: O was started by hand, and does the rest."""
    scene = died(walked(place))
    host(scene).start(host(scene).containers["o"])
    after = again(scene)
    assert failure(after) == failed_with("replacement_updater_failed")
    (admin,) = host(after).admins_that_run()
    assert (admin.id, admin.name, admin.restarts_by_itself) == ("o", ADMIN_NAME, True)
    assert after.record(RUN, Run).step is WalkStep.ENDED


def test_an_act_that_fails_on_the_way_back_is_taken_again_by_the_next_look() -> None:
    scene = died(walked("create new admin"))
    host(scene).start(host(scene).containers["o"])
    after = again(scene, started=False)
    trouble(after, "remove new admin", Silence())
    look(after)
    assert after.stage is Stage.ADMIN_RECONNECT_PENDING, "nothing is said before the old Admin is whole again"
    look(after)
    assert failure(after) == failed_with("replacement_updater_failed")
    assert not host(after).troubles["remove new admin"]


def test_a_launch_that_failed_and_was_not_told_yet_keeps_its_own_code() -> None:
    """The cut came between the two halves of R5."""
    scene = pending()
    trouble(scene, "create updater", REFUSED)
    work = calling(scene)
    scene.until(work, lambda mark: mark == Call(f"commit {B1}") and attempts(scene)[0].outcome.value == "failed")
    work.close()
    after = again(scene)
    assert failure(after) == failed_with("admin_update_launch_failed")
    assert updaters(after) == ()


def test_what_was_launched_and_is_gone_is_not_created_again() -> None:
    """Never a second container for one attempt after `launched`."""
    scene = handed_over()
    host(scene).containers.pop(updaters(scene)[0].id)
    assert look(scene) is Reconciling.BRING_BACK
    assert (failure(scene), updaters(scene)) == (failed_with("replacement_updater_failed"), ())


def test_what_was_claimed_and_is_gone_is_not_created_again() -> None:
    """Nor after a claim."""
    scene = claimed(promised())
    assert look(scene) is Reconciling.BRING_BACK
    assert (failure(scene), updaters(scene)) == (failed_with("replacement_updater_failed"), ())
    assert outcomes(scene) == [(1, "failed", 1, "replacement_updater_failed")]


def test_the_run_record_names_the_failure_where_it_has_one() -> None:
    scene = walked("create new admin")
    run = scene.record(RUN, Run)
    scene.put(RUN, evolve(run, step=WalkStep.ROLLING_BACK, code="replacement_config_drift"))
    host(scene).start(host(scene).containers["o"])
    after = again(died(scene))
    assert failure(after) == failed_with("replacement_config_drift")


# What is over


@pytest.mark.parametrize("stage", [Stage.COMPLETED, Stage.CANCELLED])
def test_an_updater_is_kept_until_its_operation_is_over_and_removed_then(stage: Stage) -> None:
    """`faults.md` D10, F42."""
    scene = died(handed_over())
    look(scene)
    assert len(updaters(scene)) == 1
    scene.put(B1, evolve(scene.transition, stage=stage, failed_stage=None, resume_stage=None, error_code=None))
    assert updaters(again(scene)) == ()


def test_without_a_replacement_there_is_nothing_to_look_at() -> None:
    scene = pending()
    before = scene.files
    assert look(scene) is None
    assert scene.files == before


# Every durable step


def test_a_cut_after_any_durable_step_ends_in_one_updater_that_was_launched_once() -> None:
    """The seam `replacement`: every between-state is gone on from, by the start or by a resume."""
    steps, cuts = 0, 0
    while True:
        scene = pending()
        work, landed = calling(scene), 0
        try:
            while landed <= steps:
                landed += type(work.send(None)).__name__ == "Durable"
        except StopIteration:
            break
        work.close()
        cuts += 1
        after = again(scene)
        if after.stage is Stage.ADMIN_UPDATE_PENDING:
            assert updaters(after) == (), "nothing was started"
            after.do(calling(after))
        assert after.stage is Stage.ADMIN_RECONNECT_PENDING
        (updater,) = updaters(after)
        assert (updater.doing, [attempt.number for attempt in attempts(after)]) == (Doing.RUNNING, [1])
        steps += 1
    assert cuts == 6, "begin, intend, hand over, create, start, outcome"
