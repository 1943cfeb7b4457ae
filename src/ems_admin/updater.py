"""Finishing the replacement of an Admin, in whichever process does it: its updater, or whoever starts the site next.

The site lock is not taken here: whoever walks lets one Admin go and another one come. What is held instead is the lock
of the updater. Source: `replacement.md` 7.4, 7.8.
"""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from attrs import frozen

from ems_admin.builds.identity import PACKAGE, own_identity
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.replacement.walking import Heading, way_on
from ems_admin.native import updater_locks
from ems_admin.native.place import Place
from ems_admin.native.processes import Processes
from ems_admin.native.replacement import incumbent
from ems_admin.native.replacement.admins import POLL, Admins, Limits, Role
from ems_admin.native.replacement.entrance import Entry, entry, was_started_by_updater
from ems_admin.native.replacement.mover import NativeMover
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.native.updater_locks import UpdaterLock
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import site_owner
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.replacement.updating import Updating, WalkEnd
from ems_admin.workflows.replacement.walking import walk

PATIENCE: Final = timedelta(minutes=5)
"""How long whoever starts a site lets an open walk keep it from serving."""
STABLE: Final = Limits().stable

_log: Final = structlog.get_logger(__name__)


@frozen
class Attempt:
    """One attempt to replace the Admin of a site."""

    operation_id: str
    attempt: int


async def update(place: Place, which: Attempt, lock: UpdaterLock, *, stable: timedelta) -> WalkEnd | None:
    """Walk an attempt to its end, with its lock held all the while.

    Asked to end by SIGTERM or Ctrl-C it stops where it is and gives `None`: the next entry goes on from there.
    """
    walking = asyncio.create_task(_walk(place, which, stable))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, walking.cancel)
    try:
        return await walking
    except asyncio.CancelledError:
        return None
    finally:
        lock.release()


def take_turn(place: Place, which: Attempt) -> UpdaterLock | None:
    """Become the updater of an attempt; `None` when one lives already. Raises `OSError`."""
    return updater_locks.take(place.state, which.operation_id, which.attempt)


def open_attempt(place: Place) -> Attempt | None:
    """Name the attempt whose walk is not over; `None` when there is none. Blocking."""
    run = _open_run(SiteFiles(admin_data=place.admin_data))
    return None if run is None else Attempt(run.operation_id, run.attempt)


async def enter(place: Place, *, stable: timedelta) -> Entry:
    """Finish what an updater has left open, or wait until a living one has switched; then say which program to run."""
    if was_started_by_updater(place, os.environ):
        return Entry(marks={})
    files = SiteFiles(admin_data=place.admin_data)
    run = _open_run(files)
    awaited = None if run is None else await _see_through(place, files, run, stable)
    return await asyncio.to_thread(entry, place, files.current_admin.look(), PACKAGE, awaited=awaited)


async def _see_through(place: Place, files: SiteFiles, run: Run, stable: timedelta) -> Run | None:
    """Walk on with the lock that nobody holds; or wait for U7 of whoever holds it, and give that walk.

    The Admin that the walk has started is stopped again, for whoever entered runs in its place: under the lock still,
    so that a demo which ends now leaves its EMS alone.
    """
    clock, which = HostClock(), Attempt(run.operation_id, run.attempt)
    while (lock := take_turn(place, which)) is None:
        pointer = files.current_admin.look()
        if isinstance(pointer, Present) and pointer.record.operation_id == run.operation_id:
            return run
        await clock.sleep(POLL)
    _log.warning("an updater has left its walk; it is finished first", step=run.step, entries=run.entries)
    try:
        await _walk_within_limits(place, which, stable)
        admins = admins_of(place, clock)
        for role in (Role.SUCCESSOR, Role.PREDECESSOR):
            await admins.end(admins.mark(role, run.operation_id, run.attempt))
    finally:
        lock.release()
    return None


async def _walk_within_limits(place: Place, which: Attempt, stable: timedelta) -> None:
    """Walk on for a while. Whatever stands in the way, such as a full disk, an Admin that serves can show."""
    try:
        async with asyncio.timeout(PATIENCE.total_seconds()):
            await _walk(place, which, stable)
    except TimeoutError:
        _log.error("the walk cannot be finished now; the site is served all the same")


def _open_run(files: SiteFiles) -> Run | None:
    reading = files.run.look()
    if isinstance(reading, Present) and way_on(reading.record).heading is not Heading.OUT:
        return reading.record
    return None


async def _walk(place: Place, which: Attempt, stable: timedelta) -> WalkEnd:
    files, clock, hints = SiteFiles(admin_data=place.admin_data), HostClock(), Hints()
    own = await asyncio.to_thread(own_identity)
    journal = JournalFile(admin_data=place.admin_data, clock=clock)
    records = authorities(files, journal=journal, events=hints, warn=lambda code: _log.warning("warning", code=code))
    mover = NativeMover(
        admins=admins_of(place, clock, stable=stable),
        pointer=Pointer(store=files.current_admin, clock=clock),
        told=incumbent.told(place.state, which.operation_id, which.attempt),
    )
    updating = Updating(
        operation_id=which.operation_id,
        attempt=which.attempt,
        run=records.run,
        dispatch=records.dispatch,
        transition=records.transition,
        mover=mover,
        clock=clock,
        built_at=own.built_at if own else None,
    )
    try:
        end = await walk(updating)
    finally:
        await journal.settled()
    _log.info("the walk is over", end=end)
    return end


def admins_of(place: Place, clock: HostClock, *, stable: timedelta = STABLE) -> Admins:
    """Give the processes of a site's Admins; `stable` is how long a new one has to stay well."""
    processes = Processes(clock=clock, proc=place.proc)
    owner = partial(_owner, place.admin_data)
    return Admins(place=place, processes=processes, clock=clock, owner=owner, limits=Limits(stable=stable))


def _owner(admin_data: Path) -> int | None:
    owner = site_owner(admin_data)
    process = owner.get("process") if owner else None
    if owner and not isinstance(process, int):
        raise OSError("the owner of the site has not signed yet")
    return process if isinstance(process, int) else None
