"""What the Admin that runs does about a replacement that was handed over: every row of `replacement.md` 7.5."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.machines.records.transition import AcceptedBy, Stage
from ems_admin.machines.replacement.reconciling import Reconciling
from ems_admin.workflows.alignment.watch import go_on_by_itself_if_nobody_asks, keep_watch, look_after
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import ADMIN_NAME, Doing
from tests.memory.processes import Processes
from tests.memory.world import Call
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    OLD,
    REFUSED,
    RUN,
    again,
    as_new,
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

HOUR = timedelta(hours=1)


def died(scene: Scene, exit_code: int = 139) -> Scene:
    """The updater has ended, and is not started again."""
    (updater,) = updaters(scene)
    updater.restarts_by_itself = False
    host(scene).ended(updater, exit_code)
    return scene


def walked(until: str | None = None) -> Scene:
    """The updater has walked this far, or to its end."""
    scene = handed_over()
    (updater,) = updaters(scene)
    processes = Processes(scene.site.world, scene.site.clock)
    if until is None:
        processes.run(updater.id)
    else:
        while processes.step(updater.id) != Call(until):
            pass
        processes.crash(updater.id)
    return scene


def claimed(scene: Scene) -> Scene:
    scene.put(B1, evolve(scene.transition, admin_update_claimed_at=scene.site.clock.now()))
    return scene


def nothing_happens(scene: Scene, verdict: Reconciling) -> None:
    before, picture = scene.files, host(scene).picture()
    assert look(scene) is verdict
    assert (scene.files, host(scene).picture()) == (before, picture)


def failure(scene: Scene) -> tuple[Stage, str | None, Stage | None]:
    return scene.stage, scene.transition.error_code, scene.transition.resume_stage


def failed_with(code: str) -> tuple[Stage, str, Stage]:
    return Stage.FAILED_RECOVERABLE, code, Stage.ADMIN_UPDATE_PENDING


# First row and fifth: the target


def test_the_target_offers_to_resume_once_the_walk_is_verified() -> None:
    scene = as_new(walked())
    run = scene.record(RUN, Run)
    assert (run.step, scene.stage) == (WalkStep.ENDED, Stage.ADMIN_RECONNECT_PENDING)
    nothing_happens(scene, Reconciling.OFFER_RESUME)


def test_the_target_offers_to_resume_when_nobody_is_left_to_roll_it_back() -> None:
    nothing_happens(as_new(died(claimed(handed_over()))), Reconciling.OFFER_RESUME)


@pytest.mark.parametrize(
    ("by", "stage"),
    [
        (AcceptedBy(session=None, token="fleet"), Stage.RESOURCES_VERIFIED),
        (AcceptedBy(session="browser", token=None), Stage.ADMIN_RECONNECT_PENDING),
    ],
)
def test_only_what_a_token_accepted_goes_on_by_itself(by: AcceptedBy, stage: Stage) -> None:
    scene = walked()
    scene.put(B1, evolve(scene.transition, accepted_by=by))
    target = as_new(scene)
    target.do(go_on_by_itself_if_nobody_asks(target.house))
    assert target.stage is stage


def test_the_watch_looks_every_ten_seconds_and_lets_a_token_go_on() -> None:
    scene = walked()
    scene.put(B1, evolve(scene.transition, accepted_by=AcceptedBy(session=None, token="fleet")))
    target = as_new(scene)
    before = target.site.clock.boottime()
    watch = keep_watch(target.house)
    while target.stage is Stage.ADMIN_RECONNECT_PENDING:
        watch.send(None)
        for task in target.site.tasks.running:
            task.step()
    watch.close()
    assert 10 <= target.site.clock.boottime() - before <= 20


# Second row


def test_an_engine_that_gives_no_answer_is_asked_again_and_nothing_is_concluded() -> None:
    scene = died(handed_over())
    host(scene).silent = True
    nothing_happens(scene, Reconciling.ASK_AGAIN)
    host(scene).silent = False
    assert look(scene) is Reconciling.BRING_BACK


# Third row


def restless(restarts: int = 3) -> Scene:
    scene = handed_over()
    updaters(scene)[0].restarts = restarts
    return scene


def test_an_updater_that_restarts_for_ever_without_a_claim_is_ended() -> None:
    """F35: the operation first, then the policy, then the stop."""
    scene = restless()
    scene.durable.clear()
    assert look(scene) is Reconciling.END_RESTLESS
    assert failure(scene) == failed_with("replacement_updater_failed")
    assert scene.durable == [B1, "fence updater", "stop updater"]
    assert not updaters(scene)[0].runs


def test_an_updater_that_restarts_less_is_left_to_come_up() -> None:
    nothing_happens(restless(2), Reconciling.WAIT)


def test_a_claim_that_comes_first_keeps_the_operation_and_the_updater() -> None:
    """The lock of B1 decides."""
    scene = restless()
    from_there = host(scene).picture()
    work = look_until(scene, f"hold {B1}")
    claimed(scene)
    scene.do(work)
    assert (scene.stage, host(scene).picture()) == (Stage.ADMIN_RECONNECT_PENDING, from_there)


def look_until(scene: Scene, place: str) -> Coroutine[Any, Any, object]:
    work = look_after(scene.house)
    scene.until(work, lambda mark: mark == Call(place))
    return work


def test_a_stop_that_was_cut_is_made_up_for() -> None:
    scene = restless()
    look_until(scene, "fence updater").close()
    assert failure(scene) == failed_with("replacement_updater_failed")
    after = again(scene)
    assert not updaters(after)[0].runs


# Fourth row


@pytest.mark.parametrize("make", [handed_over, lambda: claimed(handed_over()), lambda: claimed(restless())])
def test_an_updater_that_lives_is_let_be(make: Callable[[], Scene]) -> None:
    nothing_happens(make(), Reconciling.WAIT)
    nothing_happens(as_new(make()), Reconciling.WAIT)


# Sixth row


@pytest.mark.parametrize("found", [b"{", b"", None])
def test_a_promise_that_proves_nothing_is_shown_and_launches_nothing(found: bytes | None) -> None:
    scene = died(handed_over())
    if found is not None:
        scene.site.world.files[DISPATCH] = found
    else:
        scene.put(B1, evolve(scene.transition, operation_id="f" * 32))
    nothing_happens(scene, Reconciling.SHOW_UNPROVABLE)
    assert Code.TRANSITION_STAGE_COMMIT_UNPROVABLE in scene.house.warnings.shown


# Seventh row


def test_what_was_never_dispatched_has_failed() -> None:
    scene = pending()
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_RECONNECT_PENDING))
    assert look(scene) is Reconciling.FAIL_NOT_DISPATCHED
    assert failure(scene) == failed_with("replacement_not_dispatched")


def test_without_a_promise_what_was_created_is_not_started() -> None:
    scene = created()
    del scene.site.world.files[DISPATCH]
    look(scene)
    assert updaters(scene) == ()
    look(scene)
    assert failure(scene) == failed_with("replacement_not_dispatched")


# Eighth row


def nameless(scene: Scene) -> Scene:
    scene.house = evolve(scene.house, own=evolve(OLD, digest=None))
    return scene


@pytest.mark.parametrize("with_one", [True, False])
def test_an_admin_that_cannot_name_itself_fails_the_operation(*, with_one: bool) -> None:
    scene = nameless(created() if with_one else promised())
    assert look(scene) is Reconciling.FAIL_UNVERIFIABLE
    assert failure(scene) == failed_with("admin_unverifiable")
    assert (updaters(scene), outcomes(scene)) == ((), [(1, "failed", 1, "admin_unverifiable")])


# Ninth row


@pytest.mark.parametrize("make", ["created", "promised"])
def test_what_is_proven_expired_and_unclaimed_launches_nothing(make: str) -> None:
    scene = {"created": created, "promised": promised}[make]()
    scene.site.clock.pass_time(HOUR)
    nothing_happens(scene, Reconciling.LEAVE)


# Tenth row and eleventh


def created() -> Scene:
    """The Admin was gone between the create and the start."""
    scene = pending()
    scene.until(calling(scene), lambda mark: mark == Call("start updater"))
    return again(scene, started=False)


def promised() -> Scene:
    """The Admin was gone between the stage and the create."""
    scene = pending()
    scene.until(calling(scene), lambda mark: mark == Call("create updater"))
    return again(scene, started=False)


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
