"""The replacement of an Admin in memory: both hands of one process, and what an updater is composed of."""

from __future__ import annotations

from attrs import define

from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.replacement.updating import Updating
from tests.memory.launching import MemoryLauncher
from tests.memory.moving import MemoryMover
from tests.memory.site import MemorySite


@define(kw_only=True)
class MemoryReplacement(MemoryLauncher, MemoryMover):
    """Implements `Launcher` and `Mover`, for the process that runs in the container `me`."""


def updating(site: MemorySite, me: str, operation_id: str, attempt: int) -> Updating:
    """Compose the updater that runs in the container `me`, or an Admin that finishes its walk."""
    records = authorities(site, journal=site.journal, events=site.events, warn=lambda _code: None)
    return Updating(
        operation_id=operation_id,
        attempt=attempt,
        run=records.run,
        dispatch=records.dispatch,
        transition=records.transition,
        mover=MemoryReplacement(world=site.world, me=me),
        clock=site.clock,
        built_at=None,
    )
