"""The replacement of an Admin in memory: both hands of one process, and what an updater is composed of."""

from __future__ import annotations

from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.replacement.updating import Updating
from tests.memory.native import MemoryNative
from tests.memory.native import MemoryReplacement as MemoryReplacement  # noqa: PLC0414  # what a site is composed of
from tests.memory.site import MemorySite
from tests.memory.world import World


def hands(world: World, me: str = "o") -> MemoryReplacement:
    """Give both hands of a process, as its host has them."""
    return MemoryNative(world=world, me=me) if world.host.native else MemoryReplacement(world=world, me=me)


def updating(site: MemorySite, me: str, operation_id: str, attempt: int) -> Updating:
    """Compose the updater that runs in the container `me`, or an Admin that finishes its walk."""
    records = authorities(site, journal=site.journal, events=site.events, warn=lambda _code: None)
    return Updating(
        operation_id=operation_id,
        attempt=attempt,
        run=records.run,
        dispatch=records.dispatch,
        transition=records.transition,
        mover=hands(site.world, me),
        clock=site.clock,
        built_at=None,
    )
