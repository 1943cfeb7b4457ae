"""The step with which an operation goes on, as a job: the same one for whoever asks, a resume or a route of a Setup.

Source: `http.md` 5.5; `replacement.md` 7.2.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import (
    RECOVER_EMS_OPERATION,
    REQUEST_HEALTHCHECK,
    RESUME_AFTER_ADMIN_RECONNECT,
    OperationFacts,
)
from ems_admin.machines.alignment.outlook import ResumeStep, is_handed_over
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import health, resources
from ems_admin.workflows.alignment.proving import reconnect_facts
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement import handing_over
from ems_admin.workflows.sight import sight


@frozen(kw_only=True)
class Course:
    """What a job of one step shows, and during which of its parts it may be stopped."""

    steps: tuple[tuple[str, str], ...]
    interruptible: frozenset[str] = frozenset()


REPLACES: Final = Course(steps=handing_over.STEPS, interruptible=handing_over.INTERRUPTIBLE)
VERIFIES: Final = Course(steps=resources.STEPS, interruptible=resources.INTERRUPTIBLE)
CHECKS: Final = Course(steps=health.STEPS)

COURSES: Final = {
    ResumeStep.UPDATE_ADMIN: REPLACES,
    ResumeStep.RETRY_ADMIN_UPDATE: REPLACES,
    ResumeStep.PROVE_ADMIN: VERIFIES,
    ResumeStep.VERIFY_RESOURCES: VERIFIES,
    ResumeStep.RECOVER_EMS: CHECKS,
    ResumeStep.CHECK_HEALTH: CHECKS,
}
"""The steps that are work. The others only tell how things stand."""
LONG: Final = frozenset({ResumeStep.UPDATE_ADMIN, ResumeStep.RETRY_ADMIN_UPDATE})
"""Those that nobody waits for: the job is the answer at once."""


def begin_step(hold: Hold, transition: Transition, step: ResumeStep) -> Job:
    """Let a job do a step under the claim that `hold` has; the claim goes over to it.

    A step that is no work is a job as well, for whoever has to be given one: it ends at once.
    """
    course = COURSES.get(step, VERIFIES)
    job = hold.house.jobs.open(
        job_id=hold.work.id,
        kind=hold.work.kind,
        steps=course.steps,
        workflow_id=hold.work.workflow_id,
        operation_id=transition.operation_id,
        interruptible=course.interruptible,
    )
    job.reconnect = is_handed_over(transition)
    hold.house.jobs.run(job, _go_on(hold, transition, step, job), hold.hand_over())
    return job


async def _go_on(hold: Hold, transition: Transition, step: ResumeStep, job: Job) -> None:
    house, caller, ledger = hold.house, hold.caller, hold.house.records.transition
    await standing.still_accepted(house, hold.work.workflow_id)
    match step:
        case ResumeStep.UPDATE_ADMIN | ResumeStep.RETRY_ADMIN_UPDATE:
            retrying = step is ResumeStep.RETRY_ADMIN_UPDATE
            await handing_over.hand_over(house, caller, transition, hold.work, job, retrying=retrying)
        case ResumeStep.PROVE_ADMIN:
            facts = reconnect_facts(house, transition, await sight(house, transition))
            proven = await ledger.decide(RESUME_AFTER_ADMIN_RECONNECT, facts, caller)
            await resources.verify_resources(house, caller, proven, hold.work, job.report)
        case ResumeStep.VERIFY_RESOURCES:
            await resources.verify_resources(house, caller, transition, hold.work, job.report)
        case ResumeStep.RECOVER_EMS:
            recovered = await ledger.decide(
                RECOVER_EMS_OPERATION, await standing.recovery_facts(house, transition, own_claim=hold.work.id), caller
            )
            if recovered.error_code is not None:
                raise RefusalError(Refusal(Code(recovered.error_code)))
            await health.check_health(house, caller, recovered, hold.work, job.report)
        case ResumeStep.CHECK_HEALTH:
            named = OperationFacts(now=house.clock.now(), operation_id=transition.operation_id)
            checking = await ledger.decide(REQUEST_HEALTHCHECK, named, caller)
            await health.check_health(house, caller, checking, hold.work, job.report)
        case ResumeStep.RETRY | ResumeStep.REPORT | ResumeStep.REFUSE:
            pass  # somebody else goes on, or nobody
