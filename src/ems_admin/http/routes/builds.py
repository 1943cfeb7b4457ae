"""Guided Setup: the workflow, and the build that it installs. Source: `http.md` 5.3 (Guided Setup)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, TypedDict

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, get, post
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Mode
from ems_admin.workflows.authority import AuthorityRow
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup import abandon, disown, supersede, system_build
from ems_admin.workflows.setup.ending import Ended
from ems_admin.workflows.setup.releases import Flow, Offer, releases
from ems_admin.workflows.setup.view import read_setup


@frozen(kw_only=True)
class Chosen:
    """A build for a workflow."""

    tag: str
    setup_workflow_id: str | None = None


@frozen(kw_only=True)
class Workflow:
    """A workflow."""

    setup_workflow_id: str | None = None


@frozen(kw_only=True)
class Leaving(Workflow):
    """A workflow whose leftovers stay where they are, and why."""

    confirm: bool = False
    reason: str = ""


@frozen(kw_only=True)
class For:
    """What a list is for."""

    flow: Flow = Flow.SETUP


class Owned(TypedDict):
    """B0, if there is one."""

    workflow: GuidedSetup | None


class Offers(TypedDict):
    """The builds on offer."""

    builds: tuple[Offer, ...]


async def workflow(asked: Asked[Nothing, Nothing]) -> Granted[Owned]:
    """The Guided Setup, as far as the browser may know it."""
    setup = await read_setup(asked.house)
    if isinstance(setup, Refusal):
        raise RefusalError(setup)
    return Granted({"workflow": setup})


async def offered(asked: Asked[Nothing, For]) -> Granted[Offers]:
    """The builds on offer."""
    return Granted({"builds": await releases(asked.house, asked.query.flow)})


async def confirm(asked: Asked[Chosen, Nothing]) -> Granted[Job]:
    """Create the operation for a build."""
    return await prepare_by(asked, system_build.CONFIRM, Mode.FRESH_INSTALL)


async def prepare(asked: Asked[Chosen, Nothing]) -> Granted[Job]:
    """The same under the console's own name."""
    return await prepare_by(asked, system_build.PREPARE, Mode.FRESH_INSTALL)


async def prepare_automated(asked: Asked[Chosen, Nothing]) -> Granted[Job]:
    """The same for a Setup that no person goes through."""
    return await prepare_by(asked, system_build.PREPARE, Mode.AUTOMATED_SETUP)


async def update_admin(asked: Asked[Chosen, Nothing]) -> Granted[Job]:
    """Create the operation for a build whose Admin has to take over, and hand over to it."""
    return await prepare_by(asked, system_build.UPDATE_ADMIN, Mode.FRESH_INSTALL)


async def prepare_by(asked: Asked[Chosen, Nothing], row: AuthorityRow, mode: Mode) -> Granted[Job]:
    """One operation behind four routes."""
    job = await system_build.prepare_build(
        asked.house,
        asked.caller,
        row,
        tag=asked.body.tag,
        workflow_id=asked.body.setup_workflow_id,
        intent_id=asked.intent_id,
        mode=mode,
    )
    return Granted(job, HTTPStatus.ACCEPTED)


async def discard(asked: Asked[Workflow, Nothing]) -> Granted[Ended]:
    """End the Setup and clean up after it."""
    return Granted(await abandon.abandon(asked.house, asked.caller, asked.body.setup_workflow_id))


async def replace(asked: Asked[Chosen, Nothing]) -> Granted[supersede.Superseded]:
    """End the Setup and begin another one for the build that was chosen."""
    body = asked.body
    return Granted(await supersede.supersede(asked.house, asked.caller, body.setup_workflow_id, body.tag))


async def leave(asked: Asked[Leaving, Nothing]) -> Granted[Ended]:
    """Leave behind what a cleanup could not remove."""
    body = asked.body
    return Granted(
        await disown.disown(asked.house, asked.caller, body.setup_workflow_id, confirm=body.confirm, reason=body.reason)
    )


CREATES: Final = {
    "body": Chosen,
    "scope": Scope.UPGRADE,
    "takes_intent": True,
    "statuses": (HTTPStatus.ACCEPTED,),
}

ROUTES: Final = (
    get("/api/setup/workflow", "The Guided Setup, without paths and secrets", workflow),
    get("/api/setup/releases", "The builds on offer", offered, query=For),
    post(
        "/api/setup/system-build/update-admin",
        "Create the operation for a build and let its Admin take over",
        update_admin,
        system_build.UPDATE_ADMIN,
        **CREATES,
    ),
    post(
        "/api/setup/system-build/confirm",
        "Create the operation for a build",
        confirm,
        system_build.CONFIRM,
        **CREATES,
    ),
    post(
        "/api/setup/releases/prepare",
        "Create the operation for a build and fetch it",
        prepare,
        system_build.PREPARE,
        **CREATES,
    ),
    post(
        "/api/setup/automated/releases/prepare",
        "The same for a Setup that no person goes through",
        prepare_automated,
        system_build.PREPARE,
        **CREATES,
    ),
    post(
        "/api/setup/abandon",
        "End the Setup, or go on with its cleanup",
        discard,
        abandon.ROW,
        body=Workflow,
        scope=Scope.UPGRADE,
    ),
    post(
        "/api/setup/system-build/supersede",
        "End the Setup and begin another one for this build",
        replace,
        supersede.ROW,
        body=Chosen,
        scope=Scope.UPGRADE,
    ),
    post(
        "/api/setup/cleanup/disown",
        "Leave the files of an ended Setup as they are",
        leave,
        disown.ROW,
        body=Leaving,
        scope=Scope.UPGRADE,
    ),
)
