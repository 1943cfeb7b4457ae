"""What a switch or a recovery would do, and what it did. Source: `http.md` 5.3, 5.4 (the two previews)."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from ems_admin.http.shown.shape import shown
from ems_admin.machines.lifecycle.switch import Confirmation, Target
from ems_admin.machines.records.recovery import ReleasedFile
from ems_admin.workflows.arbiter.recovering import Recovered, RecoveryPreview
from ems_admin.workflows.arbiter.switching import Switched, SwitchPreview
from ems_admin.workflows.lifecycle import LifecycleView


class SwitchShape(TypedDict):
    """What a switch would do."""

    target: Target
    current_owner: str
    action: str
    blocked: bool
    blocking_reason: str | None
    confirmation_required: bool
    will_reset: list[str]
    will_preserve: list[str]
    resume_available: bool
    recoverable: bool
    fingerprint: str
    lifecycle: Annotated[Any, LifecycleView]


class SwitchedShape(TypedDict):
    """What a switch did, and the Setup that begins or goes on."""

    action: str
    setup_workflow_id: NotRequired[str]
    setup_intent_id: NotRequired[str]
    lifecycle: Annotated[Any, LifecycleView]


class SafeShape(TypedDict):
    """What the normal ends would do."""

    available: bool
    actions: list[str]
    confirmation_required: bool


class StaleShape(TypedDict):
    """A record that a release names."""

    name: str
    reason: str


class ReleaseShape(TypedDict):
    """What a release would set aside."""

    available: bool
    files: list[StaleShape]
    confirmation_required: bool
    reason_required: bool


class RecoveryShape(TypedDict):
    """What recovery could do."""

    blocking: str | None
    operation_running: bool
    safe: SafeShape
    release: ReleaseShape
    will_preserve: list[str]
    fingerprint: str
    lifecycle: Annotated[Any, LifecycleView]


class RecoveredShape(TypedDict):
    """What recovery did: the actions of the safe one, or the copies of a release."""

    actions: NotRequired[list[str]]
    released: NotRequired[list[Annotated[Any, ReleasedFile]]]
    backup: NotRequired[str | None]
    lifecycle: Annotated[Any, LifecycleView]


@shown.register
def _switch(preview: SwitchPreview) -> SwitchShape:
    decision, verdict = preview.decision, preview.view.lifecycle
    return {
        "target": preview.target,
        "current_owner": str(verdict.owner),
        "action": str(decision.action),
        "blocked": decision.refusal is not None,
        "blocking_reason": str(decision.refusal.code) if decision.refusal else None,
        "confirmation_required": decision.confirmation is Confirmation.REQUIRED,
        "will_reset": shown(preview.will_reset),
        "will_preserve": shown(preview.will_preserve),
        "resume_available": preview.resume_available,
        "recoverable": verdict.recoverable,
        "fingerprint": preview.view.fingerprint,
        "lifecycle": shown(preview.view),
    }


@shown.register
def _switched(switched: Switched) -> SwitchedShape:
    named = {"setup_workflow_id": switched.setup_workflow_id, "setup_intent_id": switched.setup_intent_id}
    answer: SwitchedShape = {"action": str(switched.action), "lifecycle": shown(switched.lifecycle)}
    answer.update({name: value for name, value in named.items() if value is not None})  # type: ignore[typeddict-item]
    return answer


@shown.register
def _recovery(preview: RecoveryPreview) -> RecoveryShape:
    return {
        "blocking": shown(preview.blocking),
        "operation_running": preview.running is not None,
        "safe": {
            "available": preview.safe_available,
            "actions": shown(preview.actions),
            "confirmation_required": True,
        },
        "release": {
            "available": preview.release_available,
            "files": [{"name": file.name, "reason": str(file.reason)} for file in preview.files],
            "confirmation_required": True,
            "reason_required": True,
        },
        "will_preserve": shown(preview.will_preserve),
        "fingerprint": preview.view.fingerprint,
        "lifecycle": shown(preview.view),
    }


@shown.register
def _recovered(recovered: Recovered) -> RecoveredShape:
    if recovered.released is None:
        return {"actions": shown(recovered.actions), "lifecycle": shown(recovered.lifecycle)}
    return {
        "released": shown(recovered.released.files),
        "backup": recovered.released.folder,
        "lifecycle": shown(recovered.lifecycle),
    }
