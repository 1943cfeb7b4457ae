"""The console's read model against a bare handler that answers as many bytes.

Both are asked by one client over kept connections, in one event loop, on loopback. Ours is the whole way: session,
origin, every record read, every view worked out, encoded. Bare is an aiohttp handler that encodes a finished value.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, CookieJar, web
from attrs import frozen

from ems_admin.http.listening import listen_of
from ems_admin.http.serving import Serving, served
from ems_admin.site import Options, Site
from tests.bench.pairs import Compared, in_turns

ROUNDS: Final = 400
PASSWORD: Final = "a roof full of sun"
READ_MODEL: Final = "/api/admin/console"


@frozen(kw_only=True)
class Pages:
    """What reading costs."""

    compared: Compared
    answer_bytes: int


async def measure(root: Path) -> Pages:
    """Serve a site with a Guided Setup under way below `root`, and read it."""
    options = Options(install_root=root, admin_data=root / "admin")
    async with (
        Site.open(options) as site,
        served(site.house, site.hints, Serving(listen=listen_of("127.0.0.1:0"))) as server,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as client,
    ):
        await begin(client, server.url)
        model = await read(client, server.url + READ_MODEL)
        async with bare(json.loads(model)) as url:
            assert len(await read(client, url)) == len(model)
            ours = partial(read, client, server.url + READ_MODEL)
            compared = await in_turns(ours, partial(read, client, url), rounds=ROUNDS)
    return Pages(compared=compared, answer_bytes=len(model))


async def begin(client: ClientSession, url: str) -> None:
    """Be the first visitor and begin a Guided Setup, so that there is something to read."""
    person = {"password": PASSWORD, "confirm_password": PASSWORD}
    async with client.post(f"{url}/api/admin/auth/setup", json=person) as answer:
        headers = {"X-CSRF-Token": (await answer.json())["csrf_token"]}
    async with client.post(f"{url}/api/admin/start-path", json={"choice": "setup_new"}, headers=headers) as answer:
        assert (await answer.json())["ok"]


async def read(client: ClientSession, url: str) -> bytes:
    """Ask once and read the whole answer."""
    async with client.get(url) as answer:
        assert answer.status == 200
        return await answer.read()


@asynccontextmanager
async def bare(value: Any) -> AsyncIterator[str]:
    """Serve `value` with nothing around it, spelled as the Admin spells it."""

    async def answer(_request: web.Request) -> web.Response:
        return web.json_response(value, dumps=partial(json.dumps, ensure_ascii=False, separators=(",", ":")))

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()
