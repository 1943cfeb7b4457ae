"""What could be deployed, and what runs. Source: `http.md` 5.4 (Deployment plan, Status)."""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import fields, shown, told
from ems_admin.workflows.deployment.view import DeploymentPlan, DeploymentStatus
from ems_admin.workflows.ports.engine import EngineStatus


@shown.register
def _engine(engine: EngineStatus) -> dict[str, Any]:
    # Whoever cannot be asked is not down: nobody knows.
    state = "ready" if engine.ready else "unknown"
    return {"kind": str(engine.kind), "state": state, "code": shown(engine.code), "detail": engine.detail}


@shown.register
def _plan(plan: DeploymentPlan) -> dict[str, Any]:
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
def _status(status: DeploymentStatus) -> dict[str, Any]:
    return fields(status) | {"errors": [told(error.code, error.detail) for error in status.errors]}
