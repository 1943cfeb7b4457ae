"""Who stands at the other end of the connection, as far as the connection itself tells.

Forwarded headers are never believed: they only tell that somebody stands between. Source: `http.md` 5.2.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final

from aiohttp import web
from attrs import frozen

from ems_admin.http.origins import host_of

FORWARDED: Final = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"})
"""Headers by which a proxy shows; everything that begins with `x-forwarded` counts as well."""


@frozen(kw_only=True)
class Visitor:
    """The peer of one request."""

    address: str
    agent: str
    secure: bool
    """The connection itself is HTTPS."""
    at_the_machine: bool
    """Peer and named host are loopback, and nobody stands between."""


def visitor_of(request: web.Request) -> Visitor:
    """Look at the connection and at what the request says of its way here."""
    address = request.remote or ""
    between = any(name.lower() in FORWARDED or name.lower().startswith("x-forwarded") for name in request.headers)
    return Visitor(
        address=address,
        agent=request.headers.get("User-Agent", "")[:200],
        secure=request.secure,
        at_the_machine=is_loopback(address) and is_loopback(host_of(request.headers.get("Host", ""))) and not between,
    )


def is_loopback(host: str) -> bool:
    """Say whether a host names this machine to itself; `[::ffff:127.0.0.1]` does so too."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
