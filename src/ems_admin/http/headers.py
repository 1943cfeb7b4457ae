"""The headers of every answer, whatever it is.

Source: `http.md` 5.1.
"""

from __future__ import annotations

from typing import Final

from aiohttp import web

from ems_admin.http.origins import host_of
from ems_admin.http.visitor import is_loopback

ALWAYS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TRUSTWORTHY: Final = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Only for who comes safely, or from this machine: over plain HTTP a browser ignores it, and complains."""


async def protect(request: web.Request, response: web.StreamResponse) -> None:
    """Put them on an answer that is about to leave."""
    put_on(response)
    if is_trustworthy(request):
        response.headers.update(TRUSTWORTHY)


def is_trustworthy(request: web.Request) -> bool:
    """Say whether the browser takes this page for a secure one: by HTTPS, be it that of a proxy, or by loopback."""
    by_proxy = request.headers.get("X-Forwarded-Proto", "").lower() == "https"
    return request.secure or by_proxy or is_loopback(host_of(request.headers.get("Host", "")))


def put_on(response: web.StreamResponse) -> None:
    """Put them on an answer."""
    response.headers.update(ALWAYS)
    response.headers["Server"] = "ems-admin"  # not which versions stand behind it
