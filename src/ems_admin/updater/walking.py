"""One walk over the records of a site, by the hand of its engine."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from datetime import datetime
from typing import Any, Final

import structlog
from attrs import frozen

from ems_admin.builds.identity import own_identity
from ems_admin.composition.options import Options
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.replacement.walking import Heading, way_on
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.ports.replacement import Mover
from ems_admin.workflows.replacement.updating import Updating, WalkEnd
from ems_admin.workflows.replacement.walking import walk

_log: Final = structlog.get_logger(__name__)


@frozen
class WalkOf:
    """Which walk: of one attempt to replace the Admin of a site."""

    operation_id: str
    attempt: int


def open_attempt(options: Options) -> WalkOf | None:
    """Name the attempt whose walk is not over; `None` when there is none. Blocking."""
    run = open_walk(SiteFiles(admin_data=options.admin_data))
    return None if run is None else WalkOf(run.operation_id, run.attempt)


def open_walk(files: SiteFiles) -> Run | None:
    """Read the walk that is not over. Blocking."""
    reading = files.run.look()
    if isinstance(reading, Present) and way_on(reading.record).heading is not Heading.OUT:
        return reading.record
    return None


def updating_of(journal: JournalFile, which: WalkOf, mover: Mover, *, built_at: datetime | None = None) -> Updating:
    """Put together what a walk goes by: the records beside a journal, and the hand of their engine."""
    files = SiteFiles(admin_data=journal.admin_data)
    records = authorities(files, journal=journal, events=Hints(), warn=lambda code: _log.warning("warning", code=code))
    return Updating(
        operation_id=which.operation_id,
        attempt=which.attempt,
        run=records.run,
        dispatch=records.dispatch,
        transition=records.transition,
        mover=mover,
        clock=HostClock(),
        built_at=built_at,
    )


async def walk_on(options: Options, which: WalkOf, mover: Mover) -> WalkEnd:
    """Walk an attempt from where it stands to its end."""
    own = await asyncio.to_thread(own_identity)
    journal = JournalFile(admin_data=options.admin_data, clock=HostClock())
    try:
        end = await walk(updating_of(journal, which, mover, built_at=own.built_at if own else None))
    finally:
        await journal.settled()
    _log.info("the walk is over", end=end)
    return end


async def until_asked_to_end(walking: Coroutine[Any, Any, WalkEnd]) -> WalkEnd | None:
    """Walk; asked to end by SIGTERM or Ctrl-C stop where it is and give `None`: the next entry goes on from there."""
    task = asyncio.create_task(walking)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        return None
