"""Where the server listens: addresses as people write them, every family tried, each told in the log.

Source: `site.md` 10; `faults.md` F51.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Final

import structlog
from attrs import frozen

_log = structlog.get_logger(__name__)
BACKLOG: Final = 128
HIGHEST: Final = 65535
ANY: Final = {"::": ((socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0"))}  # noqa: S104  # the operator wrote it
"""`[::]` means every address of the machine: on a kernel without IPv6 those are the others."""


@frozen
class Listen:
    """A host, without brackets, and a port; port 0 lets the machine choose."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine itself can reach it, as far as the name tells."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class CannotListenError(Exception):
    """No family could be bound; the log says why for each."""


def listen_of(text: str) -> Listen:
    """Read `127.0.0.1:8090`, `[::1]:8090`, `name:8090`. Raises `ValueError`."""
    host, separator, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if not separator or not port.isdecimal() or int(port) > HIGHEST or not host or (":" in host and not bracketed):
        raise ValueError(f"{text!r} is no address: write HOST:PORT, an IPv6 address in brackets")
    return Listen(host[1:-1] if bracketed else host, int(port))


async def bind(listen: Listen) -> tuple[socket.socket, ...]:
    """Bind every address that the host stands for. Raises `CannotListenError` when none can be."""
    bound: list[socket.socket] = []
    port = listen.port
    for family, address in await _addresses(listen):
        try:
            taken = _bind(family, address, port)
        except OSError as error:
            _log.warning("cannot listen", address=shown(address, port), why=error.strerror)
            continue
        port = taken.getsockname()[1]
        _log.info("listening", address=shown(address, port))
        bound.append(taken)
    if not bound:
        raise CannotListenError(f"nothing can be bound at {shown(listen.host, listen.port)}")
    return tuple(bound)


def url_of(listen: Listen, taken: socket.socket, *, secure: bool) -> str:
    """Give the address that a person opens: the name that was asked for, or this machine itself where it was any."""
    address, port = taken.getsockname()[:2]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address)  # noqa: S104  # compared, not bound
    return f"http{'s' if secure else ''}://{shown(here or listen.host, port)}"


def shown(host: str, port: int) -> str:
    """Write host and port, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def _addresses(listen: Listen) -> tuple[tuple[int, str], ...]:
    if listen.host in ANY:
        return ANY[listen.host]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(listen.host, listen.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CannotListenError(f"{listen.host} is no address of this machine: {error.strerror}") from error
    families = {(int(family), str(address[0])) for family, _, _, _, address in found}
    return tuple(sorted(families))  # IPv4 first: it is the one that people paste into a browser


def _bind(family: int, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # each family has a socket of its own
        made.bind((address, port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    made.settimeout(0)
    return made
