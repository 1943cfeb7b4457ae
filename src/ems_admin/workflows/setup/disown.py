"""Leaving behind what a cleanup could not remove: the files stay as they are, and nobody answers for them any more.

Source: `http.md` 5.3 (disown); `seed 000` 5.3.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Refused
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import naming_refusal
from ems_admin.machines.setup.facts import DISOWN, DisownFacts
from ems_admin.workflows import standing
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import JournalLine, RefusalError
from ems_admin.workflows.setup.ending import Ended, shown_transition

ROW: Final = AuthorityRow(
    demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.ADMIN_STAYS, Demand.CONFIRMATION), claim=WorkKind.CLEANUP_DISOWN
)


async def disown(house: House, caller: Caller, workflow_id: str | None, *, confirm: bool, reason: str) -> Ended:
    """Drop the claims of a workflow whose cleanup leads nowhere, and touch no file. Raises `RefusalError`.

    `cleanup_not_disownable` unless a review is asked for, or a retry has failed on the same artifact again; then
    `confirmation_required`, and `unsupported_value` for a reason that is missing or longer than 200 characters.
    """
    facts = DisownFacts(now=house.clock.now(), workflow_id=workflow_id, confirm=confirm, reason=reason)

    async def person_agrees(hold: Hold) -> None:
        _require(hold.setup, facts)

    own = {
        Demand.WORKFLOW: _workflow_is_exact,
        Demand.CLAIM: _site_is_claimed,
        Demand.CONFIRMATION: person_agrees,
    }
    async with under(house, caller, ROW, workflow_id=workflow_id, own=own) as hold:
        setup = await house.records.setup.decide(DISOWN, facts, caller)
        await house.journal.append(
            JournalLine(
                machine="cleanup",
                key=setup.workflow_id,
                trigger=DISOWN.name,
                target=setup.cleanup.state,
                workflow_id=setup.workflow_id,
                session=caller.session or caller.token,
                detail=reason,
            )
        )
        return Ended(setup=setup, transition=await shown_transition(hold.house), cleanup=setup.cleanup.artifacts)


async def rehearse_disown(house: House) -> None:
    """Ask everything but the person, and take nothing. Raises `RefusalError`."""
    await standing.require_mutable(house)
    setup = await house.records.setup.current()
    if refusal := naming_refusal(setup, setup.workflow_id if setup else None):
        raise RefusalError(refusal)
    if refusal := house.work.against_ending(WorkKind.CLEANUP_DISOWN, operation_id=None, expired=False):
        raise RefusalError(refusal)
    await standing.require_staying(house)
    if setup is not None:
        agreed = DisownFacts(now=house.clock.now(), workflow_id=setup.workflow_id, confirm=True, reason="-")
        _require(setup, agreed)


async def _workflow_is_exact(hold: Hold) -> None:
    """Hold the id against the stored one, whatever its status: what is left behind belongs to one that is over."""
    hold.stored = await hold.house.records.setup.current()
    if refusal := naming_refusal(hold.stored, hold.workflow_id):
        raise RefusalError(refusal)


async def _site_is_claimed(hold: Hold) -> None:
    """Claim the site alone, then ask once more for the workflow. No operation is meant: none is cancelled."""
    hold.entry = hold.house.work.begin_termination(WorkKind.CLEANUP_DISOWN, workflow_id=hold.setup.workflow_id)
    await _workflow_is_exact(hold)


def _require(setup: GuidedSetup, facts: DisownFacts) -> None:
    decision = GUIDED_SETUP.decide(setup, DISOWN, facts)
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)
