"""The headers of every answer, whatever it is.

Source: `http.md` 5.1.
"""

from __future__ import annotations

from typing import Final

from aiohttp import web

ALWAYS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


async def protect(_request: web.Request, response: web.StreamResponse) -> None:
    """Put them on an answer that is about to leave."""
    put_on(response)


def put_on(response: web.StreamResponse) -> None:
    """Put them on an answer."""
    response.headers.update(ALWAYS)
    response.headers["Server"] = "ems-admin"  # not which versions stand behind it
