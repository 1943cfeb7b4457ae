"""The start path, and the operation. Source: `http.md` 5.3 (Start path, alignment, lifecycle)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, Outside, get, post
from ems_admin.workflows.alignment import calling_off, resume, returning
from ems_admin.workflows.alignment.status import AlignmentStatus, alignment_status
from ems_admin.workflows.arbiter.start_path import Choice, StartPath, start_path
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.glance import glance
from ems_admin.workflows.install_state import InstallView, install_view
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.setup.validate import Validation, validate

ALIGNMENT: Final = "/api/admin/system-alignment"
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Door:
    """Which door, and whether what is installed may be replaced."""

    choice: Choice
    confirm: bool = False


@frozen(kw_only=True)
class Tag:
    """A build."""

    tag: str


@frozen(kw_only=True)
class Operation:
    """An operation."""

    operation_id: str | None = None


@frozen(kw_only=True)
class Confirmed(Operation):
    """An operation, and that the person means it."""

    confirm: bool = False


async def installed(asked: View) -> Granted[InstallView]:
    """What is installed."""
    return Granted(await install_view(asked.house))


async def start(asked: Asked[Door, Nothing]) -> Granted[StartPath]:
    """Go through a door."""
    return Granted(await start_path(asked.house, asked.caller, asked.body.choice, confirm=asked.body.confirm))


async def status(asked: View) -> Granted[AlignmentStatus]:
    """How the operation stands."""
    return Granted(await alignment_status(await glance(asked.house)))


async def look(asked: Asked[Tag, Nothing]) -> Granted[Validation]:
    """Verify a build and say what can be done with it."""
    return Granted(await validate(asked.house, asked.body.tag))


async def go_on(asked: Asked[Operation, Nothing]) -> Granted[AlignmentStatus | Job]:
    """Go on with the operation: its status when the step has ended, its job when that takes long."""
    answer = await resume.resume(asked.house, asked.caller, asked.body.operation_id)
    return Granted(answer, HTTPStatus.ACCEPTED if isinstance(answer, Job) else HTTPStatus.OK)


async def verify(asked: Asked[Operation, Nothing]) -> Granted[Job]:
    """Import and verify the resources of the operation."""
    return Granted(await resume.verify(asked.house, asked.caller, asked.body.operation_id), HTTPStatus.ACCEPTED)


async def cancel(asked: Asked[Confirmed, Nothing]) -> Granted[AlignmentStatus]:
    """Call an operation off that is no Setup's."""
    body = asked.body
    return Granted(await calling_off.call_off(asked.house, asked.caller, body.operation_id, confirm=body.confirm))


async def go_back(asked: Asked[Confirmed, Nothing]) -> Granted[Job]:
    """Go back from a failed operation to the build that runs."""
    body, house = asked.body, asked.house
    job = await returning.return_to_running_build(house, asked.caller, body.operation_id, confirm=body.confirm)
    return Granted(job, HTTPStatus.ACCEPTED)


ROUTES: Final = (
    get("/api/admin/install-state", "What is installed", installed),
    post(
        "/api/admin/start-path",
        "Begin or resume Guided Setup, or go to Maintenance",
        start,
        Outside.BEGINS,
        body=Door,
        scope=Scope.UPGRADE,
    ),
    get(f"{ALIGNMENT}/status", "How the operation stands", status),
    post(
        f"{ALIGNMENT}/validate",
        "Verify a build and say what can be done with it",
        look,
        Outside.LOOKS,
        body=Tag,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{ALIGNMENT}/resume",
        "Go on with the operation",
        go_on,
        resume.ROW,
        body=Operation,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.OK, HTTPStatus.ACCEPTED),
    ),
    post(
        f"{ALIGNMENT}/verify-resources",
        "Import and verify the resources of the operation",
        verify,
        resume.ROW,
        body=Operation,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    post(
        f"{ALIGNMENT}/cancel",
        "Call the operation off",
        cancel,
        calling_off.ROW,
        body=Confirmed,
        scope=Scope.UPGRADE,
    ),
    post(
        f"{ALIGNMENT}/return-to-running-build",
        "Go back from a failed operation to the build that runs",
        go_back,
        returning.ROW,
        body=Confirmed,
        scope=Scope.UPGRADE,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
)
