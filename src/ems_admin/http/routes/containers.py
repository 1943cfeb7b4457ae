"""Maintenance: the containers of the site and what they print. Source: `http.md` 5.3 (Maintenance, containers)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, Route, get, post
from ems_admin.machines.container_control import ContainerAction
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance import containers

CONTAINERS: Final = "/api/admin/maintenance/containers"
SUMMARIES: Final = {
    ContainerAction.START: "Start the container of a service",
    ContainerAction.STOP: "Stop the container of a service, on purpose",
    ContainerAction.RESTART: "Restart the container of a service",
}


@frozen(kw_only=True)
class Agreed:
    """Whether the person has said yes."""

    confirm: bool = False


@frozen(kw_only=True)
class Tail:
    """How many of the last lines; more than 500 are never given."""

    lines: int = 200


async def listed(asked: Asked[Nothing, Nothing]) -> Granted[containers.Containers]:
    """All containers."""
    return Granted(await containers.containers(asked.house))


async def log(asked: Asked[Nothing, Tail]) -> Granted[containers.ServiceLog]:
    """What one service printed last."""
    return Granted(await containers.service_log(asked.house, asked.names["service"], asked.query.lines))


def _act(action: ContainerAction) -> Route:
    async def act(asked: Asked[Agreed, Nothing]) -> Granted[Job]:
        service, confirm = asked.names["service"], asked.body.confirm
        job = await containers.control(asked.house, asked.caller, service, action, confirm=confirm)
        return Granted(job, HTTPStatus.ACCEPTED)

    return post(
        f"{CONTAINERS}/{{service}}/{action}",
        SUMMARIES[action],
        act,
        containers.ROW,
        body=Agreed,
        scope=Scope.MAINTAIN,
        statuses=(HTTPStatus.ACCEPTED,),
    )


ROUTES: Final = (
    get(CONTAINERS, "The containers of the site", listed),
    get(f"{CONTAINERS}/{{service}}/logs", "What a service printed last, its secrets masked", log, query=Tail),
    *(_act(action) for action in ContainerAction),
)
