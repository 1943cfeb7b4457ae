"""How an operation comes into being: the workflow names it first, and only then does it exist.

Two records are written here, one after the other, and what may be said of the second decides about the first.
Source: `seed 000` 5.5 (the creation boundary).
"""

from __future__ import annotations

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import BeginFacts
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.setup.facts import LINK_OPERATION, RESTORE_LINK, LinkFacts, RestoreFacts
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.beginning import begin, begin_facts
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.ledger import Denied, Settled
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from ems_admin.workflows.selection import Selection


async def own_or_new(hold: Hold, selection: Selection, mode: Mode) -> Transition:
    """Give the operation that the workflow owns for this build, or begin one. Raises `RefusalError`.

    A living one is taken as it is; `transition_context_mismatch` when it is of another build or mode. One that is
    proven expired, without live work, is cancelled and a new one begun under the same claim and workflow.
    """
    house = hold.house
    living = await standing.own_transition(house, hold.setup)
    if living is not None and not is_terminal(living):
        if standing.expiry(house, living) is not Expiry.EXPIRED:
            return _in_context(living, selection, mode)
        await cancel(house, hold.caller, living, hold.work)
    return await create(hold, selection, mode)


async def create(hold: Hold, selection: Selection, mode: Mode) -> Transition:
    """Link, then begin. Raises `RefusalError`; B0 and B1 then agree, or the code says that nobody can tell."""
    house, setup = hold.house, hold.setup
    facts = begin_facts(hold, selection, mode)
    await _link(hold, setup, facts)
    house.work.add_operation(hold.work, facts.operation_id)
    return await begin(house, hold.caller, facts, undo=lambda: _restore(hold, setup, facts.operation_id))


def _in_context(living: Transition, selection: Selection, mode: Mode) -> Transition:
    manifest = selection.manifest
    wanted = (mode, manifest.system_tag, manifest.build_id, selection.admin_digest, selection.ems_digest)
    if (living.mode, living.system_tag, living.build_id, living.admin_digest, living.ems_digest) != wanted:
        raise RefusalError(Refusal(Code.TRANSITION_CONTEXT_MISMATCH, detail=living.system_tag))
    return living


async def _link(hold: Hold, setup: GuidedSetup, facts: BeginFacts) -> None:
    link = LinkFacts(
        now=facts.now,
        workflow_id=setup.workflow_id,
        operation_id=facts.operation_id,
        mode=facts.mode,
        system_tag=facts.system_tag,
        replaces=setup.operation_id,
    )
    match await hold.house.records.setup.attempt(LINK_OPERATION, link, hold.caller):
        case Settled():
            return
        case Denied(refusal=refusal):
            raise RefusalError(refusal)
        case NotCommitted():
            # An operation that nobody owns must never come into being: without the link there is none.
            raise RefusalError(Refusal(Code.SETUP_TRANSITION_LINK_FAILED))
        case Unprovable():
            # It may stand there all the same, and name what will never be.
            await _restore(hold, setup, facts.operation_id)
            raise RefusalError(Refusal(Code.SETUP_TRANSITION_LINK_FAILED))


async def _restore(hold: Hold, setup: GuidedSetup, written: str) -> None:
    """Compare and restore the link. A newer link, or another workflow, is left alone: the edge stays."""
    facts = RestoreFacts(
        now=hold.house.clock.now(), workflow_id=setup.workflow_id, written=written, previous=setup.operation_id
    )
    ledger = hold.house.records.setup
    if isinstance(await ledger.read(), Absent):
        return  # no record, so none that could name an operation that never was
    try:
        outcome = await ledger.attempt(RESTORE_LINK, facts, hold.caller)
    except RefusalError as unreadable:
        raise RefusalError(Refusal(Code.SETUP_TRANSITION_LINK_UNRECONCILED)) from unreadable
    if not isinstance(outcome, Settled):
        raise RefusalError(Refusal(Code.SETUP_TRANSITION_LINK_UNRECONCILED))
