"""A Guided Upgrade as people see it: how far it has come, by what is on record, and what is next.

Source: `site.md` 2 (Guided Upgrade); `http.md` 5.3 (GET /api/admin/console).
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from ems_admin.machines import guided_upgrade
from ems_admin.machines.guided_upgrade import UpgradeState
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions
from ems_admin.machines.upgrade.course import belongs, is_upgrade
from ems_admin.machines.upgrade.steps import Step, StepStanding, StepView, steps_as_they_stand


class ContextStanding(StrEnum):
    """What B6 is to the upgrade that is shown."""

    OWN = "own"
    NONE = "none"
    """There is none: nothing has begun, or it is over."""
    FOREIGN = "foreign"
    """It names another operation, or another request."""
    UNREADABLE = "unreadable"


@frozen(kw_only=True)
class UpgradeView:
    """The upgrade on record, also one that is over; without one nothing but the state is told."""

    state: UpgradeState
    operation_id: str | None
    target_system_tag: str | None
    context: ContextStanding
    options: UpgradeOptions | None
    """What was chosen; `None` where B6 cannot tell."""
    backup_reference: str | None
    migration_required: bool | None
    migration_completed: bool | None
    steps: tuple[StepView, ...]
    """Those that this upgrade has, in their order; none where B6 cannot tell."""
    next_step: Step | None


def upgrade_view(transition: Transition | None, reading: Reading[UpgradeContext]) -> UpgradeView:
    """Work out what is shown of B1 and B6."""
    context = reading.record if isinstance(reading, Present) else None
    if transition is None or not is_upgrade(transition):
        return _told(guided_upgrade.read(None, None), None, None, _standing(reading, None))
    own = context if context is not None and belongs(context, transition) else None
    return _told(guided_upgrade.read(transition, own), transition, own, _standing(reading, own))


def _told(
    state: UpgradeState, transition: Transition | None, own: UpgradeContext | None, standing: ContextStanding
) -> UpgradeView:
    steps = steps_as_they_stand(transition, own) if transition is not None and own is not None else ()
    return UpgradeView(
        state=state,
        operation_id=transition.operation_id if transition else None,
        target_system_tag=transition.system_tag if transition else None,
        context=standing,
        options=own.options if own else None,
        backup_reference=own.backup_reference if own else None,
        migration_required=own.migration_required if own else None,
        migration_completed=own.migration_completed if own else None,
        steps=steps,
        next_step=next((view.key for view in steps if view.standing is StepStanding.NEXT), None),
    )


def _standing(reading: Reading[UpgradeContext], own: UpgradeContext | None) -> ContextStanding:
    match reading:
        case Absent():
            return ContextStanding.NONE
        case Present():
            return ContextStanding.OWN if own is not None else ContextStanding.FOREIGN
        case _:
            return ContextStanding.UNREADABLE
