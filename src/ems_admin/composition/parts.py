"""A site put together: the stores, the builds, one engine, and the workflows' own parts. Source: DESIGN 1."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import frozen

from ems_admin.builds.identity import own_identity
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import Source, embedded, source_at
from ems_admin.composition.machinery import Machinery
from ems_admin.composition.native import native_machinery
from ems_admin.composition.options import Options
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.installed import EngineKind
from ems_admin.native.replacement.incumbent import Reachable
from ems_admin.stores.backups import BackupFiles
from ems_admin.stores.config import ConfigFiles
from ems_admin.stores.config_history import ConfigHistoryFiles
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock, OwnedTasks, ProcessLocks, RandomIds
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.passwords import PasswordStore
from ems_admin.stores.recovery import RecoveryFolders
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.house import House, Startup, Warnings
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Jobs
from ems_admin.workflows.work import Arbiter

STACK_FILES: Final = {EngineKind.NATIVE: "stack.json", EngineKind.DOCKER: "docker-compose.yml"}


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
    reachable = Reachable()
    installation = InstallRoot(
        install_root=options.install_root,
        admin_data=options.admin_data,
        stack_file=STACK_FILES[options.engine],
        puid=options.puid,
        pgid=options.pgid,
    )
    machinery = _machinery(options, files, installation, clock, own=own, reachable=reachable)
    await machinery.identity.learn()
    # A container brings its packages along; a program takes those of this interpreter.
    requires = own.requires if own and options.engine is EngineKind.NATIVE else None
    house = House(
        instance_id=instance,
        started_at=clock.now(),
        identity=machinery.identity,
        records=authorities(files, journal=journal, events=hints, warn=warnings.show),
        config=ConfigFiles(install_root=options.install_root, admin_data=options.admin_data, clock=clock),
        history=ConfigHistoryFiles(admin_data=options.admin_data, clock=clock),
        runtime=RuntimeFile(install_root=options.install_root, clock=clock),
        setup_files=GeneratedFiles(files),
        recovery=RecoveryFolders(files=files),
        backups=BackupFiles(files=files, install_root=options.install_root),
        installation=installation,
        passwords=PasswordStore(install_root=options.install_root, clock=clock),
        builds=ReleaseBuilds(sources=_sources(options, clock, own), releases=options.releases, requires=requires),
        engine=machinery.engine,
        launcher=machinery.launcher,
        mover=machinery.mover,
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


def _machinery(  # noqa: PLR0913  # what either engine is made of
    options: Options,
    files: SiteFiles,
    installation: InstallRoot,
    clock: HostClock,
    *,
    own: OwnIdentity | None,
    reachable: Reachable,
) -> Machinery:
    if options.engine is EngineKind.DOCKER:
        # Only here: a native site loads no client of Docker.
        from ems_admin.composition.docker import docker_machinery  # noqa: PLC0415

        return docker_machinery(options, installation, clock, own=own)
    return native_machinery(options, files, clock, own=own, reachable=reachable)


def _sources(options: Options, clock: HostClock, own: OwnIdentity | None) -> tuple[Source, ...]:
    if options.catalogue is None:
        return embedded()
    built_at = own.built_at if own else None
    return (source_at(options.catalogue, now=clock.now, not_before=built_at), *embedded())
