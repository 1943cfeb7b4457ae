"""Going on with a Guided Upgrade: one job walks through all that is left, wherever the last one stopped.

Source: `site.md` 3, 9; `http.md` 5.3 (upgrade/resume), 5.5.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.facts import RESUME
from ems_admin.machines.alignment.outlook import has_failed
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.upgrade.course import Part, is_upgrade
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.retry import may_retry
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.walk import own_context, upcoming
from ems_admin.workflows.upgrade.working import begin_work

ROW: Final = AuthorityRow(demands=(Demand.OPERATION, Demand.CLAIM), claim=WorkKind.GUIDED_UPGRADE)


async def resume_upgrade(house: House, caller: Caller, operation_id: str | None) -> AlignmentStatus | Job:
    """Go on with the upgrade: its job, or the status while another Admin is waited for. Raises `RefusalError`.

    In this order: `no_guided_upgrade_transition`, `operation_mismatch`, `expired` (not for a step that was claimed),
    `transition_active`, `not_resumable`, `guided_upgrade_context_unavailable`, whoever holds the site, and what stands
    against a retry.
    """
    request = sha256_of({"upgrade": operation_id})
    own = {Demand.OPERATION: _may_go_on(operation_id)}
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition = hold.operation
        context = await own_context(house, transition)
        if await upcoming(house, transition, context) is not Part.WAIT:
            if has_failed(transition):
                await may_retry(house, transition)
            return begin_work(hold, transition, context)
    # The claim is free again: the status does not count this request among the work.
    return await alignment_status(house)


async def rehearse_resume_upgrade(house: House) -> None:
    """Ask all that going on asks, and take nothing. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house)
    transition = await _upgrade(house)
    decision = SYSTEM_ALIGNMENT.decide(
        transition, RESUME, standing.resume_facts(house, transition, transition.operation_id, own_claim=None)
    )
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)
    await own_context(house, transition)
    if refusal := house.work.against(WorkKind.GUIDED_UPGRADE):
        raise RefusalError(refusal)
    if has_failed(transition):
        await may_retry(house, transition)


def _may_go_on(operation_id: str | None) -> Check:
    async def upgrade_goes_on(hold: Hold) -> None:
        """Ask the machine for the permission to go on, and look whether what was settled is known."""
        house = hold.house
        transition = await _upgrade(house)
        facts = standing.resume_facts(house, transition, operation_id, own_claim=hold.entry.id if hold.entry else None)
        hold.transition = await house.records.transition.decide(RESUME, facts, hold.caller)
        await own_context(house, hold.transition)

    return upgrade_goes_on


async def _upgrade(house: House) -> Transition:
    transition = await house.records.transition.current()
    if transition is None or not is_upgrade(transition):
        raise RefusalError(Refusal(Code.NO_GUIDED_UPGRADE_TRANSITION))
    return transition
