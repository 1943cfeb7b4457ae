"""The native engine: the EMS and the Admin as processes of the host. Source: `site.md` 8; `replacement.md` 7.8."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

from ems_admin.composition.machinery import Machinery
from ems_admin.composition.options import STABILITY, Options
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.native.engine import NativeEngine
from ems_admin.native.place import Place
from ems_admin.native.processes import Processes
from ems_admin.native.replacement.admins import Admins, Limits
from ems_admin.native.replacement.incumbent import Reachable
from ems_admin.native.replacement.launcher import NativeLauncher
from ems_admin.native.replacement.mover import NativeMover
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.stores.host import HostClock, RandomIds
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import site_owner
from ems_admin.workflows.ports.identity import KnownIdentity


def native_machinery(
    options: Options, files: SiteFiles, clock: HostClock, *, own: OwnIdentity | None, reachable: Reachable
) -> Machinery:
    """Compose it for the Admin that is `own`, which people reach where `reachable` says."""
    admins = admins_of(options.place, clock, stable=options.stability)
    pointer = Pointer(store=files.current_admin, clock=clock)
    return Machinery(
        engine=NativeEngine(options.place, files.native_services, clock=clock, ids=RandomIds()),
        launcher=NativeLauncher(admins=admins, pointer=pointer, own=own, reachable=reachable),
        mover=NativeMover(admins=admins, pointer=pointer, told=None, own=own.digest if own else None),
        identity=KnownIdentity(own),
    )


def admins_of(place: Place, clock: HostClock, *, stable: timedelta = STABILITY) -> Admins:
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
