"""Carrying a planned update of the Admin out: an alignment that brings its Admin to the EMS that runs already.

Two records, one after the other: the plan names the operation (B7), and only then does the operation begin (B1). A cut
between them leaves a plan that names what never came into being; it reads as planned, and is carried out once more.
From there on everything is the operation's own: its dispatch, its updater, its resume.
Source: `site.md` 3 (Expiry), 4 (B7), 9; `http.md` 5.3 (admin-update/execute); the seam `admin_update_beginning`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from attrs import define

from ems_admin.machines.admin_update import (
    ADMIN_UPDATE,
    START,
    TAKE_BACK,
    Operation,
    StartFacts,
    TakeBackFacts,
)
from ems_admin.machines.alignment.facts import BeginFacts
from ems_admin.machines.alignment.outlook import is_pending, place_of, resume_step
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.transition import AdminIdentity, Mode, Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.admin_update.looking import has_lapsed, look, operation_on_record
from ems_admin.workflows.alignment.beginning import begin, begin_facts
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.alignment.going_on import begin_step
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.seams import walk
from ems_admin.workflows.selection import Selection
from ems_admin.workflows.upgrade.gate import require_upgrade_open

ROW: Final = AuthorityRow(demands=(Demand.CONFIRMATION, Demand.CLAIM, Demand.OPERATION), claim=WorkKind.ADMIN_UPDATE)


async def execute_admin_update(house: House, caller: Caller, plan_id: str | None, *, confirm: bool) -> Job:
    """Begin the operation that a plan is for, and let a job hand the Admin over. Raises `RefusalError`.

    In this order: `confirmation_required`, whoever holds the site, `plan_unknown`, `admin_update_not_required`, the
    gate of both phases of an upgrade, what is wrong with the build or the EMS, `system_build_verification_stale` for a
    tag that moved since it was planned, `transition_active`.
    """
    update = _Update(plan_id=plan_id)
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm), Demand.OPERATION: update.is_planned}
    request = sha256_of({"admin update": plan_id})
    async with under(house, caller, ROW, workflow_id=None, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        begun = await update.begin(hold)
        return begin_step(hold, begun, resume_step(begun, place_of(begun, standing.running_admin(house))))


@define(kw_only=True, eq=False)
class _Update:
    """One update. Mutable: the check finds the build that is then brought."""

    plan_id: str | None
    selection: Selection | None = None
    """Its Admin, beside the EMS that stays."""

    async def is_planned(self, hold: Hold) -> None:
        """Find the plan, and look at its build once more: only what was agreed to is carried out."""
        house = hold.house
        plan = await house.records.admin_update.current()
        facts = await self.start_facts(hold, plan, operation_id="")
        decision = ADMIN_UPDATE.decide(plan, START, facts)
        if isinstance(decision, Refused):
            raise RefusalError(decision.refusal)
        await require_upgrade_open(house)
        planned = decision.record
        looked = await look(house, planned.target_system_tag)
        if looked.target_admin != planned.target_admin:
            raise RefusalError(Refusal(Code.SYSTEM_BUILD_VERIFICATION_STALE, detail=planned.target_system_tag))
        self.selection = looked.beside_the_ems
        hold.transition = await house.records.transition.current()
        lapsed = await has_lapsed(house, hold.transition, own_claim=hold.work.id)
        if is_pending(hold.transition) and not lapsed:
            raise RefusalError(Refusal(Code.TRANSITION_ACTIVE))

    async def begin(self, hold: Hold) -> Transition:
        """Name the operation, and begin it. Raises `RefusalError`."""
        if self.selection is None:
            raise LookupError("a plan is checked before it is carried out")
        facts = begin_facts(hold, self.selection, Mode.ALIGN_EXISTING_INSTALL)
        beginning = _Beginning(hold=hold, update=self, facts=facts)
        await walk(
            ADMIN_UPDATE_BEGINNING,
            {"name_operation": beginning.name_operation, "begin_operation": beginning.begin_operation},
        )
        if beginning.transition is None:
            raise LookupError("a seam that was walked has left its operation")
        return beginning.transition

    async def start_facts(self, hold: Hold, plan: PendingAdminUpdate | None, *, operation_id: str) -> StartFacts:
        house = hold.house
        return StartFacts(
            now=house.clock.now(),
            plan_id=self.plan_id or "",
            operation_id=operation_id,
            runs_target_already=plan is not None and _runs(house, plan.target_admin),
            named_operation=await self._named(hold, plan),
        )

    async def _named(self, hold: Hold, plan: PendingAdminUpdate | None) -> Operation:
        if plan is None:
            return Operation.NEVER_BEGAN
        return await operation_on_record(hold.house, plan, own_claim=hold.work.id)


@define(kw_only=True, eq=False)
class _Beginning:
    """One walk of the seam. Mutable: its last step leaves the operation."""

    hold: Hold
    update: _Update
    facts: BeginFacts
    transition: Transition | None = None

    async def name_operation(self) -> None:
        """Note in the plan which operation is about to begin."""
        ledger = self.hold.house.records.admin_update
        facts = await self.update.start_facts(self.hold, await ledger.current(), operation_id=self.facts.operation_id)
        await ledger.decide(START, facts, self.hold.caller)

    async def begin_operation(self) -> None:
        """End an alignment that has lapsed, and begin; what provably did not begin is no longer named."""
        hold, facts = self.hold, self.facts
        house, lapsed = hold.house, hold.transition
        if lapsed is not None and is_pending(lapsed):
            await cancel(house, hold.caller, lapsed, hold.work)
        house.work.add_operation(hold.work, facts.operation_id)
        self.transition = await begin(house, hold.caller, facts, undo=lambda: _take_back(hold, facts))


def _runs(house: House, target: AdminIdentity) -> bool:
    """Say whether the Admin that answers has become the one that was planned."""
    own = house.own
    return own is not None and target.digest in {own.digest, own.image_id}


async def _take_back(hold: Hold, facts: BeginFacts) -> None:
    """Drop the name of what provably did not begin. Where that fails the plan reads as planned all the same."""
    house = hold.house
    with suppress(RefusalError):
        plan = await house.records.admin_update.current()
        if plan is None:
            return
        taken = TakeBackFacts(
            now=house.clock.now(),
            operation_id=facts.operation_id,
            operation=await operation_on_record(house, plan, own_claim=hold.work.id),
        )
        await house.records.admin_update.decide(TAKE_BACK, taken, hold.caller)
