"""Updating the Admin alone. Source: `http.md` 5.3 (Guided Upgrade and Admin update)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, get, post
from ems_admin.http.routes.alignment import Operation
from ems_admin.http.routes.upgrade import Target
from ems_admin.workflows.admin_update import executing, planning
from ems_admin.workflows.admin_update.status import AdminUpdateStatus, admin_update_status, resume_admin_update
from ems_admin.workflows.alignment import resume
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.glance import glance
from ems_admin.workflows.jobs import Job

ADMIN_UPDATE: Final = "/api/admin/maintenance/admin-update"


@frozen(kw_only=True)
class Agreed:
    """A plan, and that the person means it."""

    plan_id: str | None = None
    confirm: bool = False


async def plan(asked: Asked[Target, Nothing]) -> Granted[planning.AdminUpdatePlanned]:
    """Plan the update of the Admin to the one of a build."""
    return Granted(await planning.plan_admin_update(asked.house, asked.caller, asked.body.tag))


async def execute(asked: Asked[Agreed, Nothing]) -> Granted[Job]:
    """Carry a plan out."""
    body = asked.body
    job = await executing.execute_admin_update(asked.house, asked.caller, body.plan_id, confirm=body.confirm)
    return Granted(job, HTTPStatus.ACCEPTED)


async def status(asked: Asked[Nothing, Nothing]) -> Granted[AdminUpdateStatus]:
    """How far the update of the Admin is."""
    return Granted(await admin_update_status(await glance(asked.house)))


async def go_on(asked: Asked[Operation, Nothing]) -> Granted[AlignmentStatus | Job]:
    """Go on with the operation of the plan: its status when the step has ended, its job when that takes long."""
    answer = await resume_admin_update(asked.house, asked.caller, asked.body.operation_id)
    return Granted(answer, HTTPStatus.ACCEPTED if isinstance(answer, Job) else HTTPStatus.OK)


BOTH: Final = (HTTPStatus.OK, HTTPStatus.ACCEPTED)

ROUTES: Final = (
    post(
        f"{ADMIN_UPDATE}/plan",
        "Plan an update of the Admin alone",
        plan,
        planning.ROW,
        body=Target,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{ADMIN_UPDATE}/execute",
        "Update the Admin alone",
        execute,
        executing.ROW,
        body=Agreed,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    get(f"{ADMIN_UPDATE}/status", "How far the update of the Admin is", status),
    post(
        f"{ADMIN_UPDATE}/resume",
        "Go on with the update of the Admin",
        go_on,
        resume.ROW,
        body=Operation,
        scope=Scope.UPGRADE,
        statuses=BOTH,
    ),
)
