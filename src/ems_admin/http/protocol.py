"""Answers below the application: bytes that are no HTTP request, and faults that nobody above has caught.

They speak the words of every other answer and carry its headers. What a stranger sends is told to the log in one quiet
line: a port scan must not fill a disk with stack traces.
Source: `site.md` 1.1; `http.md` 5.1.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import structlog
from aiohttp import web

from ems_admin.http import headers, replies
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal

_log = structlog.get_logger(__name__)

FIELD: Final = 16 * 1024
"""Bytes that one header may have."""


class Protocol(web.RequestHandler):
    """One connection."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002  # the parser's words quote what came
    ) -> web.StreamResponse:
        """Answer for a request that never became one, or for a fault. The connection ends with it."""
        if request.writer.output_size > 0:
            raise ConnectionError("an answer is under way already")
        if status == HTTPStatus.BAD_REQUEST:
            _log.debug("no HTTP request", why=type(exc).__name__)
            answer = replies.refused(Refusal(Code.MALFORMED_BODY, detail="not_http"))
        else:
            _log.error("request failed", exc_info=exc)
            answer = replies.failed()
        headers.put_on(answer)
        answer.force_close()
        return answer


def connections_of(runner: web.AppRunner) -> Callable[[], Protocol]:
    """Give what makes a connection of a runner that is set up."""
    server, loop = runner.server, asyncio.get_running_loop()
    if server is None:
        raise RuntimeError("the runner is not set up")
    return lambda: Protocol(
        server,
        loop=loop,
        access_log=None,  # type: ignore[arg-type]  # none is what the class itself takes for "no log"
        max_field_size=FIELD,
        auto_decompress=False,  # a body is JSON as it stands: nothing small grows large here
    )
