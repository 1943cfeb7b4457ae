"""Where every machine of the catalogue stands: what the State screen lights and the metrics count.

Source: `console.md`, screen 9; `http.md` 5.3 (GET /api/admin/console, GET /metrics).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ems_admin.machines import admin_update_progress, guided_upgrade
from ems_admin.machines.admin_update import ADMIN_UPDATE
from ems_admin.machines.alignment.ending import Return
from ems_admin.machines.alignment.outlook import Place, place_of
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Regions
from ems_admin.machines.records.reading import Present, Reading
from ems_admin.machines.records.upgrade import PendingAdminUpdate
from ems_admin.machines.replacement.walking import reached
from ems_admin.machines.replacement_dispatch import REPLACEMENT_DISPATCH
from ems_admin.machines.replacement_run import REPLACEMENT_RUN
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.upgrade.groundwork import UPGRADE_CONTEXT
from ems_admin.machines.work import WORK
from ems_admin.workflows import standing
from ems_admin.workflows.alignment.known_good import way_back
from ems_admin.workflows.deployment.view import DeploymentStatus
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle import LifecycleView, Reads
from ems_admin.workflows.replacement.reconcile import outlook

R = TypeVar("R")


async def machine_states(house: House, view: LifecycleView, deployment: DeploymentStatus) -> Mapping[str, str | None]:
    """Say for every machine where it is; `None` where its record is absent or cannot be read."""
    reads: Reads = view.reads
    transition, plan = _of(reads.transition), await house.records.admin_update.read()
    back = await way_back(house, transition)
    return {
        **_states(GUIDED_SETUP, reads.setup),
        **_states(SYSTEM_ALIGNMENT, reads.transition),
        **_states(REPLACEMENT_DISPATCH, reads.dispatch),
        **_states(REPLACEMENT_RUN, reads.run),
        **_states(UPGRADE_CONTEXT, reads.upgrade),
        **_states(ADMIN_UPDATE, plan),
        "work": WORK.reads(house.work.running),
        "setup_intent": house.intents.newest_state(),
        "workflow_lifecycle": view.lifecycle.state,
        "guided_upgrade": guided_upgrade.read(transition, _of(reads.upgrade)),
        "admin_update_progress": _progress(house, view, _of(plan)),
        "operation_end": str(back.refusal.code) if back.refusal else Return.OPEN,
        "replacement_walk": reached(run) if (run := _of(reads.run)) else None,
        "replacement_reconcile": await outlook(house),
        "deployment": deployment.state,
    }


def _progress(house: House, view: LifecycleView, plan: PendingAdminUpdate | None) -> str | None:
    if plan is None:
        return None
    transition = _of(view.reads.transition)
    place = place_of(transition, standing.running_admin(house)) if transition else Place.ELSEWHERE
    return admin_update_progress.read(plan, transition, place)


def _of(reading: Reading[R]) -> R | None:
    return reading.record if isinstance(reading, Present) else None


def _states(regions: Regions[Any], reading: Reading[Any]) -> Mapping[str, str | None]:
    if isinstance(reading, Present):
        return dict(regions.states(reading.record))
    return dict.fromkeys(machine.name for machine in regions.machines)
