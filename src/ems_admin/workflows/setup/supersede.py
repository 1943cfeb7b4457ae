"""Another build after a Setup has begun: the workflow ends, and a new one begins with the build that was chosen.

One operation, and two records of B0 one after the other. A cut between them leaves a workflow that is over and cleaned
up: the start path begins anew. Source: `seed 000` 3 row 16d, 5.3, 5.4.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import CleanupEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import authority_refusal
from ems_admin.machines.setup.facts import BEGIN, SUPERSEDE, BeginFacts
from ems_admin.workflows import standing
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under, workflow_is_named
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import installation_fingerprint
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.selection import resolve
from ems_admin.workflows.setup.ending import claim_to_end, end, machines_agree, rehearse_cancel, rehearse_end

ROW: Final = AuthorityRow(demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP), claim=WorkKind.SUPERSEDE)


@frozen(kw_only=True)
class Superseded:
    """The workflow that is over with what became of its artifacts, and the one that took its place."""

    superseded_workflow_id: str
    setup_workflow_id: str
    setup_intent_id: str
    selected_system_tag: str
    cleanup: tuple[CleanupEntry, ...]


async def supersede(house: House, caller: Caller, workflow_id: str | None, tag: str) -> Superseded:
    """End the workflow and begin another one for `tag`. Raises `RefusalError`.

    In this order: the workflow, `setup_operation_in_progress`, the ownership codes, what the source says of the tag,
    `setup_state_changed`; only then anything ends. A cleanup that could not be finished is its own code: the old
    workflow keeps owning what is left, and no other one begins.
    """
    own = {Demand.CLAIM: _site_is_claimed, Demand.OWNERSHIP: _machines_agree}
    async with house.locks.hold("lifecycle"), under(house, caller, ROW, workflow_id=workflow_id, own=own) as hold:
        await resolve(house, tag)
        await _confirmation_can_be_given(house)
        ended = await end(house, caller, hold.work, SUPERSEDE, hold.setup)
        facts = BeginFacts(now=house.clock.now(), workflow_id=house.ids.secret(), selected_system_tag=tag)
        begun = await house.records.setup.decide(BEGIN, facts, caller)
        intent_id = await house.intents.issue(caller, begun.workflow_id, await installation_fingerprint(house))
        return Superseded(
            superseded_workflow_id=hold.setup.workflow_id,
            setup_workflow_id=begun.workflow_id,
            setup_intent_id=intent_id,
            selected_system_tag=tag,
            cleanup=ended.cleanup,
        )


async def rehearse_supersede(house: House, workflow_id: str | None) -> None:
    """Ask everything that superseding asks but for the build, and take nothing. Raises `RefusalError`."""
    await standing.require_mutable(house)
    setup = await house.records.setup.current()
    if refusal := authority_refusal(setup, workflow_id):
        raise RefusalError(refusal)
    await rehearse_end(house, WorkKind.SUPERSEDE, SUPERSEDE, setup)
    await _confirmation_can_be_given(house)
    await rehearse_cancel(house, await standing.own_transition(house, setup) if setup else None)


async def _site_is_claimed(hold: Hold) -> None:
    """Claim the end, then ask once more for the workflow: it may be over by now."""
    await claim_to_end(hold, WorkKind.SUPERSEDE)
    await workflow_is_named(hold)


async def _machines_agree(hold: Hold) -> None:
    await machines_agree(hold, SUPERSEDE)


async def _confirmation_can_be_given(house: House) -> None:
    """Look whether the installation can be read: a workflow that nobody could confirm is no replacement."""
    if await installation_fingerprint(house) is None:
        raise RefusalError(Refusal(Code.SETUP_STATE_CHANGED))
