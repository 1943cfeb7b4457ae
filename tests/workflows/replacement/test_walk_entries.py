"""Who may walk at all: an updater that comes late, is refused, or cannot read its record, touches nothing.

Source: `replacement.md` 7.4 (U1, U2), 7.6; `site.md` 3 (claim_admin_update, Expiry).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CANCEL, CancelFacts, OwnName, Updater, Worker
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import AdminIdentity, Stage, Transition
from tests.memory.host import ADMIN_NAME, OLD_IMAGE, Doing
from tests.memory.replacing import updating
from tests.memory.world import drive
from tests.stores.records import OPERATION
from tests.workflows.replacement.handover import NEW_IMAGE, UPDATER, End, Handover, launched, updater
from tests.workflows.replacement.test_walk import B1, REPLACED, RUN
from tests.workflows.replacement.test_walk_cut import PLACES, ROLLED_BACK

DISPATCH = "state/replacement-dispatch.json"

UNTOUCHED = End(
    admins=((ADMIN_NAME, OLD_IMAGE, True),),
    kept=1,
    pin=OLD_IMAGE,
    step=None,
    walk_code=None,
    stage=Stage.ADMIN_RECONNECT_PENDING,
    operation_code=None,
    updater=(Doing.EXITED, False),
)


def cancel(handover: Handover) -> None:
    """Cancel, as an Admin does that has proven the updater to be gone; expiry would permit the same."""
    facts = CancelFacts(
        now=handover.processes.clock.now(),
        operation_id=OPERATION,
        expiry=Expiry.FRESH,
        worker=Worker.INACTIVE,
        import_is_live=False,
        updater=Updater.INACTIVE,
        own_name=OwnName.HELD,
    )
    ledger = updating(handover.site, "o", OPERATION, 1).transition
    handover.do(ledger.decide(CANCEL, facts))


def fail_unclaimed(handover: Handover) -> None:
    transition = evolve(
        handover.transition,
        stage=Stage.FAILED_RECOVERABLE,
        failed_stage=Stage.ADMIN_RECONNECT_PENDING,
        resume_stage=Stage.ADMIN_UPDATE_PENDING,
        error_code="replacement_updater_failed",
    )
    handover.write(B1, transition)


def forget_dispatch(handover: Handover) -> None:
    del handover.world.files[DISPATCH]


def break_dispatch(handover: Handover) -> None:
    handover.world.files[DISPATCH] = b"{"


def another_attempt(handover: Handover) -> None:
    reading = drive(handover.site.dispatch.read())
    assert isinstance(reading, Present)
    handover.write(DISPATCH, evolve(reading.record, attempts=(launched(1), launched(2))))


@pytest.mark.parametrize(
    ("before", "stage", "code"),
    [
        (cancel, Stage.CANCELLED, None),
        (fail_unclaimed, Stage.FAILED_RECOVERABLE, "replacement_updater_failed"),
        (forget_dispatch, Stage.ADMIN_RECONNECT_PENDING, None),
        (break_dispatch, Stage.ADMIN_RECONNECT_PENDING, None),
        (another_attempt, Stage.ADMIN_RECONNECT_PENDING, None),
    ],
)
def test_a_late_updater_leaves_without_a_trace(
    before: Callable[[Handover], None], stage: Stage, code: str | None
) -> None:
    """`replacement.md` 7.4, U1: own policy `no`, exit 0, nothing touched."""
    handover = Handover()
    before(handover)
    assert handover.finish() == evolve(UNTOUCHED, stage=stage, operation_code=code)
    assert handover.durable == ["retire"]
    assert handover.host.containers[UPDATER].exit_code == 0


def test_an_operation_that_expired_before_the_claim_is_refused_and_nothing_is_touched() -> None:
    """`site.md` 3, Expiry: `expired` closes claim_admin_update."""
    handover = Handover()
    handover.processes.clock.pass_time(timedelta(hours=2))
    assert handover.finish() == evolve(UNTOUCHED, step=WalkStep.REFUSED, walk_code="expired")
    assert handover.durable == [RUN, RUN, "retire"]


def test_an_operation_that_expires_after_the_claim_is_walked_to_its_end() -> None:
    handover = Handover()
    while B1 not in handover.durable:
        handover.step()
    handover.processes.crash(UPDATER)
    handover.processes.clock.pass_time(timedelta(hours=2))
    assert handover.finish() == REPLACED


def test_either_the_claim_or_a_cancel_wins_and_nobody_is_left_with_half_a_walk() -> None:
    """Under the lock of B1 one of them comes first (`replacement.md` 7.6)."""
    walk = Handover()
    walk.finish()
    claimed_at = 1 + next(number for number, mark in enumerate(walk.passed) if mark.name == B1)
    steps = set()
    for place in range(claimed_at):
        handover = Handover().go(place)
        if B1 in handover.world.held:
            continue  # the cancel waits for the claim, and then meets a claimed operation
        cancel(handover)
        end = handover.finish()
        steps.add(end.step)
        assert end == evolve(UNTOUCHED, stage=Stage.CANCELLED, step=end.step, walk_code=end.walk_code)
    assert steps == {None, WalkStep.REFUSED}


def test_an_operation_that_ended_after_the_claim_is_left_alone_while_the_walk_ends_in_one_admin() -> None:
    """Before U10 by rolling back, after it forward (`replacement.md` 7.4, Rollback)."""
    for place in PLACES:
        handover = Handover().go(place)
        if B1 not in handover.durable or not handover.walks:
            continue
        handover.processes.stop(UPDATER)
        verified = handover.run is not None and handover.run.verified_at is not None
        cancel(handover)
        handover.processes.start(UPDATER)
        end = handover.finish()
        if end.step is WalkStep.REFUSED:  # the claim had not been noted: nothing had been touched
            assert end == evolve(UNTOUCHED, stage=Stage.CANCELLED, step=end.step, walk_code=end.walk_code)
            continue
        back = evolve(ROLLED_BACK, operation_code=None, walk_code=Code.ADMIN_UPDATE_NOT_RUNNABLE)
        assert end == evolve(REPLACED if verified else back, stage=Stage.CANCELLED), f"cancelled after {place} places"


@pytest.mark.parametrize("stage", [Stage.ADMIN_ALIGNED, Stage.COMPLETED])
def test_a_new_admin_that_proved_itself_meanwhile_is_not_taken_back(stage: Stage) -> None:
    """Once its updater is proven inactive the target resumes by itself (`replacement.md` 7.7)."""
    handover = Handover().go(4)
    handover.processes.crash(UPDATER)
    while "start new admin" not in handover.durable:
        handover.step()
    handover.processes.stop(UPDATER)
    handover.write(B1, evolve(handover.transition, stage=stage))
    handover.processes.start(UPDATER)
    assert handover.finish() == evolve(REPLACED, stage=stage)


@pytest.mark.parametrize("stage", [Stage.RESOURCES_VERIFIED, Stage.CANCELLED])
def test_a_new_admin_that_has_begun_another_operation_is_not_taken_back_either(stage: Stage) -> None:
    """The walk it came with was left open and its operation is over (`replacement.md` 7.4, Rollback; F28)."""
    handover = Handover().go(4)
    handover.processes.crash(UPDATER)
    while "start new admin" not in handover.durable:
        handover.step()
    handover.processes.stop(UPDATER)
    by = AdminIdentity(image=None, digest=NEW_IMAGE, build_id="b-2", revision="b" * 40)
    following = evolve(
        handover_again(handover), operation_id="1" * 32, stage=stage, admin_digest="d" * 64, orchestrator_admin=by
    )
    handover.write(B1, following)
    handover.processes.start(UPDATER)
    assert handover.finish() == evolve(REPLACED, stage=stage)
    assert handover.transition == following


def test_an_operation_that_cannot_be_read_any_more_is_left_alone_and_the_old_admin_runs() -> None:
    handover = Handover()
    while "set aside" not in handover.durable:
        handover.step()
    readable, handover.world.files[B1] = handover.world.files[B1], b"{"
    while handover.walks:
        handover.step()
    assert handover.world.files[B1] == b"{"
    handover.world.files[B1] = readable
    assert handover.end().admins == ROLLED_BACK.admins


def test_the_operation_of_a_later_attempt_is_not_failed_by_an_earlier_one() -> None:
    """An updater that somebody started by hand after a retry finds its own walk, and fails nobody else's."""
    handover = Handover().go(4)
    for _ in range(2):
        handover.processes.crash(UPDATER)
        handover.go(3)
    another_attempt(handover)
    handover.processes.crash(UPDATER)
    end = handover.finish()
    assert (end.stage, end.operation_code, end.admins) == (Stage.ADMIN_RECONNECT_PENDING, None, UNTOUCHED.admins)


def test_the_walk_of_an_earlier_attempt_is_replaced_by_one_that_is_awaited() -> None:
    handover = Handover()
    handover.host.successor_is_whole = False
    assert handover.finish().operation_code == Code.HEALTHCHECK_FAILED
    handover.write(B1, handover_again(handover))
    another_attempt(handover)
    handover.host.successor_is_whole = True
    second = updater(2)
    handover.host.containers[second.id] = second
    handover.processes.settle()
    handover.processes.run(second.id)
    assert handover.end() == REPLACED
    run = handover.run
    assert run is not None
    assert run.attempt == 2


def handover_again(handover: Handover) -> Transition:
    return evolve(
        handover.transition,
        stage=Stage.ADMIN_RECONNECT_PENDING,
        failed_stage=None,
        resume_stage=None,
        error_code=None,
        error_message=None,
        admin_update_claimed_at=None,
    )
