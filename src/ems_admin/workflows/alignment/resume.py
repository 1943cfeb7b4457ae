"""Going on with a known operation from the stage at which it stands.

Resume continues, it never adopts: the exact operation is named, and what is then done follows from its stage.
Source: `http.md` 5.5.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ems_admin.machines.alignment.facts import RESUME
from ems_admin.machines.alignment.outlook import ResumeStep, is_beyond_cancel, place_of, resume_step
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.authority import authority_refusal
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.upgrade.course import REPORTED, is_upgrade
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import resources
from ems_admin.workflows.alignment.going_on import COURSES, LONG, begin_step
from ems_admin.workflows.alignment.retry import forward, may_retry
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, site_is_claimed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.walk import own_context
from ems_admin.workflows.upgrade.working import begin_work

RETRIES: Final = frozenset({ResumeStep.RETRY, ResumeStep.RETRY_ADMIN_UPDATE})
ROW: Final = AuthorityRow(demands=(Demand.OPERATION, Demand.CLAIM), claim=WorkKind.TRANSITION_RESUME)
PATIENCE: Final = timedelta(seconds=20)
"""How long the answer waits for the end of the step before it becomes a job."""


async def resume(house: House, caller: Caller, operation_id: str | None) -> AlignmentStatus | Job:
    """Go on with the operation: the status when the step has ended, its job when that takes long.

    Raises `RefusalError`: `no_transition`, `operation_mismatch`, `expired` (not for a step that was claimed),
    `transition_active`, `not_resumable`, and what the step itself answers.
    """
    request = sha256_of({"operation": operation_id})
    own = {Demand.OPERATION: _may_go_on(operation_id)}
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition, step = await forward(house, caller, _named(hold))
        job = await _begin(hold, transition, step) if step in COURSES else None
    # The claim is free again, or the job's: the status does not count this request among the work.
    if job is not None and (step in LONG or not (job.task is not None and await job.task.wait(PATIENCE))):
        return job
    if job is not None and job.error is not None:
        raise RefusalError(job.error)
    return await alignment_status(house)


async def verify(house: House, caller: Caller, operation_id: str | None) -> Job:
    """Verify the resources of the operation as a job. Raises `RefusalError`."""
    request = sha256_of({"operation": operation_id, "verify": True})
    own = {Demand.OPERATION: _may_go_on(operation_id), Demand.CLAIM: _site_is_claimed_to_import}
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition = _named(hold)
        resources.may_claim(house, transition, hold.work)
        return await _begin(hold, transition, ResumeStep.VERIFY_RESOURCES)


async def _begin(hold: Hold, transition: Transition, step: ResumeStep) -> Job:
    """Let a job do the step. An upgrade walks by its own course, as far as the resume of an operation goes."""
    if await _walks_its_course(hold.house, transition):
        return begin_work(hold, transition, await own_context(hold.house, transition), until=REPORTED)
    return begin_step(hold, transition, step)


async def _walks_its_course(house: House, transition: Transition) -> bool:
    """Say whether it is an upgrade that knows what it has settled. Raises `guided_upgrade_context_unavailable`.

    A step that was claimed and cannot be cancelled is finished all the same: it asks only which EMS runs, and without
    that there would be no way out of it.
    """
    if not is_upgrade(transition):
        return False
    try:
        await own_context(house, transition)
    except RefusalError:
        if not is_beyond_cancel(transition):
            raise
        return False
    return True


async def rehearse_resume(house: House) -> None:
    """Ask all that resuming asks, and take nothing. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house)
    transition = await house.records.transition.current()
    if transition is None:
        raise RefusalError(Refusal(Code.NO_TRANSITION))
    facts = standing.resume_facts(house, transition, transition.operation_id, own_claim=None)
    decision = SYSTEM_ALIGNMENT.decide(transition, RESUME, facts)
    refusal = decision.refusal if isinstance(decision, Refused) else house.work.against(WorkKind.TRANSITION_RESUME)
    if refusal is not None:
        raise RefusalError(refusal)
    await _walks_its_course(house, transition)
    if resume_step(transition, place_of(transition, standing.running_admin(house))) in RETRIES:
        await may_retry(house, transition)


async def _site_is_claimed_to_import(hold: Hold) -> None:
    """Claim the site; against a live import of this very operation the answer is the operation's own."""
    try:
        await site_is_claimed(hold)
    except RefusalError:
        resources.may_claim(hold.house, _named(hold), None)
        raise


def _may_go_on(operation_id: str | None) -> Check:
    async def operation_goes_on(hold: Hold) -> None:
        """Ask the machine for the permission to go on, which moves nothing."""
        house = hold.house
        transition = await house.records.transition.current()
        if transition is None:
            raise RefusalError(Refusal(Code.NO_TRANSITION))
        facts = standing.resume_facts(house, transition, operation_id, own_claim=hold.entry.id if hold.entry else None)
        hold.transition = await house.records.transition.decide(RESUME, facts, hold.caller)
        await _walks_its_course(house, hold.transition)  # what it has settled is known before anything moves
        setup = await house.records.setup.read()
        if isinstance(setup, Present) and _owns(setup.record, transition):
            # The worker carries the workflow that owns the operation, so that its success can complete it.
            hold.workflow_id = setup.record.workflow_id

    return operation_goes_on


def _owns(setup: GuidedSetup, transition: Transition) -> bool:
    """Say whether this workflow may act, and this is its operation; one that is over carries nobody any further."""
    may_act = authority_refusal(setup, setup.workflow_id) is None
    return may_act and transition.mode in SETUP_MODES and setup.operation_id == transition.operation_id


def _named(hold: Hold) -> Transition:
    if hold.transition is None:
        raise LookupError("the operation is checked before it is gone on with")
    return hold.transition
