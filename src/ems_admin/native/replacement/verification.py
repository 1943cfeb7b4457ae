"""Whether a new Admin is whole, seen from outside as people see it, and stays so.

Source: `replacement.md` 7.4 (U9); `http.md` 5.4 (health); `faults.md` F22, F26.
"""

from __future__ import annotations

import asyncio

from attrs import frozen

from ems_admin.engines.admin_health import ExpectedAdmin, fault, page_is_whole
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Transition
from ems_admin.native import logs
from ems_admin.native.processes import Identity, Unaskable
from ems_admin.native.replacement.admins import LINES, LOG, POLL, Admins
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence, Verification


@frozen(kw_only=True)
class Expected:
    """What has to be seen: who, where, and started for what."""

    mark: str
    url: str
    admin: ExpectedAdmin


def expected(transition: Transition, *, mark: str, url: str, started_for: str) -> Expected:
    """Name the target of an operation."""
    admin = ExpectedAdmin(build_id=transition.build_id, revision=transition.revision, started_for=started_for)
    return Expected(mark=mark, url=url, admin=admin)


async def verify(admins: Admins, wanted: Expected) -> Verification | EngineFailure | Silence:
    """Wait until it is well, then watch that it is the same process and stays well; then load its page."""
    clock, limits = admins.clock, admins.limits
    try:
        patience = clock.boottime() + limits.well.total_seconds()
        while found := await _fault(admins, wanted):
            if clock.boottime() >= patience or await _find(admins, wanted) is None:
                return _unhealthy(admins, found)
            await clock.sleep(POLL)
        first = await _find(admins, wanted)
        end = clock.boottime() + limits.stable.total_seconds()
        while clock.boottime() < end:
            await clock.sleep(min(POLL, limits.stable))
            if first is None or await _find(admins, wanted) != first:
                return _unhealthy(admins, "process")
            if found := await _fault(admins, wanted):
                return _unhealthy(admins, found)
        if not await page_is_whole(wanted.url):
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
    return await fault(wanted.url, wanted.admin)


def _unhealthy(admins: Admins, what: str) -> EngineFailure:
    message = "\n".join(logs.last_words(admins.place.log(LOG), LINES)) or None
    return EngineFailure(code=Code.HEALTHCHECK_FAILED, detail=what, message=message)
