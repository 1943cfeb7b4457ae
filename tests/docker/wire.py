"""A wire between a client and an engine, on which a request fails when a test wants it: before it has landed, or after.

The engine is real, and so is what it does; only what the client gets to hear of it is chosen.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import web
from attrs import define, field, frozen

HOP: Final = frozenset({"transfer-encoding", "content-length", "connection", "content-encoding"})


@frozen(kw_only=True)
class Fault:
    """What one request meets. It is forwarded unless it is refused."""

    method: str
    path: str
    """A regular expression, searched in the path behind the version."""
    before: Callable[[], Awaitable[object]] | None = None
    """Done before the request is forwarded."""
    meanwhile: Callable[[], Awaitable[object]] | None = None
    """Done while the engine works on it; the answer is lost."""
    refused: tuple[int, str] | None = None
    """Answered in the place of the engine, which hears nothing of it."""
    silenced: bool = False
    """The engine acts, and its answer is lost."""
    times: int = 1

    @property
    def is_lost(self) -> bool:
        return self.silenced or self.meanwhile is not None


@define
class Wire:
    """One wire. Mutable: it has faults, and counts what went over it."""

    engine: Path
    socket: Path
    faults: list[Fault] = field(factory=list)
    sent: list[str] = field(factory=list)
    """`METHOD path` of every request that the engine has got."""

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def meets(self, fault: Fault) -> None:
        """Let the next requests of this kind meet a fault."""
        self.faults.extend([fault] * fault.times)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        fault = self._fault(request)
        if fault is not None and fault.before is not None:
            await fault.before()
        if fault is not None and fault.refused is not None:
            status, message = fault.refused
            return web.json_response({"message": message}, status=status)
        self.sent.append(f"{request.method} {request.path}")
        forwarding = asyncio.create_task(self._forward(request, lost=fault is not None and fault.is_lost))
        if fault is not None and fault.meanwhile is not None:
            await fault.meanwhile()
        return await forwarding or _cut(request)

    def _fault(self, request: web.Request) -> Fault | None:
        for fault in self.faults:
            if fault.method == request.method and re.search(fault.path, request.path):
                self.faults.remove(fault)
                return fault
        return None

    async def _forward(self, request: web.Request, *, lost: bool) -> web.StreamResponse | None:
        body = await request.read()
        kept = _kept(request.headers.items())
        connector = aiohttp.UnixConnector(str(self.engine))
        timeout = aiohttp.ClientTimeout(total=None)
        try:
            async with (
                aiohttp.ClientSession(connector=connector, timeout=timeout, auto_decompress=False) as session,
                session.request(request.method, f"http://engine{request.raw_path}", data=body, headers=kept) as answer,
            ):
                if lost:
                    await answer.read()
                    return None
                back = web.StreamResponse(status=answer.status, headers=_kept(answer.headers.items()))
                await back.prepare(request)
                async for piece in answer.content.iter_any():
                    await back.write(piece)
                await back.write_eof()
                return back
        except (aiohttp.ClientError, OSError):
            return None


def _kept(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in headers if name.lower() not in HOP}


def _cut(request: web.Request) -> web.StreamResponse:
    """Hang up: whoever has asked hears nothing."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


@contextlib.asynccontextmanager
async def a_wire(engine: Path, folder: Path) -> AsyncIterator[Wire]:
    """Lay a wire to an engine, in the loop that runs."""
    wire = Wire(engine, folder / "wire.sock")
    app = web.Application(client_max_size=2**30)
    app.router.add_route("*", "/{path:.*}", wire.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.UnixSite(runner, str(wire.socket)).start()
    try:
        yield wire
    finally:
        await runner.cleanup()
