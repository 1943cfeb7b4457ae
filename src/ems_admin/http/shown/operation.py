"""The operation, and who owns the console. Source: `http.md` 5.4 (Alignment status, Lifecycle view)."""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import fields, shown
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.workflows.alignment.status import AlignmentStatus, TransitionView
from ems_admin.workflows.lifecycle import LifecycleView


@shown.register
def _status(status: AlignmentStatus) -> dict[str, Any]:
    return {
        "ok": status.error is None,
        "active": status.active,
        "error": shown(status.error),
        "transition": shown(status.transition),
        "known_good": shown(status.known_good),
    }


@shown.register
def _transition(view: TransitionView) -> dict[str, Any]:
    worked_out = fields(view)
    return {**worked_out.pop("record"), **worked_out}


@shown.register
def _lifecycle(view: LifecycleView) -> dict[str, Any]:
    verdict, reads = view.lifecycle, view.reads
    return {
        "ok": True,
        "owner": str(verdict.owner),
        "state": str(verdict.state),
        "switchable": verdict.switchable,
        "recoverable": verdict.recoverable,
        "blocking_reason": shown(verdict.blocking_reason),
        "operation": _running(view),
        "setup": _reading(reads.setup),
        "transition": _reading(reads.transition),
        "upgrade_context": _reading(reads.upgrade),
        "dispatch": _reading(reads.dispatch),
        "run": _reading(reads.run),
        "fingerprint": view.fingerprint,
    }


def _running(view: LifecycleView) -> dict[str, Any] | None:
    """Say what runs, how far its operation is, and by its job what ends it (F45)."""
    if view.operation is None:
        return None
    transition = view.reads.transition.record if isinstance(view.reads.transition, Present) else None
    named = transition is not None and transition.operation_id == view.operation["operation_id"]
    running: dict[str, Any] = shown(view.operation)
    return running | {"stage": str(transition.stage) if named and transition is not None else None}


def _reading(reading: Reading[Any]) -> dict[str, Any]:
    """Say whether a record is there, whether it can be read, and which one it is."""
    match reading:
        case Absent():
            return {"present": False, "readable": True}
        case Unreadable(fault=fault):
            return {"present": True, "readable": False, "fault": str(fault)}
        case Present(record=record):
            return {"present": True, "readable": True, **_named(record)}


def _named(record: object) -> dict[str, Any]:
    match record:
        case GuidedSetup():
            return {
                "workflow_id": record.workflow_id,
                "status": str(record.status),
                "cleanup": str(record.cleanup.state),
                "operation_id": record.operation_id,
            }
        case Transition():
            return {"operation_id": record.operation_id, "mode": str(record.mode), "stage": str(record.stage)}
        case UpgradeContext():
            return {"operation_id": record.operation_id, "target_system_tag": record.target_system_tag}
        case Dispatch():
            last = record.attempts[-1] if record.attempts else None
            outcome = None if last is None else str(last.outcome)
            return {"operation_id": record.operation_id, "attempt": last and last.number, "outcome": outcome}
        case Run():
            return {"operation_id": record.operation_id, "attempt": record.attempt, "step": str(record.step)}
        case _:
            raise TypeError(f"the lifecycle view knows no {type(record).__name__}")
