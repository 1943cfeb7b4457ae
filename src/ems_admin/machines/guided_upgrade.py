"""Guided Upgrade as it is shown: a projection of B1 and of the steps that B6 has settled, stored nowhere.

Source: `site.md` 2, 9.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.machines.upgrade.groundwork import Groundwork as Due
from ems_admin.machines.upgrade.groundwork import groundwork_of


class Progress(StrEnum):
    """How far the operation of the upgrade has come: the stages of B1, and that there is none yet."""

    NO_OPERATION = "no_operation"
    ADMIN_UPDATE_PENDING = "admin_update_pending"
    ADMIN_RECONNECT_PENDING = "admin_reconnect_pending"
    ADMIN_ALIGNED = "admin_aligned"
    RESOURCES_VERIFIED = "resources_verified"
    EMS_OPERATION_PENDING = "ems_operation_pending"
    EMS_OPERATION_RUNNING = "ems_operation_running"
    HEALTHCHECK_PENDING = "healthcheck_pending"
    FAILED_RECOVERABLE = "failed_recoverable"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class Groundwork(StrEnum):
    """The steps that come before the Admin may be replaced: backup and migration, as far as they are wanted."""

    OUTSTANDING = "outstanding"
    SETTLED = "settled"


class UpgradeState(StrEnum):
    """What a person sees of a Guided Upgrade."""

    PLANNED = "planned"
    PRE_ALIGNMENT = "pre_alignment"
    ALIGNING = "aligning"
    UPGRADING = "upgrading"
    DIAGNOSING = "diagnosing"
    COMPLETED = "completed"
    FAILED_RECOVERABLE = "failed_recoverable"
    CANCELLED = "cancelled"


@frozen
class Upgrade:
    """What the projection depends on."""

    operation: Progress
    groundwork: Groundwork


# An operation begins at one of two stages: a running Admin that already matches skips its own replacement.
BEGINNINGS: Final = frozenset({Progress.ADMIN_UPDATE_PENDING, Progress.ADMIN_ALIGNED})
ALIGNMENT: Final = BEGINNINGS | {Progress.ADMIN_RECONNECT_PENDING}

GUIDED_UPGRADE: Final = Table[Upgrade, UpgradeState](
    name="guided_upgrade",
    asks=Upgrade,
    rows=(
        row(UpgradeState.PLANNED, operation=Progress.NO_OPERATION),
        row(UpgradeState.PRE_ALIGNMENT, operation=BEGINNINGS, groundwork=Groundwork.OUTSTANDING),
        row(UpgradeState.ALIGNING, operation=ALIGNMENT),
        row(UpgradeState.DIAGNOSING, operation=Progress.HEALTHCHECK_PENDING),
        row(UpgradeState.COMPLETED, operation=Progress.COMPLETED),
        row(UpgradeState.FAILED_RECOVERABLE, operation=Progress.FAILED_RECOVERABLE),
        row(UpgradeState.CANCELLED, operation=Progress.CANCELLED),
        row(UpgradeState.UPGRADING),
    ),
)


def read(transition: Transition | None, context: UpgradeContext | None) -> UpgradeState:
    """Give what is shown. An operation of another mode is none of the upgrade's."""
    if transition is None or transition.mode is not Mode.GUIDED_UPGRADE:
        return GUIDED_UPGRADE.classify(Upgrade(Progress.NO_OPERATION, Groundwork.OUTSTANDING))
    ours = context if context and context.operation_id == transition.operation_id else None
    return GUIDED_UPGRADE.classify(Upgrade(Progress(transition.stage), groundwork(ours)))


def groundwork(context: UpgradeContext | None) -> Groundwork:
    """Say whether all that was chosen or found necessary before the replacement is done."""
    if context is None:
        return Groundwork.OUTSTANDING
    settled = groundwork_of(context) is Due.SETTLED
    return Groundwork.SETTLED if settled else Groundwork.OUTSTANDING
