"""What can be done right now, and for everything else the reason why not.

Nothing is decided twice here: each reason is the refusal that the act itself would meet first. The console draws its
buttons from this, and the State screen says why each one is off.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.refusal_sentences.actions import LEAVE_FILES, REPAIR, UPDATE_ADMIN
from ems_admin.machines.refusals import Action, Method
from ems_admin.machines.setup.authority import Stored, stored
from ems_admin.workflows.alignment import status as alignment
from ems_admin.workflows.alignment.calling_off import rehearse_call_off
from ems_admin.workflows.alignment.resume import rehearse_resume
from ems_admin.workflows.alignment.returning import rehearse_return
from ems_admin.workflows.arbiter.start_path import rehearse_start
from ems_admin.workflows.authority import Demand
from ems_admin.workflows.config.mutation import APPLY_ROW, WRITE_ROW
from ems_admin.workflows.config.preview import PREVIEW_ROW, document, selected_resources
from ems_admin.workflows.config.rehearsed import nothing_is_unprovable, preview_holds
from ems_admin.workflows.deployment import permissions, prepare, start
from ems_admin.workflows.deployment.marker import marker_is_own
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle import LifecycleView
from ems_admin.workflows.rehearsal import refusal_of, rehearse
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.setup.abandon import rehearse_abandon
from ems_admin.workflows.setup.disown import rehearse_disown
from ems_admin.workflows.setup.supersede import rehearse_supersede
from ems_admin.workflows.upgrade.executing import rehearse_upgrade
from ems_admin.workflows.upgrade.resuming import rehearse_resume_upgrade
from ems_admin.workflows.views.ways_out import ways_out

START_SETUP: Final = Action("start_setup", "Guided Setup", Method.POST, "/api/admin/start-path")
REVIEW: Final = Action("preview_config", "Review the configuration", Method.POST, "/api/setup/config-preview")
APPLY: Final = Action("apply_config", "Apply it now", Method.POST, "/api/setup/config/apply")
WRITE: Final = Action("write_config", "Keep it for the deployment", Method.POST, "/api/setup/config/write")
SUPERSEDE: Final = Action("supersede", "Choose another build", Method.POST, "/api/setup/system-build/supersede")
UPGRADE: Final = Action("upgrade_execute", "Upgrade", Method.POST, "/api/admin/maintenance/upgrade/execute")
RETURN: Final = Action(
    "return_to_running_build",
    "Return to the running build",
    Method.POST,
    "/api/admin/system-alignment/return-to-running-build",
)


# Whatever the person may still agree to in the request counts as agreed to.
APPLIED: Final = {Demand.PREVIEW: preview_holds, Demand.TARGET: nothing_is_unprovable}
WRITTEN: Final = {Demand.PREVIEW: preview_holds}
PREPARED: Final = {Demand.ARTIFACT: prepare.deployable}
STARTED: Final = {Demand.ARTIFACT: start.startable}
REPAIRED: Final = {Demand.ARTIFACT: marker_is_own}


@frozen(kw_only=True)
class Offered:
    """One button: what it does, and what stands against it."""

    action: Action
    refusal: Refusal | None


async def offers(house: House, view: LifecycleView) -> tuple[Offered, ...]:
    """List every act of this console with what stands against it now."""
    setup = view.reads.setup_record
    # A page without an active setup names none: it is told to begin one, not that its own has ended.
    named = setup.workflow_id if setup and stored(setup) is Stored.ACTIVE else None
    # Each is asked when its turn comes: a page that is closed meanwhile leaves none half begun.
    asked: dict[Action, Callable[[], Awaitable[None]]] = {
        START_SETUP: partial(rehearse_start, house, view.at),
        alignment.PREPARE_BUILD: partial(rehearse, house, system_build.PREPARE, named),
        UPDATE_ADMIN: partial(rehearse, house, system_build.UPDATE_ADMIN, named),
        REVIEW: partial(_review, house, setup, named),
        APPLY: partial(rehearse, house, APPLY_ROW, named, own=APPLIED),
        WRITE: partial(rehearse, house, WRITE_ROW, named, own=WRITTEN),
        alignment.PREPARE: partial(rehearse, house, prepare.ROW, named, own=PREPARED),
        alignment.START: partial(rehearse, house, start.ROW, named, own=STARTED),
        alignment.RESUME: partial(rehearse_resume, house),
        UPGRADE: partial(rehearse_upgrade, house),
        alignment.UPGRADE: partial(rehearse_resume_upgrade, house),
        alignment.ABANDON: partial(rehearse_abandon, house),
        SUPERSEDE: partial(rehearse_supersede, house, named),
        LEAVE_FILES: partial(rehearse_disown, house),
        alignment.CANCEL: partial(rehearse_call_off, house),
        RETURN: partial(rehearse_return, house),
        REPAIR: partial(rehearse, house, permissions.ROW, named, own=REPAIRED),
    }
    told = {action: await refusal_of(ask()) for action, ask in asked.items()}
    ways = {**told, **await ways_out(house, view.at)}
    return tuple(Offered(action=action, refusal=refusal) for action, refusal in ways.items())


async def _review(house: House, setup: GuidedSetup | None, named: str | None) -> None:
    await rehearse(house, PREVIEW_ROW, named)
    await selected_resources(house, setup)
    document(await house.config.config())
