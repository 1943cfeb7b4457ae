"""The updater as a process of the host, and whoever starts a site that an updater has left.

Source: `replacement.md` 7.8.
"""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from typing import Final

import structlog

from ems_admin.builds.identity import PACKAGE
from ems_admin.composition.native import admins_of
from ems_admin.composition.options import Options
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run
from ems_admin.native import updater_locks
from ems_admin.native.replacement import incumbent
from ems_admin.native.replacement.admins import POLL, Role
from ems_admin.native.replacement.entrance import Entry, entry, was_started_by_updater
from ems_admin.native.replacement.mover import NativeMover
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.native.updater_locks import UpdaterLock
from ems_admin.stores.host import HostClock
from ems_admin.stores.site_files import SiteFiles
from ems_admin.updater.walking import WalkOf, open_walk, until_asked_to_end, walk_on
from ems_admin.workflows.replacement.updating import WalkEnd

PATIENCE: Final = timedelta(minutes=5)
"""How long whoever starts a site lets an open walk keep it from serving."""

_log: Final = structlog.get_logger(__name__)


async def update(options: Options, which: WalkOf, lock: UpdaterLock) -> WalkEnd | None:
    """Walk an attempt to its end, with its lock held all the while; `None` when it was asked to stop where it is."""
    try:
        return await until_asked_to_end(_walk(options, which))
    finally:
        lock.release()


def take_turn(options: Options, which: WalkOf) -> UpdaterLock | None:
    """Become the updater of an attempt; `None` when one lives already. Raises `OSError`."""
    return updater_locks.take(options.place.state, which.operation_id, which.attempt)


async def enter(options: Options) -> Entry:
    """Finish what an updater has left open, or wait until a living one has switched; then say which program to run."""
    place = options.place
    if was_started_by_updater(place, os.environ):
        return Entry(marks={})
    files = SiteFiles(admin_data=options.admin_data)
    run = open_walk(files)
    awaited = None if run is None else await _see_through(options, files, run)
    return await asyncio.to_thread(entry, place, files.current_admin.look(), PACKAGE, awaited=awaited)


async def _see_through(options: Options, files: SiteFiles, run: Run) -> Run | None:
    """Walk on with the lock that nobody holds; or wait for U7 of whoever holds it, and give that walk.

    The Admin that the walk has started is stopped again, for whoever entered runs in its place: under the lock still,
    so that a demo which ends now leaves its EMS alone.
    """
    clock, which = HostClock(), WalkOf(run.operation_id, run.attempt)
    while (lock := take_turn(options, which)) is None:
        pointer = files.current_admin.look()
        if isinstance(pointer, Present) and pointer.record.operation_id == run.operation_id:
            return run
        await clock.sleep(POLL)
    _log.warning("an updater has left its walk; it is finished first", step=run.step, entries=run.entries)
    try:
        await _walk_within_limits(options, which)
        admins = admins_of(options.place, clock)
        for role in (Role.SUCCESSOR, Role.PREDECESSOR):
            await admins.end(admins.mark(role, run.operation_id, run.attempt))
    finally:
        lock.release()
    return None


async def _walk_within_limits(options: Options, which: WalkOf) -> None:
    """Walk on for a while. Whatever stands in the way, such as a full disk, an Admin that serves can show."""
    try:
        async with asyncio.timeout(PATIENCE.total_seconds()):
            await _walk(options, which)
    except TimeoutError:
        _log.error("the walk cannot be finished now; the site is served all the same")


async def _walk(options: Options, which: WalkOf) -> WalkEnd:
    files, clock = SiteFiles(admin_data=options.admin_data), HostClock()
    mover = NativeMover(
        admins=admins_of(options.place, clock, stable=options.stability),
        pointer=Pointer(store=files.current_admin, clock=clock),
        told=incumbent.told(options.place.state, which.operation_id, which.attempt),
    )
    return await walk_on(options, which, mover)
