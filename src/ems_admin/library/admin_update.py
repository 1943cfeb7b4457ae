"""The Admin alone, brought to a newer build while the EMS stays as it is. Source: `http.md` 5.3 (Admin update)."""

from __future__ import annotations

from ems_admin.library.room import Room
from ems_admin.workflows.admin_update.executing import execute_admin_update
from ems_admin.workflows.admin_update.planning import AdminUpdatePlanned, plan_admin_update
from ems_admin.workflows.admin_update.status import AdminUpdateStatus, admin_update_status, resume_admin_update
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.jobs import Job


class AdminUpdateViews(Room):
    """The update of the Admin as it stands."""

    async def status(self) -> AdminUpdateStatus:
        """Give the plan on record, how far it has come, and why it failed. Never refused."""
        return await admin_update_status(self.house)


class AdminUpdateActs(AdminUpdateViews):
    """The update of the Admin, planned and carried out."""

    async def plan(self, tag: str) -> AdminUpdatePlanned:
        """Plan the update to the Admin of a build; the plan is kept. Without `plan_id` there is nothing to do."""
        return await plan_admin_update(self.house, self.caller, tag)

    async def execute(self, plan_id: str, *, confirm: bool) -> Job:
        """Carry the plan out: this Admin is replaced. Refused with `plan_unknown` for any other than the last one."""
        return await execute_admin_update(self.house, self.caller, plan_id, confirm=confirm)

    async def resume(self, operation_id: str) -> AlignmentStatus | Job:
        """Go on with the operation of the plan: the status when the step has ended, its job when that takes long."""
        return await resume_admin_update(self.house, self.caller, operation_id)
