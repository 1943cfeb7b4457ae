"""One site, opened: the public facade for importers, composed of every layer but the transport and the command line.

async with Site.open(Path("/srv/ems")) as site:
    view = await site.inspect()
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog
from attrs import frozen

from ems_admin.builds.own_program import keep_own_program
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.composition.options import Options as Options  # noqa: PLC0414  # a public name
from ems_admin.composition.parts import Composed, compose
from ems_admin.docker.own_container import own_container_id
from ems_admin.library.acting import Acting
from ems_admin.library.looking import Looking
from ems_admin.machines.records.installed import EngineKind
from ems_admin.native.replacement.incumbent import Reachable
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock, OwnedTasks
from ems_admin.stores.leftovers import clear_leftovers
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import SiteOwner, site_lock
from ems_admin.workflows.alignment.watch import keep_watch
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError as RefusalError  # noqa: PLC0414  # a public name
from ems_admin.workflows.revive import revive
from ems_admin.workflows.startup import start_up

CLOSING: Final = timedelta(seconds=20)
"""How long work that is under way may take to end when the site is closed."""
ASKED_AGAIN: Final = timedelta(seconds=10)
"""Between two start-up checks while one has not passed."""

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True, eq=False)
class Site(Acting):
    """An open site. It owns the site lock as long as it is open."""

    parts: Composed
    options: Options

    @property
    def hints(self) -> Hints:
        """What tells open pages that something has changed."""
        return self.parts.hints

    @property
    def tasks(self) -> OwnedTasks:
        """The owner of all that runs."""
        return self.parts.tasks

    @property
    def reachable(self) -> Reachable:
        """Whoever serves this site says here where: only an Admin that is reached can be replaced."""
        return self.parts.reachable

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
            runtime = RuntimeFile(install_root=options.install_root, clock=clock)
            await clear_leftovers(options.install_root, options.admin_data, runtime)
            site = _opened(options, await compose(options, files, clock, instance))
            await start_up(site.house)
            site.tell_of_startup()
            site.tasks.start("start-up check", _until_passed(site.house))
            site.tasks.start("look at the replacement", keep_watch(site.house))
            try:
                yield site
            finally:
                await site.tasks.close(CLOSING)
                await site.parts.journal.settled()

    @classmethod
    @asynccontextmanager
    async def taken(cls, options: Options) -> AsyncIterator[Site]:
        """Take the site for one act, and start nothing of it. Raises `RefusalError` with `site_locked`."""
        files, clock = SiteFiles(admin_data=options.admin_data), HostClock()
        await asyncio.to_thread(files.prepare)
        with sole_owner(options, clock) as instance:
            site = _opened(options, await compose(options, files, clock, instance))
            try:
                yield site
            finally:
                await site.parts.journal.settled()

    @classmethod
    async def looked_at(cls, options: Options | Path) -> Looking:
        """Give a site for reading alone: nothing is locked or written, and its Admin may well be running."""
        if isinstance(options, Path):
            options = Options.at(options)
        parts = await compose(options, SiteFiles(admin_data=options.admin_data), HostClock(), instance="")
        return Looking(house=parts.house)

    def tell_of_startup(self) -> None:
        """Log why nothing can be changed yet. The console says it as well; whoever looks at the log sees it first."""
        startup = self.house.startup
        if not startup.passed:
            _log.error("the start-up check has not passed", by=startup.failed_by, at=startup.failed_at)

    async def keep_own_program(self) -> None:
        """Keep this Admin's own program among those of the site: without it there is no way back from a replacement.

        An image is kept by its container. What keeps it from that is logged, and the replacement is refused later.
        """
        own, place = self.house.own, self.options.place
        if own is None or self.options.engine is not EngineKind.NATIVE:
            return
        try:
            await asyncio.to_thread(keep_own_program, place.programs, place.releases, own)
        except (OSError, BuildRefusedError) as error:
            _log.warning("this Admin's own program cannot be kept", build=own.build_id, why=str(error))


def _opened(options: Options, parts: Composed) -> Site:
    return Site(house=parts.house, parts=parts, options=options)


@contextmanager
def sole_owner(options: Options, clock: HostClock) -> Iterator[str]:
    """Own the site for a block, under a new instance id. Raises `RefusalError` with `site_locked`."""
    owner = SiteOwner(
        instance=secrets.token_hex(8),
        container=own_container_id(),
        process=os.getpid(),
        started_at=clock.now(),
    )
    with site_lock(options.admin_data, owner):
        yield owner.instance


async def _until_passed(house: House) -> None:
    """Ask again until the check has passed: once the cause is mended, no restart is needed. Then start what is down."""
    while not house.startup.passed:
        await house.clock.sleep(ASKED_AGAIN)
        await start_up(house)
    await revive(house)
