"""What the Admin that runs does about a replacement that was handed over: every row of `replacement.md` 7.5."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Outcome, Run, UpdaterExit, WalkStep
from ems_admin.machines.records.transition import AcceptedBy, Stage
from ems_admin.machines.replacement.reconciling import Reconciling
from ems_admin.workflows.alignment.watch import go_on_by_itself_if_nobody_asks, keep_watch, look_after
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.world import Call
from tests.workflows.replacement.moments import HOUR, claimed, created, died, failed_with, failure, promised, walked
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    OLD,
    RUN,
    again,
    as_new,
    attempts,
    handed_over,
    host,
    look,
    outcomes,
    pending,
    updaters,
)
from tests.workflows.scene import B1, Scene


def nothing_happens(scene: Scene, verdict: Reconciling) -> None:
    before, picture = scene.files, host(scene).picture()
    assert look(scene) is verdict
    assert (scene.files, host(scene).picture()) == (before, picture)


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
    assert scene.durable == [B1, "fence updater", "stop updater", DISPATCH]
    assert not updaters(scene)[0].runs


def test_the_end_of_an_updater_that_was_ended_is_on_record() -> None:
    """F37: exit code, memory and last words, in the record of the attempt."""
    scene = restless()
    look(scene)
    (attempt,) = attempts(scene)
    assert (attempt.outcome, attempt.exit) == (Outcome.LAUNCHED, UpdaterExit(code=0, oom=False, log=()))


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
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OLD, digest=None)))
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
