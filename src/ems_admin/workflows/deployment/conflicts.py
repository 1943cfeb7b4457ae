"""A container that bears the name of ours: looked at again, cleared as a person decided, and then the start goes on.

On the native engine there are none, so whatever was shown has changed.
Source: `site.md` 1.12, 8 (Conflict object, the one retry); `seed 000` 2.4; `faults.md` D1.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import RESOLVE_CONTAINER_CONFLICT, ConflictFacts, LiveConflict
from ems_admin.machines.alignment.outlook import resources_are_ready
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import (
    REPLACE,
    ConflictAction,
    Decision,
    InTheWay,
    Replacement,
    clearing_refusal,
)
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.workflows import standing
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.deployment.marker import marker_is_own
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require_done
from ems_admin.workflows.ports.engine import ContainerConflict
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import NotSeen

ROW: Final = AuthorityRow(
    demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.RESOURCES, Demand.ARTIFACT),
    claim=WorkKind.CONTAINER_CONFLICT_RESOLUTION,
)


@frozen(kw_only=True)
class Resolved:
    """What was done to the container, and what is in the way now."""

    removed: bool
    replaced: bool
    conflict: ContainerConflict | None
    """The next one."""

    @property
    def goes_on(self) -> bool:
        """Whether the start may be tried again: shown as `continue`."""
        return self.conflict is None


async def resolve_conflict(
    house: House, caller: Caller, workflow_id: str | None, *, container_name: str, action: ConflictAction
) -> Resolved:
    """Clear the container and take the one retry that this route may take. Raises `RefusalError`.

    After the resource gate and the marker: `install_state_unavailable` when the engine cannot be asked,
    `container_conflict_changed`, `container_not_stopped`, `selected_image_missing`; then what the engine says.
    """
    own = {Demand.RESOURCES: _may_be_tried_again, Demand.ARTIFACT: marker_is_own}
    async with under(house, caller, ROW, workflow_id=workflow_id, own=own) as hold:
        found = await house.engine.conflict(container_name)
        refusal = clearing_refusal(decision(found, container_name, action))
        if refusal is not None or not isinstance(found, ContainerConflict):
            raise RefusalError(refusal or Refusal(Code.CONTAINER_CONFLICT_CHANGED))
        require_done(await house.engine.clear_conflict(found, replace=action is REPLACE))
        if not resources_are_ready(hold.operation):
            await house.records.transition.decide(RESOLVE_CONTAINER_CONFLICT, _facts(house, hold.operation), caller)
        following = await house.engine.conflict(None)
        return Resolved(
            removed=action is not REPLACE,
            replaced=action is REPLACE,
            conflict=following if isinstance(following, ContainerConflict) else None,
        )


async def _may_be_tried_again(hold: Hold) -> None:
    """Find the own operation where a start is possible, or failed by exactly such a conflict (`site.md` 1.12)."""
    transition = hold.transition = await standing.own_transition(hold.house, hold.setup)
    if transition is None:
        raise RefusalError(Refusal(Code.SYSTEM_ALIGNMENT_INCOMPLETE))
    if resources_are_ready(transition):
        return
    decision = SYSTEM_ALIGNMENT.decide(transition, RESOLVE_CONTAINER_CONFLICT, _facts(hold.house, transition))
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)


def _facts(house: House, transition: Transition) -> ConflictFacts:
    return ConflictFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=standing.expiry(house, transition),
        conflict=LiveConflict.SAME,
    )


def decision(found: ContainerConflict | NotSeen | None, name: str, action: ConflictAction) -> Decision:
    """Hold what a person decided about the container of this name against what was just seen of it."""
    match found:
        case ContainerConflict():
            live = LiveConflict.SAME if found.container_name == name else LiveConflict.CHANGED
            doing = InTheWay.STOPPED if found.safe_fix_available else InTheWay.RUNNING
            replacement = Replacement.HERE if found.replace_available else Replacement.MISSING
            return Decision(live, action, doing, replacement)
        case NotSeen():
            return Decision(LiveConflict.UNKNOWN, action, InTheWay.RUNNING, Replacement.MISSING)
        case None:
            return Decision(LiveConflict.CHANGED, action, InTheWay.RUNNING, Replacement.MISSING)
