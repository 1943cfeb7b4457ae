"""Replies of routes as HTTP answers: bodies, statuses, cookies.

Source: `http.md` 5.1, 5.6; `site.md` 1.1.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from ems_admin.http.assets import Asset
from ems_admin.http.route import File, Granted, SignedIn, SignedOut
from ems_admin.http.sessions import ABSOLUTE, COOKIE
from ems_admin.http.shown import shown
from ems_admin.http.statuses import status_of
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal

RETRY_AFTER: Final = "retry_after"


def granted(reply: Granted[Any], *, secure: bool) -> web.Response:
    """Answer yes. A view that could not be read says `ok: false` by itself, and is a 200 all the same."""
    answer = _json({"ok": True, **shown(reply.value)}, reply.status)
    match reply.session:
        case SignedIn(session_id=session_id):
            answer.set_cookie(
                COOKIE,
                session_id,
                max_age=int(ABSOLUTE.total_seconds()),
                path="/",
                httponly=True,
                samesite="Strict",
                secure=secure,
            )
        case SignedOut():
            answer.del_cookie(COOKIE, path="/", httponly=True, samesite="Strict", secure=secure)
        case None:
            pass
    return answer


def refused(refusal: Refusal) -> web.Response:
    """Answer no, and say why and what can be done."""
    answer = _json(shown(refusal), status_of(refusal.code))
    if RETRY_AFTER in refusal.more:
        answer.headers["Retry-After"] = str(refusal.more[RETRY_AFTER])
    return answer


def failed() -> web.Response:
    """Answer for a fault of the program: the log says more, the answer nothing that the program held."""
    return refused(Refusal(Code.INTERNAL_ERROR))


def handed(file: File) -> web.Response:
    """Hand out bytes."""
    headers = {"Content-Type": file.content_type, "Cache-Control": "no-store"}
    if file.name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return web.Response(body=file.data, headers=headers)


def _json(body: dict[str, Any], status: HTTPStatus) -> web.Response:
    data = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}
    return web.Response(body=data, status=status, headers=headers)


def asset(file: Asset) -> web.Response:
    """Hand out a file of the console: for ever when its name changes with its bytes, else to be asked for each time."""
    headers = {
        "Content-Type": f"{file.content_type}; charset=utf-8" if _is_text(file.content_type) else file.content_type,
        "Cache-Control": "public, max-age=31536000, immutable" if file.keep else "no-cache",
    }
    answer = web.Response(body=file.data, headers=headers)
    if _is_text(file.content_type):
        answer.headers["Vary"] = "Accept-Encoding"
        answer.enable_compression()  # as the browser allows; a phone in a cellar has a slow line
    return answer


def _is_text(content_type: str) -> bool:
    return content_type.startswith("text/") or content_type.endswith("javascript")
