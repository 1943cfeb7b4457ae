"""The one way to an updater: who asks under the dispatch lock, and what then becomes durable before what.

The lock is the dispatch record's own. It is held over the calls to the engine, and whoever holds it commits the record
under it; so a caller that waited finds either an answer or a promise to keep, and nothing is ever launched twice.

Source: `replacement.md` 7.3; `seed 000` 5.5 (one dispatch per operation).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.facts import RETRY
from ems_admin.machines.codes import Code, known_code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.records.replacement import Dispatch
from ems_admin.machines.records.transition import Transition, identity
from ems_admin.machines.replacement.attempts import answer_of, settled, transition_identity
from ems_admin.machines.replacement.calling import DISPATCH_CALL, CallerAnswer, CallerKind, DispatchCall, asked_of
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import HeldLedger
from ems_admin.workflows.ports.engine import Activity
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement.launch import Launching

LOCK_WAIT: Final = 90.0
"""Seconds to wait for whoever launches: it waits for the engine in turn (`faults.md` F15)."""
OTHERS: Final = {
    Activity.ACTIVE: Code.REPLACEMENT_ACTIVE,
    Activity.UNKNOWN: Code.INSTALL_STATE_UNAVAILABLE,
}


async def settled_attempts(house: House, transition: Transition) -> int:
    """Count what a caller sees settled when it is accepted: the `after` of its dispatch."""
    reading = await house.records.dispatch.read()
    return settled(reading.record if isinstance(reading, Present) else None, transition.operation_id)


async def dispatch(house: House, caller: Caller, transition: Transition, *, after: int, retrying: bool) -> Transition:
    """See to it that attempt `after` + 1 is launched, once, and give B1 as it stands then. Raises `RefusalError`.

    Whoever finds that attempt settled is answered by what came of it. `replacement_active` and
    `install_state_unavailable` for the updater of another operation, `transition_stage_commit_unprovable` for records
    that prove nothing, `transition_state_write_failed` when B1 did not move, `state_lock_busy` after 90 s; the code of
    the attempt, or the one that B1 carries, for a failure; what the retry edge answers to a retry.
    """
    async with house.records.dispatch.hold(LOCK_WAIT) as held:
        await _nobody_else_is_replaced(house, transition)
        calling = CallerKind.RETRYING if retrying else CallerKind.GOING_ON
        while True:
            now, record = await exact_transition(house, transition), await own_attempts(held, transition)
            asked = asked_of(record, now.operation_id, after)
            launching = Launching(house=house, caller=caller, held=held, transition=now)
            match DISPATCH_CALL.classify(DispatchCall(asked, calling, now.stage)):
                case CallerAnswer.REPORT:
                    return reported(now)
                case CallerAnswer.ATTEMPT_FAILED:
                    raise RefusalError(_answered(record, now, after))
                case CallerAnswer.RETRY_FIRST:
                    after = await launching.close_open_attempt(after)
                    facts = await standing.retry_facts(house, now)
                    await house.records.transition.decide(RETRY, facts, caller)
                    calling = CallerKind.GOING_ON
                case CallerAnswer.LAUNCH:
                    return reported(await launching.launch(after))


async def exact_transition(house: House, transition: Transition) -> Transition:
    """Read B1 again: the very same operation by its whole identity. Raises `RefusalError` when that is not proven."""
    reading = await house.records.transition.read()
    if not isinstance(reading, Present) or identity(reading.record) != identity(transition):
        raise RefusalError(Refusal(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE, detail="transition"))
    return reading.record


async def own_attempts(held: HeldLedger[Dispatch], transition: Transition) -> Dispatch | None:
    """Read the attempts of the operation; those of another one are over, and count as none. Raises `RefusalError`."""
    match await held.read():
        case Absent():
            return None
        case Present(record=record) if record.operation_id != transition.operation_id:
            return None
        case Present(record=record) if record.transition_identity == transition_identity(transition):
            return record
        case Present():
            raise RefusalError(Refusal(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE, detail="dispatch"))
        case Unreadable(fault=fault):
            raise RefusalError(Refusal(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE, detail=fault))


def reported(transition: Transition) -> Transition:
    """Give B1 as the answer; one that failed is told by its code. Raises `RefusalError` for the latter."""
    if transition.error_code is not None:
        raise RefusalError(told(transition.error_code, transition.error_message))
    return transition


def told(code: str, detail: str | None = None) -> Refusal:
    """Tell a code that was recorded; one that this Admin has no word for was written by another version."""
    return Refusal(known_code(code) or Code.REPLACEMENT_UPDATER_FAILED, detail=detail)


async def _nobody_else_is_replaced(house: House, transition: Transition) -> None:
    if code := OTHERS.get(await house.launcher.others(transition.operation_id)):
        raise RefusalError(Refusal(code))


def _answered(record: Dispatch | None, now: Transition, after: int) -> Refusal:
    attempt = answer_of(record, now.operation_id, after)
    if attempt is None or attempt.code is None:
        raise LookupError("an attempt that failed says why")
    return told(attempt.code)
