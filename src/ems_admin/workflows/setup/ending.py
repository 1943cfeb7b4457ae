"""The end of a Guided Setup: its own operation first, then the workflow, then what it left behind.

Walked under a terminal claim that the caller holds. Source: `seed 000` 5.3, 5.4; the seam `abandon_or_supersede`.
"""

from __future__ import annotations

from typing import Any

from attrs import define, frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CANCEL
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Decision, Refused, Trigger
from ems_admin.machines.records.setup import CleanupEntry, GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.seams import ENDING
from ems_admin.machines.setup.facts import TransitionFacts
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.effects import perform
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, Settled
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.seams import walk
from ems_admin.workflows.setup import cleanup


@frozen(kw_only=True)
class Ended:
    """The workflow is over and nothing of it is left; `setup` is `None` where there never was one."""

    setup: GuidedSetup | None
    transition: Transition | None
    cleanup: tuple[CleanupEntry, ...]


async def claim_to_end(hold: Hold, kind: WorkKind) -> None:
    """Claim the site alone: from here on nothing can begin, and what is read now holds until the end."""
    house, setup = hold.house, hold.setup
    transition = await standing.own_transition(house, setup)
    expired = transition is not None and standing.expiry(house, transition) is not Expiry.FRESH
    hold.entry = house.work.begin_termination(
        kind, workflow_id=setup.workflow_id, operation_id=setup.operation_id, expired=expired
    )


async def machines_agree(hold: Hold, trigger: Trigger[TransitionFacts]) -> None:
    """Ask the machines before anything is cancelled: an owner that is unproven ends nothing and cleans nothing."""
    facts = await standing.transition_facts(hold.house, hold.workflow_id)
    require_taken(GUIDED_SETUP.decide(hold.setup, trigger, facts))


async def rehearse_end(
    house: House, kind: WorkKind, trigger: Trigger[TransitionFacts] | None, setup: GuidedSetup | None
) -> None:
    """Ask whoever is asked before a Setup ends, and take nothing. Raises `RefusalError`.

    Without a workflow it is the operation alone that would end: `trigger` is `None` then.
    """
    transition = await (standing.own_transition(house, setup) if setup else house.records.transition.current())
    expired = transition is not None and standing.expiry(house, transition) is not Expiry.FRESH
    operation_id = transition.operation_id if transition else None
    if refusal := house.work.against_ending(kind, operation_id=operation_id, expired=expired):
        raise RefusalError(refusal)
    if setup is not None and trigger is not None:
        facts = await standing.transition_facts(house, setup.workflow_id)
        require_taken(GUIDED_SETUP.decide(setup, trigger, facts))


async def rehearse_cancel(house: House, transition: Transition | None) -> None:
    """Ask whether the operation would let itself be cancelled. Raises `RefusalError`."""
    if transition is not None and not is_terminal(transition):
        require_taken(SYSTEM_ALIGNMENT.decide(transition, CANCEL, await standing.cancel_facts(house, transition)))


def require_taken(decision: Decision[Any]) -> None:
    """Go on only with what a machine accepts. Raises `RefusalError`."""
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)


async def end(
    house: House, caller: Caller, entry: WorkEntry, trigger: Trigger[TransitionFacts], setup: GuidedSetup
) -> Ended:
    """Walk the ending seam under a terminal claim that the caller holds."""
    ending = _Ending(house=house, caller=caller, entry=entry, trigger=trigger, setup=setup)
    await walk(
        ENDING,
        {
            "cancel_operation": ending.cancel_operation,
            "end_workflow": ending.end_workflow,
            "remove_artifacts": ending.remove_artifacts,
            "note_verdict": ending.note_verdict,
        },
    )
    return Ended(setup=ending.setup, transition=await shown_transition(house), cleanup=ending.entries)


async def finish_cleanup(house: House, caller: Caller, setup: GuidedSetup) -> None:
    """Go on from a workflow that ended and still owes its cleanup, as a start does."""
    entries = await cleanup.remove_artifacts(house, setup)
    await cleanup.note_verdict(house, caller, setup, entries)


@define(kw_only=True, eq=False)
class _Ending:
    """One walk. Mutable, because each step leaves the record that the next one goes on from."""

    house: House
    caller: Caller
    entry: WorkEntry
    trigger: Trigger[TransitionFacts]
    setup: GuidedSetup
    entries: tuple[CleanupEntry, ...] = ()

    async def cancel_operation(self) -> None:
        """Cancel the operation that the workflow names, and no other."""
        transition = await standing.own_transition(self.house, self.setup)
        if transition is not None and not is_terminal(transition):
            await cancel(self.house, self.caller, transition, self.entry)

    async def end_workflow(self) -> None:
        """Take authority and preview from the workflow; from here on it owes its cleanup."""
        facts = await standing.transition_facts(self.house, self.setup.workflow_id)
        match await self.house.records.setup.told(self.trigger, facts, self.caller):
            case Settled(record=record, effects=effects):
                self.setup = record
                await perform(self.house, self.caller, effects)
            case Denied(refusal=refusal):
                raise RefusalError(refusal)

    async def remove_artifacts(self) -> None:
        """Remove what is provably the workflow's own."""
        self.entries = await cleanup.remove_artifacts(self.house, self.setup)

    async def note_verdict(self) -> None:
        """Note what it came to; the refusal that tells of leftovers is committed with them."""
        match await cleanup.note_verdict(self.house, self.caller, self.setup, self.entries):
            case Settled(record=record):
                self.setup = record
            case Denied(refusal=refusal):
                raise RefusalError(refusal.with_detail(refusal.detail, cleanup=self.entries))


async def shown_transition(house: House) -> Transition | None:
    """Read B1 for an answer; one that cannot be read is shown as none."""
    try:
        return await house.records.transition.current()
    except RefusalError:
        return None
