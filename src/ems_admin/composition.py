"""What a site is made of: every port with the adapter that stands behind it.

Composed here alone, whoever then owns the site or only looks at it. Source: DESIGN 1.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.builds.identity import own_identity
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
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.updater import admins_of
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.house import House, Startup, Warnings
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Jobs
from ems_admin.workflows.work import Arbiter

STACK_FILE: Final = "stack.json"
STABILITY: Final = timedelta(seconds=10)


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
class Composed:
    """A site in one piece, and those of its parts that have to be brought to an end."""

    house: House
    hints: Hints
    tasks: OwnedTasks
    journal: JournalFile
    reachable: Reachable


async def compose(options: Options, files: SiteFiles, clock: HostClock, instance: str) -> Composed:
    """Compose a site for the process called `instance`. Touches nothing of it."""
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
        runtime=RuntimeFile(install_root=options.install_root, clock=clock),
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
        mover=NativeMover(admins=admins, pointer=pointer, told=None, own=own.digest if own else None),
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
    return Composed(house=house, hints=hints, tasks=tasks, journal=journal, reachable=reachable)


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
