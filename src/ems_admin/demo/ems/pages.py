"""What the EMS serves: its health, its dashboard, and the numbers that the dashboard draws."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from .control import Moment
from .house import solar
from .running import SAMPLE, Ems
from .runtime_state import SWITCHES, LockedError, UnreadableError

STATIC = Path(__file__).with_name("static")
EMS = web.AppKey("ems", Ems)
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BODY_LIMIT = 4096
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give every answer the headers that keep a page to itself."""
    try:
        answer = await handler(request)
    except web.HTTPException as refused:
        refused.headers.update(HEADERS)
        raise
    answer.headers.update(HEADERS)
    return answer


async def health(request: web.Request) -> web.Response:
    """Say whether this EMS is well: 200, else 503."""
    well, told = request.app[EMS].health()
    return web.json_response(told, status=200 if well else 503)


async def page(request: web.Request) -> web.StreamResponse:
    """Serve the dashboard, where it is switched on."""
    if not request.app[EMS].config.features.dashboard:
        raise web.HTTPNotFound(text="The dashboard is switched off in the configuration.\n")
    return web.FileResponse(STATIC / "index.html")


async def live(request: web.Request) -> web.Response:
    """Give this moment, and everything that stands around the chart."""
    ems = request.app[EMS]
    now = ems.now
    well, _ = ems.health()
    return web.json_response(
        {
            **row(now),
            "healthy": well,
            "build": {"system_tag": ems.build.system_tag, "build_id": ems.build.build_id},
            "interval_seconds": ems.limits.loop_interval_seconds,
            "batteries": [
                {"name": cell.battery.name, "watts": cell.power, "soc": cell.soc, "kwh": cell.battery.capacity}
                for cell in now.cells
            ],
            "inverters": [
                {"name": inverter.name, "watts": solar(now.at, inverter.max_power)} for inverter in ems.config.inverters
            ],
            "energies": ems.energies(),
            "switches": {
                "system.dry_run": ems.limits.dry_run,
                "features.winter_mode": ems.limits.winter_mode,
            },
            "history": ems.config.features.history,
        }
    )


async def day(request: web.Request) -> web.Response:
    """Give today: what was, and what is expected."""
    ems = request.app[EMS]
    if not ems.config.features.history:
        raise web.HTTPNotFound(text="The history is switched off in the configuration.\n")
    return web.json_response(
        {
            "step_seconds": SAMPLE.total_seconds(),
            "past": [row(moment) for moment in (*ems.today, ems.now)],
            "forecast": [row(moment) for moment in ems.forecast],
        }
    )


async def recent(request: web.Request) -> web.Response:
    """Give the last minutes, step by step."""
    return web.json_response({"past": [row(moment) for moment in request.app[EMS].recent]})


async def override(request: web.Request) -> web.Response:
    """Change a switch while the EMS runs. Only this dashboard may ask: no other page can send JSON here."""
    origin = request.headers.get("Origin")
    if request.content_type != "application/json" or (origin and urlsplit(origin).netloc != request.host):
        raise web.HTTPForbidden(text="Only the dashboard itself may change a switch.\n")
    try:
        wanted = await request.json()
    except ValueError as error:
        raise web.HTTPBadRequest(text="Send a JSON object.\n") from error
    if not isinstance(wanted, dict) or not wanted or not set(wanted) <= SWITCHES:
        raise web.HTTPBadRequest(text="Name a switch.\n")
    if not all(isinstance(value, bool) for value in wanted.values()):
        raise web.HTTPBadRequest(text="A switch is on or off.\n")
    ems = request.app[EMS]
    try:
        await asyncio.to_thread(ems.state.change, wanted)
    except (UnreadableError, LockedError, OSError) as error:
        raise web.HTTPConflict(text="The runtime state cannot be changed now.\n") from error
    ems.converge()
    ems.look_ahead()
    return await live(request)


def row(moment: Moment) -> dict[str, Any]:
    """Give one moment in whole watts."""
    return {
        "at": moment.at.isoformat(timespec="seconds"),
        "house": round(moment.house),
        "solar": round(moment.solar),
        "battery": round(moment.battery),
        "grid": round(moment.grid),
        "soc": None if moment.soc is None else round(moment.soc, 1),
    }


def site(ems: Ems) -> web.Application:
    """Put the pages of an EMS together."""
    app = web.Application(middlewares=[guarded], client_max_size=BODY_LIMIT)
    app[EMS] = ems
    app.router.add_get("/health", health)
    app.router.add_get("/", page)
    app.router.add_get("/api/live", live)
    app.router.add_get("/api/day", day)
    app.router.add_get("/api/recent", recent)
    app.router.add_post("/api/overrides", override)
    app.router.add_static("/assets", STATIC)
    return app
