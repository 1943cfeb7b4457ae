"""An update of the Admin as people see it, and going on with it: its operation does all the work.

Source: `http.md` 5.3 (admin-update/status, resume); `site.md` 2 (Admin update).
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.admin_update_progress import AdminUpdateProgress, read
from ems_admin.machines.alignment.outlook import Place, place_of
from ems_admin.machines.codes import Code, known_code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.resume import resume
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError


@frozen(kw_only=True)
class AdminUpdateStatus:
    """The plan on record and how far it has come. The operation itself is shown by the alignment status."""

    state: AdminUpdateProgress | None
    """`None` where nothing is planned, where a later operation has followed, or where it cannot be read."""
    plan: PendingAdminUpdate | None
    operation_id: str | None
    """Of the operation that carries the plan out, once there is one."""
    error: Refusal | None
    """Why it failed, or why the plan cannot be read."""


async def admin_update_status(house: House) -> AdminUpdateStatus:
    """Look how far the update of the Admin is. Changes nothing, and never refuses."""
    reading = await house.records.admin_update.read()
    if isinstance(reading, Unreadable):
        refusal = standing.admin_plan_unreadable(reading)
        return AdminUpdateStatus(state=None, plan=None, operation_id=None, error=refusal)
    if not isinstance(reading, Present):
        return AdminUpdateStatus(state=None, plan=None, operation_id=None, error=None)
    plan, transition = reading.record, await _transition(house)
    place = place_of(transition, standing.running_admin(house)) if transition else Place.ELSEWHERE
    ours = transition if transition is not None and transition.operation_id == plan.operation_id else None
    return AdminUpdateStatus(
        state=read(plan, transition, place),
        plan=plan,
        operation_id=ours.operation_id if ours else None,
        error=_failure(ours),
    )


async def resume_admin_update(house: House, caller: Caller, operation_id: str | None) -> AlignmentStatus | Job:
    """Go on with the operation of the plan on record, as `resume` does. Raises `RefusalError`.

    `no_transition` and `operation_mismatch` also where the operation is there and is not the one of a plan.
    """
    await standing.require_mutable(house)
    plan = await house.records.admin_update.current()
    if await house.records.transition.current() is None:
        raise RefusalError(Refusal(Code.NO_TRANSITION))
    if plan is None or plan.operation_id != operation_id:
        raise RefusalError(Refusal(Code.OPERATION_MISMATCH))
    return await resume(house, caller, operation_id)


async def _transition(house: House) -> Transition | None:
    reading = await house.records.transition.read()
    return reading.record if isinstance(reading, Present) else None


def _failure(transition: Transition | None) -> Refusal | None:
    if transition is None or transition.error_code is None:
        return None
    return Refusal(
        known_code(transition.error_code) or Code.REPLACEMENT_UPDATER_FAILED, detail=transition.error_message
    )
