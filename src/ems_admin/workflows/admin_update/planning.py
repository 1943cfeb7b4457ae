"""Planning an update of the Admin alone. The plan is durable (B7): it is what a person then agrees to.

Source: `http.md` 5.3 (admin-update/plan); `site.md` 4 (B7), 9.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.admin_update import PLAN, Operation, PlanFacts
from ems_admin.machines.records.transition import AdminIdentity
from ems_admin.machines.records.upgrade import AdminUpdateReason, SeenAdmin
from ems_admin.workflows.admin_update.looking import Looked, look, operation_on_record
from ems_admin.workflows.authority import AuthorityRow, Demand, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.gate import require_upgrade_open

ROW: Final = AuthorityRow(demands=(Demand.ADMIN_STAYS,))


@frozen(kw_only=True)
class AdminUpdatePlanned:
    """What would run in the place of what. Where nothing is to be done there is no plan."""

    plan_id: str | None
    target_system_tag: str
    current_admin: SeenAdmin
    target_admin: AdminIdentity
    update_required: bool
    reason: AdminUpdateReason | None


async def plan_admin_update(house: House, caller: Caller, tag: str) -> AdminUpdatePlanned:
    """Plan the update to the Admin of a build, in place of an earlier plan. Raises `RefusalError`, B7 then unchanged.

    In this order: `system_transition_in_progress` while the Admin is handed over, the gate of both phases of an
    upgrade, what is wrong with the build, `upgrade_not_forward`, what is wrong with the EMS that is to stay
    (`known_good_unavailable`, `install_state_unavailable`, `running_ems_unverifiable`, `known_good_mismatch`), and
    `transition_active` for an earlier plan that is being carried out.
    """
    async with under(house, caller, ROW, workflow_id=None):
        await require_upgrade_open(house)
        looked = await look(house, tag)
        if looked.reason is None:
            return _planned(looked, plan_id=None)
        if looked.refusal is not None:
            raise RefusalError(looked.refusal)
        earlier = await house.records.admin_update.current()
        facts = PlanFacts(
            now=house.clock.now(),
            plan_id=house.ids.short(),
            target_system_tag=looked.selection.manifest.system_tag,
            current_admin=looked.current_admin,
            target_admin=looked.target_admin,
            reason=looked.reason,
            earlier_operation=await operation_on_record(house, earlier) if earlier else Operation.NEVER_BEGAN,
        )
        plan = await house.records.admin_update.decide(PLAN, facts, caller)
        return _planned(looked, plan_id=plan.plan_id)


def _planned(looked: Looked, *, plan_id: str | None) -> AdminUpdatePlanned:
    return AdminUpdatePlanned(
        plan_id=plan_id,
        target_system_tag=looked.selection.manifest.system_tag,
        current_admin=looked.current_admin,
        target_admin=looked.target_admin,
        update_required=looked.reason is not None,
        reason=looked.reason,
    )
