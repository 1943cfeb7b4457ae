"""What the arbiter offers right now: switches that would end something, and recovery where it has something to do.

A button that would do nothing is not drawn, for its act would be granted. Source: `seed 000` 7.3, 7.4; `faults.md` F45.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.switch import SwitchAction, Target, ends_something
from ems_admin.machines.refusals import Action, Method
from ems_admin.workflows import standing
from ems_admin.workflows.arbiter.recovering import preview_of
from ems_admin.workflows.arbiter.switching import decide
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.rehearsal import refusal_of

SWITCH: Final = "/api/admin/workflow-lifecycle/switch"
RECOVERY: Final = "/api/admin/workflow-lifecycle/recovery"
TO: Final[Mapping[Target, Action]] = {
    Target.GUIDED_SETUP: Action("switch_to_guided_setup", "Go to Guided Setup instead", Method.POST, SWITCH),
    Target.GUIDED_UPGRADE: Action("switch_to_guided_upgrade", "Go to Guided Upgrade instead", Method.POST, SWITCH),
    Target.NONE: Action("switch_to_none", "End what is in progress", Method.POST, SWITCH),
}
RECOVER: Final = Action("recover_safe", "Recover by the normal ends", Method.POST, RECOVERY)
RELEASE: Final = Action("recover_release", "Set stale records aside", Method.POST, RECOVERY)
# The door to Guided Setup is a button of its own.
THROUGH_THE_DOOR: Final = frozenset({SwitchAction.RESUME_GUIDED_SETUP, SwitchAction.START_GUIDED_SETUP})


async def ways_out(house: House, at: Situation) -> Mapping[Action, Refusal | None]:
    """List the switches and recoveries that would do something, each with what stands against it."""
    return {**await _switches(house, at), **await _recoveries(house, at)}


async def _switches(house: House, at: Situation) -> Mapping[Action, Refusal | None]:
    closed = await refusal_of(standing.require_mutable(house))
    decided = {target: await decide(house, at, target) for target in Target}
    return {
        TO[target]: closed or decision.refusal
        for target, decision in decided.items()
        if decision.action not in THROUGH_THE_DOOR and (ends_something(decision.action) or decision.refusal)
    }


async def _recoveries(house: House, at: Situation) -> Mapping[Action, Refusal | None]:
    preview = await preview_of(house, at)
    offered: dict[Action, Refusal | None] = {}
    if preview.actions:
        offered[RECOVER] = preview.running or preview.unreachable
    if preview.files:
        offered[RELEASE] = preview.running or preview.unpermitted
    return offered
