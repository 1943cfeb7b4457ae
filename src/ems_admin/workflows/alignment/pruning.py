"""What is kept of the builds once an operation has completed, and that the others go, with their program trees.

Source: `site.md` 4 (B8); `faults.md` F24.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.workflows.house import House

SPARE: Final = 1
"""Beside known-good, selected and installed one more, so that a step back needs no download."""


async def prune(house: House) -> None:
    """Remove the builds that nobody needs. Nothing is removed while a record that names one cannot be read."""
    records = house.records
    good, selected, marker = (
        await records.known_good.read(),
        await records.selected_release.read(),
        await records.marker.read(),
    )
    if any(isinstance(reading, Unreadable) for reading in (good, selected, marker)):
        return
    tags = {house.own.system_tag} if house.own else set()
    builds = {house.own.build_id} if house.own else set()
    if isinstance(good, Present):
        tags.add(good.record.system_tag)
        builds |= {good.record.build_id, good.record.admin_build_id}
    if isinstance(selected, Present):
        tags.add(selected.record.tag)
    if isinstance(marker, Present):
        tags.add(marker.record.release)
    left = await house.builds.prune(frozenset(tags), spare=SPARE)
    if left is not None:
        await house.engine.prune(left | builds)
