"""One site, opened: the public facade for importers, composed of every layer but the transport and the command line.

async with Site.open(Path("/srv/ems")) as site:
    view = await site.inspect()
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog
from attrs import frozen

from ems_admin.builds.identity import own_identity
from ems_admin.builds.own_program import keep_own_program
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import Source, embedded, source_at
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.native.engine import NativeEngine
from ems_admin.native.place import Place
from ems_admin.native.replacement.admins import STARTED_FOR
from ems_admin.native.replacement.incumbent import Reachable
from ems_admin.native.replacement.launcher import NativeLauncher
from ems_admin.native.replacement.mover import NativeMover
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.stores.config import ConfigFiles
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock, OwnedTasks, ProcessLocks, RandomIds
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.passwords import PasswordStore
from ems_admin.stores.recovery import RecoveryFolders
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import SiteOwner, site_lock
from ems_admin.updater import admins_of
from ems_admin.workflows.alignment.watch import keep_watch
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.house import House, Startup, Warnings
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Jobs
from ems_admin.workflows.lifecycle import LifecycleView, lifecycle_view
from ems_admin.workflows.revive import revive
from ems_admin.workflows.startup import start_up
from ems_admin.workflows.work import Arbiter

CLOSING: Final = timedelta(seconds=20)
"""How long work that is under way may take to end when the site is closed."""
ASKED_AGAIN: Final = timedelta(seconds=10)
"""Between two start-up checks while one has not passed."""
STACK_FILE: Final = "stack.json"
STABILITY: Final = timedelta(seconds=10)

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Options:
    """How a site is opened. Paths may be relative; `catalogue` is a folder or an address."""

    install_root: Path
    admin_data: Path
    catalogue: str | None = None
    stability: timedelta = STABILITY
    """How long what was started has to stay up before it counts as running."""
    puid: str | None = None
    pgid: str | None = None
    started_for: str | None = None

    @property
    def place(self) -> Place:
        """Where everything lies."""
        releases = self.admin_data / "releases"
        return Place(install_root=self.install_root, admin_data=self.admin_data, releases=releases)

    @classmethod
    def at(cls, install_root: Path, environment: Mapping[str, str] = os.environ, **more: object) -> Options:
        """Read what the environment says about a site (`EMS_ADMIN_DATA_DIR` and others)."""
        data = environment.get("EMS_ADMIN_DATA_DIR")
        fields = {"stability": _seconds(environment.get("EMS_ADMIN_STABILITY")), **more}
        return cls(
            install_root=install_root,
            admin_data=Path(data) if data else install_root / "admin",
            puid=environment.get("EMS_ADMIN_PUID"),
            pgid=environment.get("EMS_ADMIN_PGID"),
            started_for=environment.get(STARTED_FOR),
            **fields,  # type: ignore[arg-type]  # the remaining fields, checked by attrs
        )


@frozen(kw_only=True, eq=False)
class Site:
    """An open site. It owns the site lock as long as it is open."""

    house: House
    hints: Hints
    tasks: OwnedTasks
    journal: JournalFile
    place: Place
    reachable: Reachable
    """Whoever serves this site says here where: only an Admin that is reached can be replaced."""

    @classmethod
    @asynccontextmanager
    async def open(cls, options: Options | Path) -> AsyncIterator[Site]:
        """Take the site, reconcile what a cut left half done, and give it. Raises `RefusalError` with `site_locked`."""
        if isinstance(options, Path):
            options = Options.at(options)
        files = SiteFiles(admin_data=options.admin_data)
        await asyncio.to_thread(files.prepare)
        clock = HostClock()
        with sole_owner(options, clock) as instance:
            site = await _compose(options, files, clock, instance)
            await start_up(site.house)
            site.tasks.start("start-up check", _until_passed(site.house))
            site.tasks.start("look at the replacement", keep_watch(site.house))
            try:
                yield site
            finally:
                await site.tasks.close(CLOSING)
                await site.journal.settled()

    @classmethod
    @asynccontextmanager
    async def taken(cls, options: Options) -> AsyncIterator[Site]:
        """Take the site for one act, and start nothing of it. Raises `RefusalError` with `site_locked`."""
        files, clock = SiteFiles(admin_data=options.admin_data), HostClock()
        await asyncio.to_thread(files.prepare)
        with sole_owner(options, clock) as instance:
            site = await _compose(options, files, clock, instance)
            try:
                yield site
            finally:
                await site.journal.settled()

    @classmethod
    async def looked_at(cls, options: Options) -> Site:
        """Give a site for reading alone: nothing is locked or written, and its Admin may well be running."""
        return await _compose(options, SiteFiles(admin_data=options.admin_data), HostClock(), instance="")

    async def keep_own_program(self) -> None:
        """Keep this Admin's own program among those of the site: without it there is no way back from a replacement.

        What keeps it from that is logged, and the replacement is refused later.
        """
        own, place = self.house.own, self.place
        if own is None:
            return
        try:
            await asyncio.to_thread(keep_own_program, place.programs, place.releases, own)
        except (OSError, BuildRefusedError) as error:
            _log.warning("this Admin's own program cannot be kept", build=own.build_id, why=str(error))

    async def inspect(self) -> LifecycleView:
        """Say who owns the console, and in which state it is."""
        return await lifecycle_view(self.house)


@contextmanager
def sole_owner(options: Options, clock: HostClock) -> Iterator[str]:
    """Own the site for a block, under a new instance id. Raises `RefusalError` with `site_locked`."""
    owner = SiteOwner(
        instance=secrets.token_hex(8),
        container=os.environ.get("EMS_ADMIN_CONTAINER"),
        process=os.getpid(),
        started_at=clock.now(),
    )
    with site_lock(options.admin_data, owner):
        yield owner.instance


async def _compose(options: Options, files: SiteFiles, clock: HostClock, instance: str) -> Site:
    hints, tasks, ids = Hints(), OwnedTasks(), RandomIds()
    own = await asyncio.to_thread(own_identity)
    journal = JournalFile(admin_data=options.admin_data, clock=clock)
    warnings = Warnings(shown={})
    work = Arbiter(clock=clock, ids=ids, events=hints)
    place, reachable = options.place, Reachable()
    admins = admins_of(place, clock, stable=options.stability)
    pointer = Pointer(store=files.current_admin, clock=clock)
    house = House(
        instance_id=instance,
        started_at=clock.now(),
        own=own,
        records=authorities(files, journal=journal, events=hints, warn=warnings.show),
        config=ConfigFiles(install_root=options.install_root, admin_data=options.admin_data, clock=clock),
        setup_files=GeneratedFiles(files),
        recovery=RecoveryFolders(files=files),
        installation=InstallRoot(
            install_root=options.install_root,
            admin_data=options.admin_data,
            stack_file=STACK_FILE,
            puid=options.puid,
            pgid=options.pgid,
        ),
        passwords=PasswordStore(install_root=options.install_root, clock=clock),
        builds=ReleaseBuilds(sources=_sources(options, clock, own), releases=place.releases, own=own),
        engine=NativeEngine(place, files.native_services, clock=clock, ids=ids),
        launcher=NativeLauncher(admins=admins, pointer=pointer, own=own, reachable=reachable),
        mover=NativeMover(admins=admins, pointer=pointer, told=None),
        clock=clock,
        ids=ids,
        locks=ProcessLocks(),
        tasks=tasks,
        events=hints,
        journal=journal,
        work=work,
        intents=Intents(clock=clock, ids=ids, journal=journal, kept={}),
        jobs=Jobs(clock=clock, tasks=tasks, events=hints, work=work),
        warnings=warnings,
        startup=Startup(),
        stability=options.stability,
        started_for=options.started_for,
    )
    return Site(house=house, hints=hints, tasks=tasks, journal=journal, place=place, reachable=reachable)


def _seconds(text: str | None) -> timedelta:
    """Read a number of seconds; what is none counts for nothing."""
    try:
        return timedelta(seconds=float(text)) if text else STABILITY
    except (ValueError, OverflowError):
        return STABILITY


def _sources(options: Options, clock: HostClock, own: OwnIdentity | None) -> tuple[Source, ...]:
    if options.catalogue is None:
        return embedded()
    built_at = own.built_at if own else None
    return (source_at(options.catalogue, now=clock.now, not_before=built_at), *embedded())


async def _until_passed(house: House) -> None:
    """Ask again until the check has passed: once the cause is mended, no restart is needed. Then start what is down."""
    while not house.startup.passed:
        await house.clock.sleep(ASKED_AGAIN)
        await start_up(house)
    await revive(house)
