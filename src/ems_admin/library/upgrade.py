"""What an open site can be asked to do about a Guided Upgrade. To look and to plan is asked of `maintenance`.

Source: `http.md` 5.3 (Guided Upgrade).
"""

from __future__ import annotations

from ems_admin.library.room import Room
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.upgrade.executing import UpgradeRequest, execute
from ems_admin.workflows.upgrade.resuming import resume_upgrade


class UpgradeActs(Room):
    """A Guided Upgrade, acted on."""

    async def execute(self, request: UpgradeRequest) -> Job:
        """Carry out the plan that was agreed to. The job ends when the updater was launched, or the upgrade is over."""
        return await execute(self.house, self.caller, request)

    async def resume(self, operation_id: str) -> AlignmentStatus | Job:
        """Go on with it: its job, or the status while another Admin is waited for."""
        return await resume_upgrade(self.house, self.caller, operation_id)
