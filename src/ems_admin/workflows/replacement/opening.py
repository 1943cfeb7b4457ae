"""The first look of an updater, and its claim: until that is taken nothing is touched.

Source: `replacement.md` 7.4 (U1, U2); `site.md` 3 (claim_admin_update).
"""

from __future__ import annotations

from ems_admin.machines.alignment.expiry import Clock as Clocks
from ems_admin.machines.alignment.expiry import Expiry, expiry_of
from ems_admin.machines.alignment.facts import CLAIM_ADMIN_UPDATE, AdminClaimFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement import walk
from ems_admin.machines.replacement.attempts import is_walk_of
from ems_admin.machines.replacement.walking import Wish, last_attempt, waits_for_claim, wish
from ems_admin.machines.replacement_run import entry
from ems_admin.workflows.ledger import Attempted, Denied, Settled
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement.steps import facts, heard
from ems_admin.workflows.replacement.updating import Updating, WalkEnd


async def enter(updating: Updating) -> Run | WalkEnd:
    """Open the walk, or count one more entry of it (U1).

    Raises `RefusalError` when that could not be made durable.
    """
    reading = await updating.run.read()
    if isinstance(reading, Unreadable):
        return await _give_up_blind(updating)
    found = reading.record if isinstance(reading, Present) else None
    asked = await _open_facts(updating, found)
    trigger = entry(found, asked)
    match await updating.run.told(trigger, asked):
        case Settled(record=record):
            return record
        case Denied(moved=True):  # one entry too many: the record has turned the walk round
            return await enter_again(updating)
        case Denied():
            heard(await updating.mover.retire())
            return WalkEnd.LATE


async def enter_again(updating: Updating) -> Run | WalkEnd:
    """Look where the own walk stands after something had to be left: no entry is counted for that."""
    match await updating.run.read():
        case Present(record=run) if is_walk_of(run, updating.operation_id, updating.attempt):
            return run
        case Present():  # a later attempt walks by now, and this one is nobody's any more
            heard(await updating.mover.retire())
            return WalkEnd.LATE
        case _:
            return await _give_up_blind(updating)


async def claim(updating: Updating, _run: Run) -> Run:
    """Take the operation, or note why it cannot be taken (U2). Under the lock of B1 either this or a cancel wins.

    Raises `RefusalError` when nobody can say whether it was taken: asking again is safe.
    """
    match await _take(updating):
        case Settled():
            return await updating.run.decide(walk.CLAIM_TAKEN, facts(updating))
        case Denied(refusal=refusal):
            return await _refused(updating, refusal)
        case outcome:
            raise RefusalError(updating.transition.refusal_of(outcome))


async def _take(updating: Updating) -> Attempted[Transition]:
    """Claim under the lock of B1. What came of it is noted once that is free: the run record's own is held alone."""
    async with updating.transition.hold() as held:
        reading = await held.read()
        if isinstance(reading, Unreadable):
            return Denied(refusal=updating.transition.unreadable(reading), moved=False)
        transition = reading.record if isinstance(reading, Present) else None
        return await held.attempt(CLAIM_ADMIN_UPDATE, await _claim_facts(updating, transition))


async def _refused(updating: Updating, refusal: Refusal) -> Run:
    return await updating.run.decide(
        walk.CLAIM_REFUSED,
        walk.RefusedFacts(
            now=updating.clock.now(),
            operation_id=updating.operation_id,
            attempt=updating.attempt,
            code=Code(refusal.code),
        ),
    )


async def _open_facts(updating: Updating, found: Run | None) -> walk.OpenFacts:
    last = last_attempt(await updating.dispatch.read(), updating.operation_id)
    operation = await updating.transition.read()
    return walk.OpenFacts(
        now=updating.clock.now(),
        operation_id=updating.operation_id,
        attempt=updating.attempt,
        container=updating.mover.container(),
        last_attempt=last,
        waits_for_claim=waits_for_claim(operation, updating.operation_id),
        surpassed=found is not None and wish(operation, found, last) in {Wish.SURPASSED, Wish.OVER},
    )


async def _claim_facts(updating: Updating, transition: Transition | None) -> AdminClaimFacts:
    return AdminClaimFacts(
        now=updating.clock.now(),
        operation_id=updating.operation_id,
        expiry=_expiry(updating, transition) if transition else Expiry.UNPROVEN,
        attempt=updating.attempt,
        last_attempt=last_attempt(await updating.dispatch.read(), updating.operation_id),
    )


def _expiry(updating: Updating, transition: Transition) -> Expiry:
    clocks = Clocks(
        now=updating.clock.now(),
        boot_id=updating.clock.boot_id(),
        boottime=updating.clock.boottime(),
        admin_built_at=updating.built_at or transition.created_at,
    )
    return expiry_of(transition, clocks)


async def _give_up_blind(updating: Updating) -> WalkEnd:
    # A failure is left at that: whatever stands in the way, this updater cannot know what else it might do.
    heard(await updating.mover.revive_predecessor())
    heard(await updating.mover.retire())
    return WalkEnd.UNREADABLE
