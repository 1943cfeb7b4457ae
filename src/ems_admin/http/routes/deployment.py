"""Guided Setup: from the config to a running EMS. Source: `http.md` 5.3 (Guided Setup); `site.md` 8."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, get, post
from ems_admin.http.routes.builds import Workflow
from ems_admin.http.routes.views import found
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import ConflictAction
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.deployment import conflicts, permissions
from ems_admin.workflows.deployment import prepare as preparing
from ems_admin.workflows.deployment import start as starting
from ems_admin.workflows.deployment.view import DeploymentPlan, DeploymentStatus, deployment_plan, deployment_status
from ems_admin.workflows.glance import glance
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError

DEPLOYMENT: Final = "/api/setup/deployment"
KINDS: Final = frozenset({WorkKind.DEPLOYMENT_PREPARE, WorkKind.DEPLOYMENT_START})
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Preparation(Workflow):
    """What is prepared, and whether an install may be replaced."""

    overwrite: bool = False


@frozen(kw_only=True)
class Decided(Workflow):
    """A container that is in the way, and what is to become of it."""

    container_name: str
    action: ConflictAction


async def plan(asked: View) -> Granted[DeploymentPlan]:
    """What a preparation would use."""
    return Granted(await deployment_plan(await glance(asked.house)))


async def status(asked: View) -> Granted[DeploymentStatus]:
    """What is seen of the EMS."""
    return Granted(await deployment_status(await glance(asked.house)))


async def job(asked: View) -> Granted[Job]:
    """One preparation or start."""
    named = found(asked)
    if named.kind not in KINDS:
        raise RefusalError(Refusal(Code.NOT_FOUND))
    return Granted(named)


async def prepare(asked: Asked[Preparation, Nothing]) -> Granted[Job]:
    """Put everything in place."""
    body = asked.body
    job = await preparing.prepare(asked.house, asked.caller, body.setup_workflow_id, overwrite=body.overwrite)
    return Granted(job, HTTPStatus.ACCEPTED)


async def start(asked: Asked[Workflow, Nothing]) -> Granted[Job]:
    """Start the EMS and prove it healthy."""
    return Granted(await starting.start(asked.house, asked.caller, asked.body.setup_workflow_id), HTTPStatus.ACCEPTED)


async def repair(asked: Asked[Workflow, Nothing]) -> Granted[permissions.Repaired]:
    """Give what was prepared back to who runs the EMS."""
    return Granted(await permissions.repair_permissions(asked.house, asked.caller, asked.body.setup_workflow_id))


async def resolve(asked: Asked[Decided, Nothing]) -> Granted[conflicts.Resolved]:
    """Clear a container out of the way."""
    body = asked.body
    return Granted(
        await conflicts.resolve_conflict(
            asked.house, asked.caller, body.setup_workflow_id, container_name=body.container_name, action=body.action
        )
    )


ROUTES: Final = (
    get(f"{DEPLOYMENT}/plan", "What a preparation would use", plan),
    get(f"{DEPLOYMENT}/status", "What is seen of the EMS", status),
    get(f"{DEPLOYMENT}/jobs/{{id}}", "One preparation or start", job),
    post(
        f"{DEPLOYMENT}/prepare",
        "Put everything in place for the EMS",
        prepare,
        preparing.ROW,
        body=Preparation,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    post(
        f"{DEPLOYMENT}/start",
        "Start the EMS and prove it healthy",
        start,
        starting.ROW,
        body=Workflow,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    post(
        f"{DEPLOYMENT}/repair-permissions",
        "Give config and data back to who runs the EMS",
        repair,
        permissions.ROW,
        body=Workflow,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{DEPLOYMENT}/resolve-container-conflict",
        "Clear a container out of the way",
        resolve,
        conflicts.ROW,
        body=Decided,
        scope=Scope.UPGRADE,
    ),
)
