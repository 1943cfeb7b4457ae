"""Hints for open pages as server-sent events: which topic has changed, and to which revision.

A stream is decoration: who misses one polls and loses nothing. Source: `http.md` 5.3 (events); `faults.md` F49.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final

from aiohttp import web
from aiohttp_sse import EventSourceResponse, sse_response

from ems_admin.http.desk import Desk
from ems_admin.http.sessions import Session

PING: Final = 15.0
"""Seconds between two signs of life, so that a proxy does not take the line for dead."""


async def stream(desk: Desk, session: Session | None, request: web.Request) -> web.StreamResponse:
    """Send hints until the page goes away, its session ends, or the server goes down."""
    async with sse_response(request, ping_interval=PING) as response, desk.hints.listening() as changed:
        told: Mapping[str, int] = {}
        while response.is_connected() and not desk.closing.is_set() and _is_living(desk, session):
            changed.clear()
            now = dict(desk.hints.revisions)
            await _tell(response, {topic: revision for topic, revision in now.items() if told.get(topic) != revision})
            told = now
            await _either(changed, desk.closing)
    return response


async def opens(desk: Desk) -> bool:
    """Prove that a stream would hear of a change: listen, change, and hear it."""
    async with desk.hints.listening() as changed:
        desk.house.events.publish("health")
        return changed.is_set()


def _is_living(desk: Desk, session: Session | None) -> bool:
    return session is not None and desk.sessions.find(session.id) is not None


async def _either(*events: asyncio.Event) -> None:
    """Wait for the first of these events, at most until the next sign of life."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=PING, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()


async def _tell(response: EventSourceResponse, revisions: Mapping[str, int]) -> None:
    for topic, revision in revisions.items():
        await response.send(json.dumps({"topic": topic, "revision": revision}))
