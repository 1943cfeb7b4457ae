"""The switch of the console: what one would do, and doing it.

The confirmation is always given for the very state it was shown: who comes with another fingerprint is refused, and of
two who switch at once one acts. Source: `seed 000` 7.3; `http.md` 5.4 (Switch preview).
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.outlook import resume_available
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.claims import SetupClaim
from ems_admin.machines.lifecycle.switch import (
    CONFIRMATION,
    OBSTACLE,
    SWITCH,
    UNNAMED_BECAUSE,
    WILL_PRESERVE,
    WILL_RESET,
    Confirmation,
    Install,
    Scope,
    Switch,
    SwitchAction,
    Target,
    Wanted,
    Weighed,
    ends_something,
    met_by_a_switch,
)
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.machines.workflow_lifecycle import Blocking, Lifecycle
from ems_admin.workflows import standing
from ems_admin.workflows.arbiter.ending import against_site_alone, end_operation, end_setup, site_alone
from ems_admin.workflows.arbiter.presented import require_fingerprint
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.glance import glance
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.lifecycle.view import LifecycleView, lifecycle_view, look, verdict, view_of
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.beginning import confirm as confirmed
from ems_admin.workflows.setup.beginning import ensure_active
from ems_admin.workflows.setup.view import read_setup

LOCK: Final = "lifecycle"


@frozen(kw_only=True)
class Decision:
    """What a switch would do in one situation, and what stands against it."""

    action: SwitchAction
    refusal: Refusal | None
    confirmation: Confirmation


@frozen(kw_only=True)
class SwitchPreview:
    """What one switch would do. One that is blocked promises nothing."""

    target: Target
    decision: Decision
    resume_available: bool
    view: LifecycleView

    @property
    def will_reset(self) -> tuple[Scope, ...]:
        """What would be gone."""
        return () if self.decision.refusal else WILL_RESET[self.decision.action]

    @property
    def will_preserve(self) -> tuple[Scope, ...]:
        """What no switch touches."""
        return WILL_PRESERVE


@frozen(kw_only=True)
class Switched:
    """What was done, and the Setup that begins or goes on."""

    action: SwitchAction
    setup_workflow_id: str | None
    setup_intent_id: str | None
    lifecycle: LifecycleView


async def preview_switch(house: House, target: Target) -> SwitchPreview:
    """Say what a switch would do now. Changes nothing but a review that was never this workflow's."""
    await read_setup(house)
    house = await glance(house)
    return await preview_of(house, await look(house), target)


async def preview_of(house: House, at: Situation, target: Target) -> SwitchPreview:
    """Say what a switch would do in this situation."""
    live = at.live
    return SwitchPreview(
        target=target,
        decision=await decide(house, at, target),
        resume_available=at.setup is SetupClaim.ACTIVE
        or (live is not None and resume_available(live, standing.expiry(house, live))),
        view=view_of(house, at),
    )


async def decide(house: House, at: Situation, target: Target) -> Decision:
    """Find the action, what refuses it, and whether the person has to say yes."""
    lifecycle = verdict(house, at)
    action = SWITCH.classify(Switch(target, lifecycle.owner, at.setup))
    install = Install.NONE if await install_state(house) is InstallState.NONE else Install.SOME
    return Decision(
        action=action,
        refusal=_against(house, at, lifecycle, action),
        confirmation=CONFIRMATION.classify(Weighed(action, install)),
    )


async def switch(house: House, caller: Caller, target: Target, *, fingerprint: str | None, confirm: bool) -> Switched:
    """Switch. Raises `RefusalError`, in this order, and then every record is as it was.

    `workflow_fingerprint_required`, `workflow_lifecycle_changed`, what blocks the switch, `confirmation_required`.
    What only ending itself finds out comes after that: files that stay where they are end the Setup all the same.
    """
    await standing.require_mutable(house)
    async with house.locks.hold(LOCK):
        at = await look(house)
        require_fingerprint(at, fingerprint)
        decision = await decide(house, at, target)
        if decision.refusal is not None:
            raise RefusalError(decision.refusal)
        if decision.confirmation is Confirmation.REQUIRED and not confirm:
            raise RefusalError(Refusal(Code.CONFIRMATION_REQUIRED))
        if ends_something(decision.action):
            await _end(house, caller, decision.action, at, fingerprint)
        workflow_id, intent_id = None, None
        if target is Target.GUIDED_SETUP:
            workflow_id = await ensure_active(house, caller, await house.records.setup.current())
            intent_id = await confirmed(house, caller, workflow_id)
        return Switched(
            action=decision.action,
            setup_workflow_id=workflow_id,
            setup_intent_id=intent_id,
            lifecycle=await lifecycle_view(house),
        )


async def _end(house: House, caller: Caller, action: SwitchAction, shown: Situation, fingerprint: str | None) -> None:
    async with site_alone(house, WorkKind.LIFECYCLE_SWITCH, shown) as entry:
        # From here on nobody else can begin anything: what is read now is what is ended.
        at = await look(house, own_claim=entry.id)
        require_fingerprint(at, fingerprint)
        if action is SwitchAction.DISCARD_GUIDED_SETUP:
            await end_setup(house, caller, entry, at)
        else:
            await end_operation(house, caller, entry)


def _against(house: House, at: Situation, lifecycle: Lifecycle, action: SwitchAction) -> Refusal | None:
    blocked = Blocking(lifecycle.blocking_reason) if lifecycle.blocking_reason else Blocking.NOTHING
    obstacle = OBSTACLE.classify(Wanted(action, blocked, at.ownership))
    if obstacle is not Blocking.NOTHING:
        detail = UNNAMED_BECAUSE.get(at.ownership) if obstacle is Blocking.WORKFLOW_SWITCH_BLOCKED else None
        return Refusal(Code(obstacle), detail=detail, more=_holder(house))
    if not ends_something(action):
        return None
    if met := against_site_alone(house, WorkKind.LIFECYCLE_SWITCH, at):
        return Refusal(met_by_a_switch(Code(met.code)), more=met.more)
    return None


def _holder(house: House) -> dict[str, object]:
    holder = house.work.holder
    return {} if holder is None else {"operation": holder.kind}
