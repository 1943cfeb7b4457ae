"""Calling an operation off: a person names it, and it is nobody's Setup.

Source: `seed 000` 3 rows 16a to 16c; `http.md` 5.3 (cancel); `site.md` 3 (Cancel refuses).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.ending import cancel_refusal
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CANCEL
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.cancelling import cancel_operation
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle import lifecycle
from ems_admin.workflows.ports.records import RefusalError

ROW: Final = AuthorityRow(
    demands=(Demand.OPERATION, Demand.CONFIRMATION, Demand.CLAIM), claim=WorkKind.TRANSITION_CANCEL
)


async def call_off(house: House, caller: Caller, operation_id: str | None, *, confirm: bool) -> AlignmentStatus:
    """Cancel the operation that a person names. Raises `RefusalError`.

    In this order: `setup_abandon_required` or `transition_cancel_unsupported`, `no_transition`, `operation_mismatch`,
    `confirmation_required`; then whoever holds the site, and what the operation itself answers. One that is cancelled
    already is cancelled once more, and nothing changes.
    """
    own = {
        Demand.OPERATION: _operation_is_named(operation_id),
        Demand.CONFIRMATION: person_agreed(confirm=confirm),
        Demand.CLAIM: _site_is_claimed,
    }
    async with under(house, caller, ROW, workflow_id=None, own=own) as hold:
        await cancel_operation(house, caller, hold.operation, hold.work)
    # The claim is free again: the status does not count this request among the work.
    return await alignment_status(house)


async def rehearse_call_off(house: House) -> None:
    """Ask everything but the person, and take nothing. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house)
    transition = await _cancellable(house)
    expired = standing.expiry(house, transition) is not Expiry.FRESH
    kind = WorkKind.TRANSITION_CANCEL
    if refusal := house.work.against_ending(kind, operation_id=transition.operation_id, expired=expired):
        raise RefusalError(refusal)
    decision = SYSTEM_ALIGNMENT.decide(transition, CANCEL, await standing.cancel_facts(house, transition))
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)
    if decision.record == transition:
        raise RefusalError(Refusal(Code.NOT_RESUMABLE))  # said once more it is granted; nothing is left to cancel


async def _cancellable(house: House) -> Transition:
    reading = await house.records.transition.read()
    transition = reading.record if isinstance(reading, Present) else None
    if refusal := cancel_refusal((await lifecycle(house)).owner, transition):
        raise RefusalError(refusal)
    if transition is None:
        raise RefusalError(Refusal(Code.NO_TRANSITION))
    return transition


def _operation_is_named(operation_id: str | None) -> Check:
    async def operation_is_named(hold: Hold) -> None:
        """Find whose the operation is, and hold the id against it."""
        hold.transition = await _cancellable(hold.house)
        if hold.transition.operation_id != operation_id:
            raise RefusalError(Refusal(Code.OPERATION_MISMATCH))

    return operation_is_named


async def _site_is_claimed(hold: Hold) -> None:
    """Claim the site alone, then ask once more for the operation: it may be another one by now."""
    operation = hold.operation
    expired = standing.expiry(hold.house, operation) is not Expiry.FRESH
    hold.entry = hold.house.work.begin_termination(
        WorkKind.TRANSITION_CANCEL, operation_id=operation.operation_id, expired=expired
    )
    await _operation_is_named(operation.operation_id)(hold)
