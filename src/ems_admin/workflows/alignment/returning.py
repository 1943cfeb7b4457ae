"""The way back to the running build: a failed operation is cancelled, and another one brings its Admin back.

The EMS that runs is left as it is: the new operation aligns the Admin, fetches the resources and checks the health.
Both records are B1, one after the other. A cut between them leaves a cancelled operation, and nothing is owed.
Source: `seed 000` 3 rows 18a, 18b, 5.6; `site.md` 9; `http.md` 5.3.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from ems_admin.machines.alignment.outlook import ResumeStep, place_of, resume_step
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import resources
from ems_admin.workflows.alignment.beginning import begin, begin_facts
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.alignment.known_good import way_back
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement import handing_over
from ems_admin.workflows.selection import Selection

# The claim comes first: the second click names an operation that the first one has ended, and joins its work.
ROW: Final = AuthorityRow(demands=(Demand.CLAIM, Demand.OPERATION, Demand.CONFIRMATION), claim=WorkKind.BUILD_RETURN)


async def return_to_running_build(house: House, caller: Caller, operation_id: str | None, *, confirm: bool) -> Job:
    """Cancel the failed operation, begin the one that goes back, and let a job carry it out. Raises `RefusalError`.

    In this order: whoever holds the site, `operation_mismatch`, what closes the way back (`setup_return_unsupported`
    before all else), `confirmation_required`, what the failed operation answers to its cancel.
    """
    back = _Back(operation_id=operation_id)
    own = {Demand.OPERATION: back.is_open, Demand.CONFIRMATION: person_agreed(confirm=confirm)}
    request = sha256_of({"return from": operation_id})
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        begun = await back.begin(hold)
        step = resume_step(begun, place_of(begun, standing.running_admin(house)))
        replaces = step is ResumeStep.UPDATE_ADMIN
        job = house.jobs.open(
            job_id=hold.work.id,
            kind=hold.work.kind,
            steps=handing_over.STEPS if replaces else resources.STEPS,
            operation_id=begun.operation_id,
            interruptible=handing_over.INTERRUPTIBLE if replaces else resources.INTERRUPTIBLE,
        )
        house.jobs.run(job, _go_back(hold, begun, job, replaces=replaces), hold.hand_over())
        return job


async def rehearse_return(house: House) -> None:
    """Ask everything but the person, and take nothing. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house)
    if refusal := house.work.against(WorkKind.BUILD_RETURN):
        raise RefusalError(refusal)
    if refusal := (await way_back(house, await house.records.transition.current())).refusal:
        raise RefusalError(refusal)


@define(kw_only=True, eq=False)
class _Back:
    """One return. Mutable: the check finds the build that is then returned to."""

    operation_id: str | None
    selection: Selection | None = None

    async def is_open(self, hold: Hold) -> None:
        """Name the operation, and look whether there is a way back from it."""
        transition = await hold.house.records.transition.current()
        if transition is not None and transition.operation_id != self.operation_id:
            raise RefusalError(Refusal(Code.OPERATION_MISMATCH))
        looked = await way_back(hold.house, transition)
        if looked.refusal:
            raise RefusalError(looked.refusal)
        hold.transition, self.selection = transition, looked.selection

    async def begin(self, hold: Hold) -> Transition:
        """Cancel, then begin. What the upgrade had settled stays with the operation that is over (row 18b)."""
        if self.selection is None:
            raise LookupError("the way back is looked for before it is taken")
        house, caller = hold.house, hold.caller
        await cancel(house, caller, hold.operation, hold.work)
        facts = begin_facts(hold, self.selection, Mode.ALIGN_EXISTING_INSTALL)
        house.work.add_operation(hold.work, facts.operation_id)
        return await begin(house, caller, facts)


async def _go_back(hold: Hold, transition: Transition, job: Job, *, replaces: bool) -> None:
    """Replace the Admin; one that has become the right one meanwhile goes on with the resources."""
    house, caller = hold.house, hold.caller
    if replaces:
        await handing_over.hand_over(house, caller, transition, hold.work, job, retrying=False)
    else:
        await resources.verify_resources(house, caller, transition, hold.work, job.report)
