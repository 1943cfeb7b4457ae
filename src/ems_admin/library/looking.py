"""What a site says of itself. Nothing here changes a byte of it.

Source: `http.md` 5.3 (every GET, and the acts that only look).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ems_admin.library.admin_update import AdminUpdateViews
from ems_admin.library.backups import BackupViews
from ems_admin.library.config import ConfigViews
from ems_admin.library.containers import ContainerViews
from ems_admin.library.room import Room
from ems_admin.machines.catalogue import BY_NAME, CATALOGUE
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.render.data import data
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.arbiter.recovering import RecoveryPreview, preview_recovery
from ems_admin.workflows.arbiter.switching import SwitchPreview, preview_switch
from ems_admin.workflows.config import reading
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.merging import Choices, MergedDraft, merge_draft
from ems_admin.workflows.config.preview import Reviewed
from ems_admin.workflows.deployment.view import DeploymentPlan, DeploymentStatus, deployment_plan, deployment_status
from ems_admin.workflows.install_state import InstallView, install_view
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.lifecycle import LifecycleView, lifecycle_view
from ems_admin.workflows.maintenance.config import LiveConfig, Revised, live_config, revise
from ems_admin.workflows.maintenance.overview import Overview, overview
from ems_admin.workflows.ports.records import JournalEntry, RefusalError
from ems_admin.workflows.setup.releases import Flow, Offer, releases
from ems_admin.workflows.setup.validate import Validation, validate
from ems_admin.workflows.setup.view import read_setup
from ems_admin.workflows.upgrade.plan import Plan, make_plan
from ems_admin.workflows.upgrade.validate import UpgradeValidation, validate_upgrade
from ems_admin.workflows.views.console import Console, console


class SetupViews(Room):
    """The Guided Setup as it stands."""

    async def workflow(self) -> GuidedSetup | None:
        """Give the Guided Setup; `None` when there never was one. Refused with `workflow_state_malformed`."""
        setup = await read_setup(self.house)
        if isinstance(setup, Refusal):
            raise RefusalError(setup)
        return setup

    async def releases(self, flow: Flow = Flow.SETUP) -> tuple[Offer, ...]:
        """List the builds on offer, the recommended one first, or for an upgrade the newest."""
        return await releases(self.house, flow)

    async def config_form(self) -> reading.ConfigForm:
        """Give schema, template and example of the selected build. Refused with `release_not_prepared`."""
        return await reading.config_form(self.house)

    async def config_status(self) -> reading.ConfigStatus:
        """Give the revisions of the generated and of the live config, as SHA-256 in hex; `None` for an absent one."""
        return await reading.config_status(self.house)

    async def check_config(self, draft: Draft) -> Reviewed:
        """Work a draft out for nobody: no preview is issued."""
        return await reading.check(self.house, draft)

    async def merge_config(self, draft: Draft, choices: Choices) -> MergedDraft:
        """Bring a draft up to date that was refused as stale. Refused with `release_not_prepared`."""
        return await merge_draft(self.house, draft, choices)

    async def download_config(self, draft: Draft) -> bytes:
        """Give the config of a draft as the bytes of its file. Refused with `validation_failed`."""
        return await reading.download(self.house, draft)

    async def deployment_plan(self) -> DeploymentPlan:
        """Say what a preparation would use."""
        return await deployment_plan(self.house)

    async def deployment_status(self) -> DeploymentStatus:
        """Say what is seen of the EMS."""
        return await deployment_status(self.house)


class OperationViews(Room):
    """The System Alignment operation as it stands."""

    async def status(self) -> AlignmentStatus:
        """Say how far it is, who acts, and what takes it on. Never refused: what cannot be read is shown as that."""
        return await alignment_status(self.house)

    async def validate(self, tag: str) -> Validation:
        """Verify a build and say what can be done with it."""
        return await validate(self.house, tag)


class LifecycleViews(Room):
    """Who owns the console."""

    async def view(self) -> LifecycleView:
        """Say who owns it, in which state, and what stands against a switch."""
        return await lifecycle_view(self.house)

    async def preview_switch(self, target: Target) -> SwitchPreview:
        """Say what one switch would reset and what it preserves, with the fingerprint that binds it."""
        return await preview_switch(self.house, target)

    async def preview_recovery(self) -> RecoveryPreview:
        """Say what recovery could do, with the fingerprint that binds it."""
        return await preview_recovery(self.house)


class MaintenanceViews(Room):
    """The installed EMS."""

    async def overview(self) -> Overview:
        """Say what is installed, and how it is."""
        return await overview(self.house)

    async def config(self) -> LiveConfig:
        """Give the live config, its secrets masked, with its revision."""
        return await live_config(self.house)

    async def preview_config(self, draft: dict[str, Any]) -> Revised:
        """Compare an edit with the live config. Writes nothing."""
        return await revise(self.house, draft)

    async def validate_upgrade(self, tag: str) -> UpgradeValidation:
        """Verify a build as the target of an upgrade."""
        return await validate_upgrade(self.house, tag)

    async def plan_upgrade(self, tag: str, options: UpgradeOptions, selection_fingerprint: str | None) -> Plan:
        """Work an upgrade out: what it would do, interrupt and need. Nothing is stored.

        `selection_fingerprint` is that of the verification. Refused like `validate_upgrade`, then with
        `system_build_verification_required` or `_stale`.
        """
        return await make_plan(self.house, tag, options, selection_fingerprint)


class Looking(Room):
    """A site that is read. It needs no lock: another Admin may own it."""

    @property
    def setup(self) -> SetupViews:
        """The Guided Setup."""
        return SetupViews(house=self.house, caller=self.caller)

    @property
    def operation(self) -> OperationViews:
        """The System Alignment operation."""
        return OperationViews(house=self.house, caller=self.caller)

    @property
    def lifecycle(self) -> LifecycleViews:
        """Who owns the console."""
        return LifecycleViews(house=self.house, caller=self.caller)

    @property
    def maintenance(self) -> MaintenanceViews:
        """The installed EMS."""
        return MaintenanceViews(house=self.house, caller=self.caller)

    @property
    def config(self) -> ConfigViews:
        """The config of the installed EMS over time."""
        return ConfigViews(house=self.house, caller=self.caller)

    @property
    def containers(self) -> ContainerViews:
        """The containers of the site."""
        return ContainerViews(house=self.house, caller=self.caller)

    @property
    def backups(self) -> BackupViews:
        """What was kept of the site."""
        return BackupViews(house=self.house, caller=self.caller)

    @property
    def admin_update(self) -> AdminUpdateViews:
        """The update of the Admin alone."""
        return AdminUpdateViews(house=self.house, caller=self.caller)

    async def inspect(self) -> LifecycleView:
        """Say who owns the console: where most programs begin."""
        return await lifecycle_view(self.house)

    async def console(self) -> Console:
        """Give the one read model of the browser console."""
        return await console(self.house)

    async def install_state(self) -> InstallView:
        """Say what is installed."""
        return await install_view(self.house)

    async def journal(self, after: int | None = None) -> tuple[JournalEntry, ...]:
        """Give the lines of the audit journal that follow `after`, or the newest ones; oldest first."""
        written = self.house.journal
        return await (written.latest() if after is None else written.after(after))

    def jobs(self) -> tuple[Job, ...]:
        """List the jobs of this process, the newest last."""
        return self.house.jobs.jobs

    def job(self, job_id: str) -> Job:
        """Find one job. Refused with `not_found`."""
        job = self.house.jobs.find(job_id)
        if job is None:
            raise RefusalError(Refusal(Code.NOT_FOUND))
        return job

    @staticmethod
    def machines() -> tuple[Mapping[str, object], ...]:
        """Give all declarations as plain data."""
        return tuple(data(entry) for entry in CATALOGUE)

    @staticmethod
    def machine(name: str) -> Mapping[str, object]:
        """Give one declaration as plain data. Refused with `not_found`."""
        entry = BY_NAME.get(name)
        if entry is None:
            raise RefusalError(Refusal(Code.NOT_FOUND))
        return data(entry)
