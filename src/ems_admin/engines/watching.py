"""Watching over a time, whatever is watched. Source: `site.md` 8; `faults.md` F22."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.running import Clock

POLL: Final = timedelta(milliseconds=200)


async def stays(
    look: Callable[[], Awaitable[EngineFailure | None]], *, window: timedelta, clock: Clock, report: Report
) -> Done | EngineFailure:
    """Look again and again for `window`, reporting `settle`; the first failure that is seen ends it."""
    begin, length = clock.boottime(), window.total_seconds()
    while (passed := clock.boottime() - begin) < length:
        report(Progress(step="settle", percent=int(100 * passed / length)))
        await clock.sleep(min(POLL, window))
        if failure := await look():
            return failure
    report(Progress(step="settle", percent=100))
    return Done()


async def comes_true(ask: Callable[[], Awaitable[bool]], *, limit: timedelta, clock: Clock) -> bool:
    """Ask at least once, and until it is so or its time is over."""
    deadline = clock.boottime() + limit.total_seconds()
    while not await ask():
        if clock.boottime() >= deadline:
            return False
        await clock.sleep(POLL)
    return True
