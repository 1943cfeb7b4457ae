"""The one read model of the console: everything that its pages show, read once and from nowhere else.

Source: `http.md` 5.3 (GET /api/admin/console).
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.values.space import MIB, NEARLY_FULL
from ems_admin.workflows import standing
from ems_admin.workflows.admin_update.status import AdminUpdateStatus, admin_update_status
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.deployment.view import DeploymentStatus, deployment_status
from ems_admin.workflows.glance import glance
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import InstallView, install_view
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.lifecycle import LifecycleView, lifecycle_view
from ems_admin.workflows.lifecycle.offering import out_of_reach
from ems_admin.workflows.lifecycle.reading import store_of
from ems_admin.workflows.ports.engine import EngineStatus
from ems_admin.workflows.setup.view import read_setup
from ems_admin.workflows.upgrade.view import UpgradeView, upgrade_view
from ems_admin.workflows.views.machine_states import machine_states
from ems_admin.workflows.views.offers import Offered, offers


@frozen(kw_only=True)
class Warning:  # noqa: A001  # the console calls it so
    """Something that people should know and nothing is refused for."""

    code: Code
    detail: str | None


@frozen(kw_only=True)
class Console:
    """The read model."""

    house: House
    engine: EngineStatus
    install_state: InstallView
    lifecycle: LifecycleView
    setup: GuidedSetup | Refusal | None
    alignment: AlignmentStatus
    admin_update: AdminUpdateStatus
    jobs: tuple[Job, ...]
    deployment: DeploymentStatus
    upgrade: UpgradeView
    known_good: KnownGood | None
    warnings: tuple[Warning, ...]
    machines: Mapping[str, str | None]
    actions: tuple[Offered, ...]


async def console(house: House) -> Console:
    """Read everything that the pages show. Changes nothing."""
    house = await glance(house)
    setup = await read_setup(house)
    view = await lifecycle_view(house)
    deployment = await deployment_status(house)
    return Console(
        house=house,
        engine=deployment.engine,
        install_state=await install_view(house),
        lifecycle=view,
        setup=setup,
        alignment=await alignment_status(house),
        admin_update=await admin_update_status(house),
        jobs=house.jobs.jobs,
        deployment=deployment,
        upgrade=upgrade_view(view.reads.transition_record, view.reads.upgrade),
        known_good=await standing.known_good(house),
        warnings=await warnings(house, view),
        machines=await machine_states(house, view, deployment),
        actions=await offers(house, view),
    )


async def warnings(house: House, view: LifecycleView) -> tuple[Warning, ...]:
    """List what people should know."""
    shown = dict(house.warnings.shown)
    # Whoever only looks at a site has started nothing, so nothing of it has failed.
    if house.startup.failed_by is not None:
        shown[Code.STARTUP_CHECK_FAILED] = house.startup.failed_at or house.startup.failed_by
    if beyond := out_of_reach(view.at):
        # No way of the console leads past these: whoever put them there has to take them away.
        shown[Code.STATE_FILE_UNSAFE] = ", ".join(store_of(house, place).name for place in beyond)
    if not house.journal.writable:
        shown[Code.JOURNAL_NOT_WRITABLE] = None
    free = await house.installation.free_bytes()
    if free is not None and free < NEARLY_FULL:
        shown[Code.DISK_NEARLY_FULL] = f"{free // MIB} MiB free"
    if not standing.clock_is_plausible(house):
        shown[Code.CLOCK_NOT_PLAUSIBLE] = None
    return tuple(Warning(code=code, detail=detail) for code, detail in shown.items())
