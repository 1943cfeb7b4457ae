"""An Admin update as it is shown: a projection of its plan and of the operation that carries it out, stored nowhere.

Source: `site.md` 2, 9.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.admin_update import Operation, operation_of
from ems_admin.machines.alignment.outlook import Place
from ems_admin.machines.guided_upgrade import Progress
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate


class AdminUpdateProgress(StrEnum):
    """What a person sees of an Admin update."""

    PLANNED = "planned"
    ADMIN_UPDATE_STARTED = "admin_update_started"
    RESUME_READY = "resume_ready"
    """The new Admin is the one that answers: it waits for a person to go on."""
    ADMIN_UPDATE_SUCCEEDED = "admin_update_succeeded"
    ADMIN_UPDATE_FAILED = "admin_update_failed"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


@frozen
class AdminUpdate:
    """What the projection depends on."""

    operation: Progress
    place: Place


REPLACING: Final = frozenset({Progress.ADMIN_UPDATE_PENDING, Progress.ADMIN_RECONNECT_PENDING})

ADMIN_UPDATE_PROGRESS: Final = Table[AdminUpdate, AdminUpdateProgress](
    name="admin_update_progress",
    asks=AdminUpdate,
    rows=(
        row(AdminUpdateProgress.PLANNED, operation=Progress.NO_OPERATION),
        row(AdminUpdateProgress.RESUME_READY, operation=REPLACING, place=Place.TARGET),
        row(AdminUpdateProgress.ADMIN_UPDATE_STARTED, operation=REPLACING),
        row(AdminUpdateProgress.ADMIN_UPDATE_FAILED, operation=Progress.FAILED_RECOVERABLE),
        row(AdminUpdateProgress.COMPLETED, operation=Progress.COMPLETED),
        row(AdminUpdateProgress.CANCELLED, operation=Progress.CANCELLED),
        row(AdminUpdateProgress.ADMIN_UPDATE_SUCCEEDED),
    ),
)


def read(plan: PendingAdminUpdate, transition: Transition | None, place: Place) -> AdminUpdateProgress | None:
    """Give what is shown. A plan whose operation never came into being reads as planned.

    One whose operation a later one has replaced is over, and nothing is shown of it any more.
    """
    ours = transition is not None and transition.operation_id == plan.operation_id
    carried_out = plan.operation_id is not None and not ours
    if carried_out and operation_of(plan, transition, lapsed=False) is Operation.OVER:
        return None
    operation = Progress(transition.stage) if transition is not None and ours else Progress.NO_OPERATION
    return ADMIN_UPDATE_PROGRESS.classify(AdminUpdate(operation, place))
