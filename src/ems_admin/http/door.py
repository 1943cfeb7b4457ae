"""The one way in: session, origin, CSRF, scope, body, and then the route, whose first step is its authority row.

Source: `http.md` 5.1 (order on every route).
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import structlog
from aiohttp import web

from ems_admin import codec
from ems_admin.http import origins, replies
from ems_admin.http.bodies import read_body, read_query, refusal_of
from ems_admin.http.desk import Desk
from ems_admin.http.events import stream
from ems_admin.http.route import Asked, File, Granted, Method, Reply, Route, Stream
from ems_admin.http.sessions import COOKIE, Session
from ems_admin.http.visitor import Visitor, visitor_of
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.ports.records import RefusalError

SCOPES = tuple(Scope)
"""Each includes the ones before it."""
NOBODY = Caller(session=None, token=None, scope=Scope.READ)

_log = structlog.get_logger(__name__)


async def answer(desk: Desk, route: Route, request: web.Request) -> web.StreamResponse:
    """Answer one request of a route; whatever goes wrong has a code by the time it leaves here."""
    visitor = visitor_of(request)
    try:
        return await _perform(desk, route, request, visitor)
    except RefusalError as refused:
        return replies.refused(refused.refusal)
    except codec.MisfitError as misfits:
        return replies.refused(refusal_of(misfits))
    except ConnectionError:
        raise  # the other end went away: there is nobody left to answer
    except Exception:  # noqa: BLE001  # the middleware's own door: a fault ends its request and nothing else
        _log.exception("request failed", method=request.method, route=route.path)
        return replies.failed()


async def _perform(desk: Desk, route: Route, request: web.Request, visitor: Visitor) -> web.StreamResponse:
    session = desk.sessions.find(request.cookies.get(COOKIE))
    if session is None and not route.public:
        raise RefusalError(Refusal(Code.NOT_AUTHENTICATED))
    if not route.any_origin:
        origins.require_own(request.headers.get("Origin"), request.headers.get("Host", ""), desk.trusted_origins)
    if session is not None and not route.public:
        session = _used(desk, route, request, session)
    asked: Asked[Any, Any] = Asked(
        desk=desk,
        visitor=visitor,
        caller=session.caller if session else NOBODY,
        session=session,
        body=await read_body(request, route.body, route.limit),
        query=read_query(request, route.query),
        names=dict(request.match_info),
        intent_id=request.headers.get("X-Setup-Intent-ID") if route.takes_intent else None,
    )
    with desk.throttle.attempt(visitor.address) if route.guesses else nullcontext():
        # what cannot be read has guessed nothing: it is answered before anything is counted
        reply = await route.call(asked)
    return await _reply(reply, asked, request)


def _used(desk: Desk, route: Route, request: web.Request, session: Session) -> Session:
    if route.method is not Method.GET and not session.fits(request.headers.get("X-CSRF-Token")):
        raise RefusalError(Refusal(Code.CSRF_FAILED))
    if SCOPES.index(session.caller.scope) < SCOPES.index(route.scope):
        raise RefusalError(Refusal(Code.SCOPE_INSUFFICIENT, detail=route.scope))
    return desk.sessions.use(session)


async def _reply(reply: Reply, asked: Asked[Any, Any], request: web.Request) -> web.StreamResponse:
    match reply:
        case Granted():
            return replies.granted(reply, secure=asked.visitor.secure)
        case File():
            return replies.handed(reply)
        case Stream():
            return await stream(asked.desk, asked.session, request)
