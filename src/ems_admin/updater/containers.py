"""The updater as a container: the engine keeps it the only one of its attempt, and starts it again.

Source: `replacement.md` 7.1, 7.4.
"""

from __future__ import annotations

from ems_admin.composition.docker import docker_mover
from ems_admin.composition.options import Options
from ems_admin.stores.host import HostClock
from ems_admin.updater.walking import WalkOf, until_asked_to_end, walk_on
from ems_admin.workflows.replacement.updating import WalkEnd


async def update(options: Options, which: WalkOf) -> WalkEnd | None:
    """Walk an attempt to its end; `None` when it was asked to stop where it is."""
    return await until_asked_to_end(walk_on(options, which, docker_mover(options, HostClock())))
