"""Whether a new Admin is whole, seen from outside as people see it, and stays so.

Source: `replacement.md` 7.4 (U9); `http.md` 5.4 (health); `faults.md` F22, F26.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any, Final

from attrs import frozen

from ems_admin.codec import TextError, parse
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Transition
from ems_admin.native import logs
from ems_admin.native.health import Answer, fetch, page_loads
from ems_admin.native.processes import Identity, Unaskable
from ems_admin.native.replacement.admins import HEALTH, LINES, LOG, POLL, Admins
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence, Verification

ANSWER: Final = timedelta(seconds=5)
OK: Final = "ok"


@frozen(kw_only=True)
class Expected:
    """What has to be seen: who, where, and started for what."""

    mark: str
    url: str
    build_id: str
    revision: str
    started_for: str


def expected(transition: Transition, *, mark: str, url: str, started_for: str) -> Expected:
    """Name the target of an operation."""
    return Expected(
        mark=mark, url=url, build_id=transition.build_id, revision=transition.revision, started_for=started_for
    )


async def verify(admins: Admins, wanted: Expected) -> Verification | EngineFailure | Silence:
    """Wait until it is well, then watch that it is the same process and stays well; then load its page."""
    clock, limits = admins.clock, admins.limits
    try:
        patience = clock.boottime() + limits.well.total_seconds()
        while fault := await _fault(admins, wanted):
            if clock.boottime() >= patience or await _find(admins, wanted) is None:
                return _unhealthy(admins, fault)
            await clock.sleep(POLL)
        first = await _find(admins, wanted)
        end = clock.boottime() + limits.stable.total_seconds()
        while clock.boottime() < end:
            await clock.sleep(min(POLL, limits.stable))
            if first is None or await _find(admins, wanted) != first:
                return _unhealthy(admins, "process")
            if fault := await _fault(admins, wanted):
                return _unhealthy(admins, fault)
        if await page_loads(f"{wanted.url}/", ANSWER) is not Answer.WELL:
            return _unhealthy(admins, "page")
    except Unaskable:
        return Silence()
    # A native Admin has one address: where people reach it is where it listens.
    return Verification(published=True)


async def _find(admins: Admins, wanted: Expected) -> Identity | None:
    return await asyncio.to_thread(admins.find, wanted.mark)


async def _fault(admins: Admins, wanted: Expected) -> str | None:
    """Ask once, and name the first thing that is not as it has to be."""
    if await _find(admins, wanted) is None:
        return "process"
    answer, body = await fetch(wanted.url + HEALTH, ANSWER)
    if answer is not Answer.WELL:
        return answer.value
    try:
        said: Any = parse(body)
    except TextError:
        return "health"
    if not isinstance(said, dict) or not isinstance(said.get("checks"), dict):
        return "health"
    for name, value in said["checks"].items():
        if value != OK:
            return str(name)
    words = ("build_id", "revision", "started_for")
    return next((word for word in words if said.get(word) != getattr(wanted, word)), None)


def _unhealthy(admins: Admins, fault: str) -> EngineFailure:
    message = "\n".join(logs.last_words(admins.place.log(LOG), LINES)) or None
    return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail=fault, message=message)
