"""The aiohttp application of one site: the table, the console's files, and an answer for every other address.

Source: `http.md` 5.1.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import groupby

from aiohttp import web
from attrs import frozen

from ems_admin.http import door, headers, origins, replies
from ems_admin.http.desk import Desk
from ems_admin.http.route import Route
from ems_admin.http.routes import TABLE
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(desk: Desk) -> web.Application:
    """Make the application."""
    app = web.Application(middlewares=[_no_place])
    for path, routes in groupby(sorted(TABLE, key=lambda route: route.path), key=lambda route: route.path):
        resource = app.router.add_resource(path)
        for route in routes:
            resource.add_route(route.method, _Handled(desk=desk, route=route).answer)
        resource.add_route("*", _Other(desk=desk).wrong_method)
    app.router.add_route("*", "/{path:.*}", _Other(desk=desk).elsewhere)
    app.on_response_prepare.append(headers.protect)
    app.on_shutdown.append(_close(desk))
    return app


@frozen(kw_only=True)
class _Handled:
    """One route, timed and counted."""

    desk: Desk
    route: Route

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        begun = time.perf_counter()
        answer = await door.answer(self.desk, self.route, request)
        self.desk.metrics.answered(
            route=self.route.path,
            method=request.method,
            status=answer.status,
            took=timedelta(seconds=time.perf_counter() - begun),
        )
        return answer


@frozen(kw_only=True)
class _Other:
    """Every address that is no route."""

    desk: Desk

    async def wrong_method(self, _request: web.Request) -> web.StreamResponse:
        """Answer for a known path that is asked in another way."""
        return replies.refused(Refusal(Code.METHOD_NOT_ALLOWED))

    async def elsewhere(self, request: web.Request) -> web.StreamResponse:
        """Hand out the console; below `/api` there is nothing that the table does not name."""
        asset = None if _is_api(request.path) else self.desk.assets.find(request.path)
        if asset is None:
            return replies.refused(Refusal(Code.NOT_FOUND))
        if request.method not in ("GET", "HEAD"):
            return replies.refused(Refusal(Code.METHOD_NOT_ALLOWED))
        try:
            origins.require_own(
                request.headers.get("Origin"), request.headers.get("Host", ""), self.desk.trusted_origins
            )
        except RefusalError as refused:
            return replies.refused(refused.refusal)
        return replies.asset(asset)


@web.middleware
async def _no_place(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer for a target that is no path at all, such as that of `CONNECT`; the router knows no route for it."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return replies.refused(Refusal(Code.NOT_FOUND))


def _is_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/")


def _close(desk: Desk) -> Callable[[web.Application], Awaitable[None]]:
    async def streams_end(_app: web.Application) -> None:
        desk.closing.set()

    return streams_end
