"""Who owns the console. Source: `http.md` 5.4 (Lifecycle view)."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from ems_admin.http.shown.shape import fields, shown
from ems_admin.machines.lifecycle.fingerprint import UpgradeIdentity
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.workflows.lifecycle import LifecycleView


class RecordShape(TypedDict):
    """Whether a record is there, whether it can be read, and which one it is."""

    present: bool
    readable: bool
    fault: NotRequired[str]
    workflow_id: NotRequired[str]
    status: NotRequired[str]
    cleanup: NotRequired[str]
    operation_id: NotRequired[str | None]
    mode: NotRequired[str]
    stage: NotRequired[str]
    target_system_tag: NotRequired[str]
    attempt: NotRequired[int | None]
    outcome: NotRequired[str | None]
    step: NotRequired[str]


class RunningShape(TypedDict):
    """What runs now."""

    kind: str
    started_at: str
    operation_id: str | None
    job_id: str | None
    stage: str | None


class LifecycleShape(TypedDict):
    """Who owns the console."""

    ok: bool
    owner: str
    state: str
    switchable: bool
    recoverable: bool
    blocking_reason: str | None
    operation: RunningShape | None
    setup: RecordShape
    transition: RecordShape
    upgrade_context: RecordShape
    dispatch: RecordShape
    run: RecordShape
    fingerprint: str


@shown.register
def _lifecycle(view: LifecycleView) -> LifecycleShape:
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
        "upgrade_context": _reading(reads.upgrade, reads.upgrade_identity),
        "dispatch": _reading(reads.dispatch),
        "run": _reading(reads.run),
        "fingerprint": view.fingerprint,
    }


def _running(view: LifecycleView) -> RunningShape | None:
    """Say what runs, how far its operation is, and by its job what ends it (F45)."""
    if view.operation is None:
        return None
    transition = view.reads.transition_record
    named = transition is not None and transition.operation_id == view.operation["operation_id"]
    running: RunningShape = shown(view.operation)
    return {**running, "stage": str(transition.stage) if named and transition is not None else None}


def _reading(reading: Reading[Any], named: UpgradeIdentity | None = None) -> RecordShape:
    """Say whether a record is there, whether it can be read, and which one it is, as far as it says so."""
    match reading:
        case Absent():
            return {"present": False, "readable": True}
        case Unreadable(fault=fault):
            answer: RecordShape = {"present": True, "readable": False, "fault": str(fault)}
            answer.update({} if named is None else fields(named))  # type: ignore[typeddict-item]
            return answer
        case Present(record=record):
            return {"present": True, "readable": True, **_named(record)}  # type: ignore[typeddict-item]


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
