"""What could be deployed, and what runs. Source: `http.md` 5.4 (Deployment plan, Status)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.machines.records.installed import DeployedImage, DeploymentMarker
from ems_admin.workflows.deployment.conflicts import Resolved
from ems_admin.workflows.deployment.view import ConflictAnswer, ConflictView, DeploymentPlan, DeploymentStatus
from ems_admin.workflows.ports.engine import EngineStatus
from ems_admin.workflows.ports.files import RuntimeIdentity


class EngineShape(TypedDict):
    """Whether the engine can be asked."""

    kind: str
    state: str
    code: str | None
    detail: str | None


class Generated(TypedDict):
    """The config that waits for its deployment."""

    ready: bool
    revision: str | None


class PlanShape(TypedDict):
    """What a preparation would use."""

    release: str | None
    generated_config: Generated
    existing_install: str
    images: Annotated[Any, tuple[DeployedImage, ...]]
    engine: Annotated[Any, EngineStatus]
    runtime_identity: Annotated[Any, RuntimeIdentity | None]
    prepared: Annotated[Any, DeploymentMarker | None]
    can_prepare: bool


@shown.register
def _resolved(resolved: Resolved) -> Annotated[dict[str, Any], Like(kind=Resolved, but={"continue": bool})]:
    return fields(resolved) | {"continue": resolved.goes_on}


class ConflictAnswerShape(TypedDict):
    """One thing that can be done about a container in the way."""

    action: str
    enabled: bool
    reason: Told | None


@shown.register
def _conflict(
    view: ConflictView,
) -> Annotated[dict[str, Any], Like(kind=ConflictView, flat="conflict")]:
    return {**fields(view.conflict), "actions": shown(view.actions)}


@shown.register
def _conflict_answer(answer: ConflictAnswer) -> ConflictAnswerShape:
    refusal = answer.refusal
    return {
        "action": str(answer.action),
        "enabled": refusal is None,
        "reason": None if refusal is None else told(refusal.code, refusal.detail),
    }


@shown.register
def _engine(engine: EngineStatus) -> EngineShape:
    # Whoever cannot be asked is not down: nobody knows.
    state = "ready" if engine.ready else "unknown"
    return {"kind": str(engine.kind), "state": state, "code": shown(engine.code), "detail": engine.detail}


@shown.register
def _plan(plan: DeploymentPlan) -> PlanShape:
    return {
        "release": plan.release,
        "generated_config": {"ready": plan.generated_ready, "revision": plan.generated_revision},
        "existing_install": str(plan.existing_install),
        "images": shown(plan.images),
        "engine": shown(plan.engine),
        "runtime_identity": shown(plan.runtime_identity),
        "prepared": shown(plan.prepared),
        "can_prepare": plan.can_prepare,
    }


@shown.register
def _status(
    status: DeploymentStatus,
) -> Annotated[dict[str, Any], Like(kind=DeploymentStatus, but={"errors": list[Told]})]:
    return fields(status) | {"errors": [told(error.code, error.detail) for error in status.errors]}
