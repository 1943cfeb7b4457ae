"""Serving one open site until somebody asks for the end.

Source: `site.md` 10 (SIGTERM); `http.md` 5.2 (first visitor).
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from aiohttp import web
from attrs import frozen

from ems_admin.http.application import application
from ems_admin.http.desk import Desk, HintSource, desk_for
from ems_admin.http.listening import Listen, bind, url_of
from ems_admin.http.protocol import connections_of
from ems_admin.workflows.access import SetupCode
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.access import PasswordFile

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What nobody mistakes for something else when it is read off a terminal."""
DRAINED: Final = 3.0
"""Seconds that answers which are under way may take; the rest of the time belongs to commits."""


@frozen(kw_only=True)
class Serving:
    """How a site is served."""

    listen: Listen
    certificate: ssl.SSLContext | None = None
    trusted_origins: tuple[str, ...] = ()


@frozen(kw_only=True)
class Served:
    """A site that is being served."""

    desk: Desk
    url: str
    code: str | None
    """The one-time code of this start; there only while no password exists."""


@asynccontextmanager
async def served(house: House, hints: HintSource, serving: Serving) -> AsyncIterator[Served]:
    """Listen for the length of a block. Raises `CannotListenError`; at the end nothing new is accepted any more."""
    absent = await house.passwords.state() is PasswordFile.ABSENT
    code = one_time_code() if absent else None
    desk = desk_for(house, hints, SetupCode(code=code), serving.trusted_origins)
    runner = web.AppRunner(application(desk), access_log=None, handle_signals=False, shutdown_timeout=DRAINED)
    await runner.setup()
    listeners: list[asyncio.Server] = []
    try:
        sockets = await bind(serving.listen)
        for taken in sockets:
            listeners += [await _listening(runner, taken, serving.certificate)]
        yield Served(
            desk=desk, url=url_of(serving.listen, sockets[0], secure=serving.certificate is not None), code=code
        )
    finally:
        for listener in listeners:
            listener.close()
        await runner.cleanup()


async def _listening(runner: web.AppRunner, taken: socket.socket, certificate: ssl.SSLContext | None) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    return await loop.create_server(connections_of(runner), sock=taken, ssl=certificate)


def asked_to_end() -> asyncio.Event:
    """Give an event that SIGTERM and Ctrl-C set. A second one changes nothing: commits are still made durable."""
    asked = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    return asked


def one_time_code() -> str:
    """Make a code that a person can read off a terminal and type: two groups of five, some 48 bits."""
    letters = [secrets.choice(LETTERS) for _ in range(10)]
    return f"{''.join(letters[:5])}-{''.join(letters[5:])}"


def certificate_of(certificate: Path, key: Path) -> ssl.SSLContext:
    """Load a certificate chain with its key. Raises `OSError` or `ssl.SSLError`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    return context
