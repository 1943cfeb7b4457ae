"""Choosing a System Build in a Guided Setup: the operation is created and owned, then its resources are brought here.

Source: `seed 000` 2.4, 5.5; `http.md` 5.3 (confirm, releases/prepare).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.outlook import ResumeStep
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.alignment import resources
from ems_admin.workflows.alignment.retry import forward
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.creation import own_or_new
from ems_admin.workflows.setup.selection import resolve

CREATION: Final = (Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.INTENT)
"""The claim stands before the intent: a refused claim leaves the person's one confirmation unspent."""
CONFIRM: Final = AuthorityRow(demands=CREATION, claim=WorkKind.SYSTEM_BUILD_CONFIRM)
PREPARE: Final = AuthorityRow(demands=CREATION, claim=WorkKind.SETUP_RELEASE_PREPARE)


async def prepare_build(  # noqa: PLR0913  # what the request presents
    house: House,
    caller: Caller,
    row: AuthorityRow,
    *,
    tag: str,
    workflow_id: str | None,
    intent_id: str | None,
    mode: Mode = Mode.FRESH_INSTALL,
) -> Job:
    """Create or go on with the operation for a build, and let a job verify its resources. Raises `RefusalError`.

    The answer is given only when B0's link and B1's beginning are durable.
    """
    request = sha256_of({"tag": tag, "workflow": workflow_id, "mode": mode})
    async with under(house, caller, row, workflow_id=workflow_id, intent_id=intent_id, request_hash=request) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        selection = await resolve(house, tag)
        if not selection.aligned:
            raise RefusalError(Refusal(Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED, detail=tag))
        transition = await own_or_new(hold, selection, mode)
        transition, step = await forward(house, caller, transition)
        job = house.jobs.open(
            job_id=hold.work.id,
            kind=hold.work.kind,
            steps=resources.STEPS,
            workflow_id=workflow_id,
            operation_id=transition.operation_id,
            interruptible=resources.INTERRUPTIBLE,
        )
        house.jobs.run(job, _verify(hold, transition, step, job), hold.hand_over())
        return job


async def _verify(hold: Hold, transition: Transition, step: ResumeStep, job: Job) -> None:
    if step is ResumeStep.VERIFY_RESOURCES:
        await resources.verify_resources(hold.house, hold.caller, transition, hold.work, job.report)
