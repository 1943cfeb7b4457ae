"""Abandoning a Guided Setup, and going on with the cleanup of one that was abandoned.

Source: `seed 000` 2.4, 5.3; `site.md` 1.9.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.lifecycle.claims import SetupClaim, setup_claim
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import abandoning, naming_refusal
from ems_admin.machines.setup.facts import ABANDON, RETRY_CLEANUP
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.ending import (
    Ended,
    claim_to_end,
    end,
    machines_agree,
    rehearse_cancel,
    rehearse_end,
    shown_transition,
)

ROW: Final = AuthorityRow(demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP), claim=WorkKind.ABANDON)


async def abandon(house: House, caller: Caller, workflow_id: str | None) -> Ended:
    """Abandon the workflow, or go on with the cleanup of one that was abandoned. Raises `RefusalError`.

    `setup_operation_in_progress` while a mutation can still commit; the ownership codes; what the operation itself
    answers to a cancel. Cleanup that could not be finished is `abandon_cleanup_incomplete`, or
    `setup_artifact_review_required`: the workflow is over all the same, and keeps owning what is left.
    """
    if await house.records.setup.current() is None:
        return await _without_workflow(house, caller, workflow_id)
    own = {
        Demand.WORKFLOW: _workflow_is_exact,
        Demand.CLAIM: _site_is_claimed,
        Demand.OWNERSHIP: _machines_agree,
    }
    async with under(house, caller, ROW, workflow_id=workflow_id, own=own) as hold:
        if await _is_settled(hold):
            setup = hold.setup
            return Ended(setup=setup, transition=await shown_transition(house), cleanup=setup.cleanup.artifacts)
        return await end(house, caller, hold.work, abandoning(hold.setup), hold.setup)


async def rehearse_abandon(house: House) -> None:
    """Ask everything that abandoning asks, and take nothing. Raises `RefusalError` with what it would meet first."""
    await standing.require_mutable(house)
    setup = await house.records.setup.current()
    transition = await (standing.own_transition(house, setup) if setup else _setup_operation(house, None))
    await rehearse_end(house, WorkKind.ABANDON, abandoning(setup) if setup else None, setup)
    if setup is not None and setup_claim(setup) is SetupClaim.NONE:
        raise RefusalError(Refusal(Code.SETUP_WORKFLOW_NOT_ACTIVE))  # said once more it is granted; nothing is left
    await rehearse_cancel(house, transition)


async def _workflow_is_exact(hold: Hold) -> None:
    """Hold the id against the stored one, also when that workflow is over: its cleanup may still be owed."""
    hold.stored = await hold.house.records.setup.current()
    if refusal := naming_refusal(hold.stored, hold.workflow_id):
        raise RefusalError(refusal)


async def _site_is_claimed(hold: Hold) -> None:
    """Claim the end, or another go at the cleanup of what has ended; then ask once more for the workflow."""
    kind = WorkKind.CLEANUP_RETRY if abandoning(hold.setup) is RETRY_CLEANUP else WorkKind.ABANDON
    await claim_to_end(hold, kind)
    await _workflow_is_exact(hold)


async def _machines_agree(hold: Hold) -> None:
    """Ask the machines what abandoning means now."""
    await machines_agree(hold, abandoning(hold.setup))


async def _is_settled(hold: Hold) -> bool:
    """Say whether it was all said and done before: then the machines change nothing, and neither do we."""
    if abandoning(hold.setup) is RETRY_CLEANUP:
        return False  # what is owed is done, also when nothing but the second hand would move in the record
    facts = await standing.transition_facts(hold.house, hold.workflow_id)
    decision = GUIDED_SETUP.decide(hold.setup, ABANDON, facts)
    return not isinstance(decision, Refused) and decision.record == hold.setup


async def _without_workflow(house: House, caller: Caller, workflow_id: str | None) -> Ended:
    """Serve an install that predates B0: a Setup-mode operation is cancelled, and nothing is cleaned."""
    await standing.require_mutable(house)
    transition = await _setup_operation(house, workflow_id)
    expired = standing.expiry(house, transition) is not Expiry.FRESH
    entry = house.work.begin_termination(WorkKind.ABANDON, operation_id=transition.operation_id, expired=expired)
    try:
        cancelled = await cancel(house, caller, transition, entry)
    finally:
        house.work.release(entry.id)
    return Ended(setup=None, transition=cancelled, cleanup=())


async def _setup_operation(house: House, workflow_id: str | None) -> Transition:
    """Give the Setup-mode operation that nobody owns, to a request that names no workflow either."""
    transition = await house.records.transition.current()
    foreign = transition is None or is_terminal(transition) or transition.mode not in SETUP_MODES
    if workflow_id is not None or transition is None or foreign:
        raise RefusalError(Refusal(Code.SETUP_WORKFLOW_REQUIRED))
    return transition
