"""Going on with a known operation from the stage at which it stands.

Resume continues, it never adopts: the exact operation is named, and what is then done follows from its stage.
Source: `http.md` 5.5.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ems_admin.machines.alignment.facts import (
    RECOVER_EMS_OPERATION,
    REQUEST_HEALTHCHECK,
    RESUME,
    RESUME_AFTER_ADMIN_RECONNECT,
    EmsRecoveryFacts,
    OperationFacts,
    ReconnectFacts,
    ResumeFacts,
    Worker,
)
from ems_admin.machines.alignment.outlook import ResumeStep
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import health, resources
from ems_admin.workflows.alignment.retry import forward
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError

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
        job = await _begin(hold)
    # The claim is free again: the status tells how things stand, and does not count this request among the work.
    if job is not None and not (job.task is not None and await job.task.wait(PATIENCE)):
        return job
    if job is not None and job.error is not None:
        raise RefusalError(job.error)
    return await alignment_status(house)


async def verify(house: House, caller: Caller, operation_id: str | None) -> Job:
    """Verify the resources of the operation as a job. Raises `RefusalError`."""
    request = sha256_of({"operation": operation_id, "verify": True})
    own = {Demand.OPERATION: _may_go_on(operation_id)}
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition = _named(hold)
        resources.may_claim(house, transition, hold.work)
        job = _open(hold, transition, ResumeStep.VERIFY_RESOURCES)
        house.jobs.run(job, _go_on(hold, transition, ResumeStep.VERIFY_RESOURCES, job), hold.hand_over())
        return job


def _may_go_on(operation_id: str | None) -> Check:
    async def operation_goes_on(hold: Hold) -> None:
        """Ask the machine for the permission to go on, which moves nothing."""
        house = hold.house
        transition = await house.records.transition.current()
        if transition is None:
            raise RefusalError(Refusal(Code.NO_TRANSITION))
        own = hold.entry.id if hold.entry else None
        live = house.work.names(transition.operation_id, but=own)
        facts = ResumeFacts(
            now=house.clock.now(),
            operation_id=operation_id or "",
            expiry=standing.expiry(house, transition),
            worker=Worker.ACTIVE if live else Worker.INACTIVE,
        )
        hold.transition = await house.records.transition.decide(RESUME, facts, hold.caller)
        setup = await house.records.setup.read()
        if isinstance(setup, Present) and setup.record.operation_id == transition.operation_id:
            # The worker carries the workflow that owns the operation, so that its success can complete it.
            hold.workflow_id = setup.record.workflow_id

    return operation_goes_on


def _named(hold: Hold) -> Transition:
    if hold.transition is None:
        raise LookupError("the operation is checked before it is gone on with")
    return hold.transition


async def _begin(hold: Hold) -> Job | None:
    """Let a job do the step; `None` where there is only something to report."""
    transition, step = await forward(hold.house, hold.caller, _named(hold))
    if step in {ResumeStep.REPORT, ResumeStep.REFUSE}:
        return None
    if step is ResumeStep.UPDATE_ADMIN:
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED, detail=transition.system_tag))
    job = _open(hold, transition, step)
    hold.house.jobs.run(job, _go_on(hold, transition, step, job), hold.hand_over())
    return job


def _open(hold: Hold, transition: Transition, step: ResumeStep) -> Job:
    verifying = step in {ResumeStep.VERIFY_RESOURCES, ResumeStep.PROVE_ADMIN}
    return hold.house.jobs.open(
        job_id=hold.work.id,
        kind=hold.work.kind,
        steps=resources.STEPS if verifying else health.STEPS,
        workflow_id=hold.work.workflow_id,
        operation_id=transition.operation_id,
        interruptible=resources.INTERRUPTIBLE if verifying else frozenset(),
    )


async def _go_on(hold: Hold, transition: Transition, step: ResumeStep, job: Job) -> None:
    house, caller, ledger = hold.house, hold.caller, hold.house.records.transition
    facts = OperationFacts(now=house.clock.now(), operation_id=transition.operation_id)
    if step is ResumeStep.PROVE_ADMIN:
        transition = await ledger.decide(RESUME_AFTER_ADMIN_RECONNECT, await _reconnect(house, transition), caller)
        step = ResumeStep.VERIFY_RESOURCES
    if step is ResumeStep.VERIFY_RESOURCES:
        await resources.verify_resources(house, caller, transition, hold.work, job.report)
        return
    if step is ResumeStep.RECOVER_EMS:
        transition = await ledger.decide(RECOVER_EMS_OPERATION, await _recovery(hold, transition), caller)
        if transition.error_code is not None:
            raise RefusalError(Refusal(Code(transition.error_code)))
    else:
        transition = await ledger.decide(REQUEST_HEALTHCHECK, facts, caller)
    await health.check_health(house, caller, transition, hold.work, job.report)


async def _recovery(hold: Hold, transition: Transition) -> EmsRecoveryFacts:
    house = hold.house
    live = house.work.names(transition.operation_id, but=hold.work.id)
    return EmsRecoveryFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        worker=Worker.ACTIVE if live else Worker.INACTIVE,
        ems=standing.running_ems(await house.engine.observe(), transition.ems_digest),
    )


async def _reconnect(house: House, transition: Transition) -> ReconnectFacts:
    run = await house.records.run.read()
    past = {WalkStep.VERIFIED, WalkStep.ENDED}
    verified = isinstance(run, Present) and (
        run.record.operation_id == transition.operation_id and run.record.step in past
    )
    own = standing.running_admin(house)
    return ReconnectFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=standing.expiry(house, transition),
        running_digest=own.digest if own else None,
        running_build_id=own.build_id if own else None,
        running_revision=own.revision if own else None,
        walk_verified=verified,
        updater=await standing.updater(house, transition.operation_id),
    )
