"""Ending a Guided Setup: its own operation first, then the workflow, then what it left behind.

Source: `seed 000` 5.3, 5.4; `site.md` 1.9; the seam `abandon_or_supersede`.
"""

from __future__ import annotations

from attrs import define, frozen

from ems_admin.machines.alignment_facts import CANCEL
from ems_admin.machines.alignment_outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.expiry import Expiry
from ems_admin.machines.guided_setup import RetireIntents
from ems_admin.machines.kernel import Effect, Refusal, Trigger
from ems_admin.machines.records.setup import CleanupEntry, CleanupState, GuidedSetup
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.seams import ENDING
from ems_admin.machines.setup_authority import abandoning
from ems_admin.machines.setup_facts import (
    ABANDON,
    PROVE_OWNERSHIP,
    RETRY_CLEANUP,
    Naming,
    TransitionFacts,
    naming,
)
from ems_admin.machines.work_entries import WorkEntry
from ems_admin.machines.work_kinds import WorkKind
from ems_admin.workflows import cleanup, standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, Settled
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.seams import walk


@frozen(kw_only=True)
class Ended:
    """The workflow is over and nothing of it is left; `setup` is `None` where there never was one."""

    setup: GuidedSetup | None
    transition: Transition | None
    cleanup: tuple[CleanupEntry, ...]


async def abandon(house: House, caller: Caller, workflow_id: str | None) -> Ended:
    """Abandon the workflow, or go on with the cleanup of one that was abandoned. Raises `RefusalError`.

    `setup_operation_in_progress` while a mutation can still commit; the ownership codes; what the operation itself
    answers to a cancel. Cleanup that could not be finished is `abandon_cleanup_incomplete`, or
    `setup_artifact_review_required`: the workflow is over all the same, and keeps owning what is left.
    """
    await standing.require_mutable(house)
    setup = await house.records.setup.current()
    if setup is None:
        return await _without_workflow(house, caller, workflow_id)
    trigger = abandoning(setup)
    kind = WorkKind.CLEANUP_RETRY if trigger is RETRY_CLEANUP else WorkKind.ABANDON
    _require_exact(setup, workflow_id)
    if trigger is ABANDON and setup.cleanup.state is CleanupState.COMPLETE:
        # Said a second time: the machine answers as it did, and there is nothing to claim.
        record = await house.records.setup.decide(trigger, await standing.transition_facts(house, workflow_id), caller)
        return Ended(setup=record, transition=await _shown(house), cleanup=record.cleanup.artifacts)
    entry = await _claim(house, kind, setup)
    try:
        # Under the claim nothing can begin any more: what is read now holds until the end.
        again = await house.records.setup.current()
        return await end(house, caller, entry, abandoning(again or setup), again or setup)
    finally:
        house.work.release(entry.id)


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
    return Ended(setup=ending.setup, transition=await _shown(house), cleanup=ending.entries)


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
        house = self.house
        facts = await standing.transition_facts(house, self.setup.workflow_id)
        if self.trigger is ABANDON:
            await house.records.setup.decide(PROVE_OWNERSHIP, facts, self.caller)
        transition = await standing.own_transition(house, self.setup)
        if transition is None or is_terminal(transition):
            return
        await cancel(house, self.caller, transition, self.entry)

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


async def cancel(house: House, caller: Caller, transition: Transition, entry: WorkEntry | None) -> Transition:
    """Cancel an operation, its own guards deciding whether now is a safe moment. Raises `RefusalError`."""
    facts = await standing.cancel_facts(house, transition, own_claim=entry.id if entry else None)
    return await house.records.transition.decide(CANCEL, facts, caller)


async def perform(house: House, caller: Caller, effects: tuple[Effect, ...]) -> None:
    """Perform what the end of a workflow promised in this process; removals are steps of the seam."""
    for effect in effects:
        if isinstance(effect, RetireIntents):
            await house.intents.retire(caller, workflow_id=effect.workflow_id)


async def _claim(house: House, kind: WorkKind, setup: GuidedSetup) -> WorkEntry:
    transition = await standing.own_transition(house, setup)
    expired = transition is not None and standing.expiry(house, transition) is not Expiry.FRESH
    return house.work.begin_termination(
        kind, workflow_id=setup.workflow_id, operation_id=setup.operation_id, expired=expired
    )


async def _without_workflow(house: House, caller: Caller, workflow_id: str | None) -> Ended:
    """Serve an install that predates B0: a Setup-mode operation is cancelled, and nothing is cleaned."""
    transition = await house.records.transition.current()
    foreign = transition is None or is_terminal(transition) or transition.mode not in SETUP_MODES
    if workflow_id is not None or transition is None or foreign:
        raise RefusalError(Refusal(Code.SETUP_WORKFLOW_REQUIRED))
    expired = standing.expiry(house, transition) is not Expiry.FRESH
    entry = house.work.begin_termination(WorkKind.ABANDON, operation_id=transition.operation_id, expired=expired)
    try:
        cancelled = await cancel(house, caller, transition, entry)
    finally:
        house.work.release(entry.id)
    return Ended(setup=None, transition=cancelled, cleanup=())


def _require_exact(setup: GuidedSetup, workflow_id: str | None) -> None:
    match naming(setup, workflow_id):
        case Naming.MISSING:
            raise RefusalError(Refusal(Code.SETUP_WORKFLOW_REQUIRED))
        case Naming.FOREIGN:
            raise RefusalError(Refusal(Code.SETUP_WORKFLOW_NOT_ACTIVE))
        case Naming.EXACT:
            return


async def _shown(house: House) -> Transition | None:
    try:
        return await house.records.transition.current()
    except RefusalError:
        return None
