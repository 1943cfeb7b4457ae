"""What an open site can be asked to do: one method for every route that changes something.

Source: `http.md` 5.3; the order of checks of each is that of its authority row (`docs/routes.md`).
"""

from __future__ import annotations

from ems_admin.library.admin_update import AdminUpdateActs
from ems_admin.library.backups import BackupActs
from ems_admin.library.config import ConfigActs
from ems_admin.library.containers import ContainerActs
from ems_admin.library.looking import LifecycleViews, Looking, MaintenanceViews, OperationViews, SetupViews
from ems_admin.library.upgrade import UpgradeActs
from ems_admin.machines.container_conflict import ConflictAction
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.machines.records.transition import Mode
from ems_admin.workflows.alignment import resume
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.returning import return_to_running_build
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.arbiter.recovering import Recovered, RecoveryRequest, recover
from ems_admin.workflows.arbiter.start_path import Choice, StartPath, start_path
from ems_admin.workflows.arbiter.switching import Switched, switch
from ems_admin.workflows.authority import AuthorityRow
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.mutation import Applied, MutationRequest, Written, apply, write
from ems_admin.workflows.config.preview import Previewed, preview
from ems_admin.workflows.deployment.conflicts import Resolved, resolve_conflict
from ems_admin.workflows.deployment.permissions import Repaired, repair_permissions
from ems_admin.workflows.deployment.prepare import prepare
from ems_admin.workflows.deployment.start import start
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.apply import Change, ConfigApplied, Migrated, apply_config, migrate_legacy
from ems_admin.workflows.maintenance.diagnostics import run_diagnostics
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.setup.abandon import abandon
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.setup.ending import Ended
from ems_admin.workflows.setup.supersede import Superseded, supersede


class SetupActs(SetupViews):
    """The Guided Setup, acted on. `workflow_id` names the one active workflow, exactly."""

    async def begin(self, *, confirm: bool = False) -> StartPath:
        """Begin or resume the Setup; gives its id and a fresh confirmation (`setup_intent_id`) for one creation.

        `confirm` agrees to go over an install that is there.
        """
        return await start_path(self.house, self.caller, Choice.SETUP_NEW, confirm=confirm)

    async def update_admin(self, *, tag: str, workflow_id: str, intent_id: str) -> Job:
        """Replace the Admin by the one of a build. The job ends when the updater was launched."""
        return await self._build(system_build.UPDATE_ADMIN, tag, workflow_id, intent_id)

    async def confirm_build(self, *, tag: str, workflow_id: str, intent_id: str) -> Job:
        """Create the operation for a build that this Admin belongs to, and fetch it."""
        return await self._build(system_build.CONFIRM, tag, workflow_id, intent_id)

    async def prepare_build(
        self, *, tag: str, workflow_id: str, intent_id: str, mode: Mode = Mode.FRESH_INSTALL
    ) -> Job:
        """Do the same under the console's own name, or in mode `automated_setup`."""
        return await self._build(system_build.PREPARE, tag, workflow_id, intent_id, mode)

    async def supersede(self, *, workflow_id: str, tag: str) -> Superseded:
        """End this Setup and begin one for another build."""
        return await supersede(self.house, self.caller, workflow_id, tag)

    async def abandon(self, workflow_id: str | None) -> Ended:
        """End the Setup, or go on with its cleanup; `None` only where there never was a workflow."""
        return await abandon(self.house, self.caller, workflow_id)

    async def disown(self, *, workflow_id: str, confirm: bool, reason: str) -> Ended:
        """Leave behind what a cleanup can never remove; every file stays. `reason` has at most 200 characters."""
        return await disown(self.house, self.caller, workflow_id, confirm=confirm, reason=reason)

    async def preview_config(self, *, workflow_id: str, draft: Draft) -> Previewed:
        """Work a draft out and issue its preview when it is ready."""
        return await preview(self.house, self.caller, draft, workflow_id)

    async def write_config(self, request: MutationRequest) -> Written:
        """Keep the previewed config for the deployment (W2)."""
        return await write(self.house, self.caller, request)

    async def apply_config(self, request: MutationRequest) -> Applied:
        """Make the previewed config the live one (W1)."""
        return await apply(self.house, self.caller, request)

    async def prepare_deployment(self, *, workflow_id: str, overwrite: bool = False) -> Job:
        """Put everything in place for the EMS (W3)."""
        return await prepare(self.house, self.caller, workflow_id, overwrite=overwrite)

    async def start_deployment(self, workflow_id: str) -> Job:
        """Start the EMS and prove it healthy."""
        return await start(self.house, self.caller, workflow_id)

    async def repair_permissions(self, workflow_id: str) -> Repaired:
        """Give what was prepared the modes and the owner that the EMS needs."""
        return await repair_permissions(self.house, self.caller, workflow_id)

    async def resolve_container_conflict(
        self, *, workflow_id: str, container_name: str, action: ConflictAction
    ) -> Resolved:
        """Clear the container away that stands in the way of a start."""
        return await resolve_conflict(
            self.house, self.caller, workflow_id, container_name=container_name, action=action
        )

    async def _build(
        self, row: AuthorityRow, tag: str, workflow_id: str, intent_id: str, mode: Mode = Mode.FRESH_INSTALL
    ) -> Job:
        return await system_build.prepare_build(
            self.house, self.caller, row, tag=tag, workflow_id=workflow_id, intent_id=intent_id, mode=mode
        )


class OperationActs(OperationViews):
    """The System Alignment operation, acted on. `operation_id` names it exactly."""

    async def resume(self, operation_id: str) -> AlignmentStatus | Job:
        """Go on from where it stands: the status when the step has ended, its job when that takes long."""
        return await resume.resume(self.house, self.caller, operation_id)

    async def verify_resources(self, operation_id: str) -> Job:
        """Import and verify the resources of the build."""
        return await resume.verify(self.house, self.caller, operation_id)

    async def cancel(self, *, operation_id: str, confirm: bool) -> AlignmentStatus:
        """Call off an operation that no Setup owns, with what its upgrade had settled."""
        return await call_off(self.house, self.caller, operation_id, confirm=confirm)

    async def return_to_running_build(self, *, operation_id: str, confirm: bool) -> Job:
        """Leave a failed operation for the build that is known to be good and runs."""
        return await return_to_running_build(self.house, self.caller, operation_id, confirm=confirm)


class LifecycleActs(LifecycleViews):
    """The console, switched and recovered."""

    async def switch(self, target: Target, *, fingerprint: str, confirm: bool = False) -> Switched:
        """Perform the switch that was previewed under this fingerprint."""
        return await switch(self.house, self.caller, target, fingerprint=fingerprint, confirm=confirm)

    async def recover(self, request: RecoveryRequest) -> Recovered:
        """Recover by normal ends, or release what nothing else can end."""
        return await recover(self.house, self.caller, request)


class MaintenanceActs(MaintenanceViews):
    """The installed EMS, changed."""

    async def apply_config(self, change: Change) -> ConfigApplied:
        """Save an edit over the revision that it was made from (W4)."""
        return await apply_config(self.house, self.caller, change)

    async def migrate_legacy(self, *, confirm: bool, overwrite: bool = False) -> Migrated:
        """Take the config of the old layout over (W8)."""
        return await migrate_legacy(self.house, self.caller, confirm=confirm, overwrite=overwrite)

    async def run_diagnostics(self) -> Job:
        """Let a job examine the site as a whole; its result is the diagnosis."""
        return await run_diagnostics(self.house)


class Acting(Looking):
    """An open site, and everything that it can be asked to do."""

    @property
    def setup(self) -> SetupActs:
        """The Guided Setup."""
        return SetupActs(house=self.house, caller=self.caller)

    @property
    def operation(self) -> OperationActs:
        """The System Alignment operation."""
        return OperationActs(house=self.house, caller=self.caller)

    @property
    def lifecycle(self) -> LifecycleActs:
        """Who owns the console."""
        return LifecycleActs(house=self.house, caller=self.caller)

    @property
    def maintenance(self) -> MaintenanceActs:
        """The installed EMS."""
        return MaintenanceActs(house=self.house, caller=self.caller)

    @property
    def config(self) -> ConfigActs:
        """The config of the installed EMS over time."""
        return ConfigActs(house=self.house, caller=self.caller)

    @property
    def containers(self) -> ContainerActs:
        """The containers of the site."""
        return ContainerActs(house=self.house, caller=self.caller)

    @property
    def backups(self) -> BackupActs:
        """What was kept of the site."""
        return BackupActs(house=self.house, caller=self.caller)

    @property
    def upgrade(self) -> UpgradeActs:
        """A Guided Upgrade."""
        return UpgradeActs(house=self.house, caller=self.caller)

    @property
    def admin_update(self) -> AdminUpdateActs:
        """The update of the Admin alone."""
        return AdminUpdateActs(house=self.house, caller=self.caller)

    async def ended(self, job: Job) -> Job:
        """Wait for the end of a job. Raises `RefusalError` with what it failed by."""
        if job.task is not None:
            await job.task.wait()
        if job.error is not None:
            raise RefusalError(job.error)
        return job

    def cancel_job(self, job_id: str) -> Job:
        """Ask a job to stop. Refused with `not_found` or `job_not_cancellable`."""
        return self.house.jobs.stop(job_id)
