"""The way to the Docker daemon: one connection a question, and a limit on every one.

A daemon that cannot be asked is told apart from every answer it can give: the one raises `UnaskedError`, the other is
aiodocker's `DockerError`. Source: `site.md` 8 (engine codes); `faults.md` D1, F19.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import field, frozen

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.services import NotSeen

ANSWER: Final = timedelta(seconds=8)
"""For what only looks: a page waits for it, ten seconds at most."""
ACT: Final = timedelta(seconds=60)
"""For what creates, starts or removes one container."""
DEFAULT_SOCKET: Final = "unix:///var/run/docker.sock"
UNIX: Final = "unix://"
ANY_VERSION: Final = "auto"
"""Lets the client ask first which version the daemon speaks."""
NOT_FOUND: Final = 404
CONFLICT: Final = 409
NO_CONNECTION: Final = 900
"""What aiodocker gives in the place of a status when nobody answered."""


class UnaskedError(Exception):
    """The daemon gave no answer: nothing is concluded."""

    def __init__(self, code: Code) -> None:
        """Say by which code."""
        super().__init__(code)
        self.code = code

    @property
    def failure(self) -> EngineFailure:
        """Tell it where an act was asked for."""
        return EngineFailure(code=self.code)

    @property
    def unseen(self) -> NotSeen:
        """Tell it where somebody wanted to look."""
        return NotSeen(code=self.code)


class _Asked(Docker):
    """A client that keeps the two apart from the beginning: whoever handles `DockerError` handles an answer."""

    async def _do_query(self, *path: Any, **asked: Any) -> aiohttp.ClientResponse:
        try:
            return await super()._do_query(*path, **asked)
        except DockerError as error:
            if error.status != NO_CONNECTION:
                raise
            raise UnaskedError(_code_of(error)) from error


@frozen
class Daemon:
    """A daemon by its address, in the words of `DOCKER_HOST`. It holds no connection, so it survives every restart."""

    host: str = DEFAULT_SOCKET
    _spoken: dict[str, str] = field(factory=dict, init=False, eq=False, repr=False)
    """The version of its API, once it has said so, by the address. It is asked again after every silence: the daemon
    may have been replaced meanwhile."""

    @property
    def socket(self) -> Path | None:
        """Where its socket lies; `None` for one that is reached by network."""
        return Path(self.host.removeprefix(UNIX)) if self.host.startswith(UNIX) else None

    @asynccontextmanager
    async def asked(self, limit: timedelta = ANSWER) -> AsyncIterator[Docker]:
        """Connect for a block of questions, which together may take `limit`.

        Raises `UnaskedError` when no answer comes; what the daemon answers, also an error, is `DockerError`.
        """
        # Before the client is made: it looks for other sockets, and for none at all it fails in words of its own.
        if self.socket is not None and not _is_there(self.socket):
            self._spoken.clear()
            raise UnaskedError(Code.DOCKER_SOCKET_NOT_MOUNTED)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=ANSWER.total_seconds())
        version = self._spoken.get(self.host, ANY_VERSION)
        try:
            async with (
                asyncio.timeout(limit.total_seconds()),
                _Asked(url=self.host, timeout=timeout, api_version=version) as docker,
            ):
                yield docker
                self._spoken[self.host] = docker.api_version
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            self._spoken.clear()
            raise UnaskedError(_code_of(error)) from error
        except (UnaskedError, DockerError):
            self._spoken.clear()
            raise


def _is_there(socket: Path) -> bool:
    try:
        return socket.exists()
    except OSError:
        return True  # a folder on the way that may not be entered: the connection says which code


def _code_of(error: BaseException) -> Code:
    """Find what stood in the way below the words of the client."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PermissionError) or isinstance(getattr(cause, "os_error", None), PermissionError):
            return Code.DOCKER_PERMISSION_DENIED
        if isinstance(cause, FileNotFoundError):
            return Code.DOCKER_SOCKET_NOT_MOUNTED
        cause = cause.__cause__ or cause.__context__
    return Code.DOCKER_DAEMON_UNREACHABLE
