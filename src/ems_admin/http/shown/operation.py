"""The operation. Source: `http.md` 5.4 (Alignment status)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.machines.codes import known_code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.alignment.status import AlignmentStatus, TransitionView


class AlignmentShape(TypedDict):
    """The operation as it stands."""

    ok: bool
    active: bool
    error: str | None
    transition: Annotated[Any, TransitionView | None]
    known_good: Annotated[Any, KnownGood | None]


@shown.register
def _status(status: AlignmentStatus) -> AlignmentShape:
    return {
        "ok": status.error is None,
        "active": status.active,
        "error": shown(status.error),
        "transition": shown(status.transition),
        "known_good": shown(status.known_good),
    }


@shown.register
def _transition(
    view: TransitionView,
) -> Annotated[dict[str, Any], Like(kind=TransitionView, flat="record", but={"failure": Told | None})]:
    worked_out = fields(view)
    return {**worked_out.pop("record"), **worked_out, "failure": _failure(view.record)}


def _failure(record: Transition) -> Told | None:
    """Tell a stored code with its sentence; what came with it narrows that. A newer Admin may have stored another."""
    code = known_code(record.error_code)
    return told(code, record.error_message) if code else None
