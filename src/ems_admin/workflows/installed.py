"""Which build is installed: the one that last proved healthy, else the one prepared, else the one chosen.

Source: `site.md` 4 (B3, B4, B5), 6 (Tags).
"""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure, Resources
from ems_admin.workflows.ports.records import RefusalError


async def installed_tag(house: House) -> str | None:
    """Name the installed build; `None` when nothing says which it is."""
    known_good = await house.records.known_good.read()
    if isinstance(known_good, Present):
        return known_good.record.system_tag
    marker = await house.records.marker.read()
    if isinstance(marker, Present):
        return marker.record.release
    selected = await house.records.selected_release.read()
    if isinstance(selected, Present):
        return selected.record.tag
    return house.own.system_tag if house.own else None


async def installed_build(house: House) -> Resources:
    """Read the resources of the installed build. Raises `RefusalError` with `release_not_prepared`."""
    tag = await installed_tag(house)
    build = await house.builds.resources(tag) if tag else BuildFailure(code=Code.RELEASE_NOT_PREPARED)
    if isinstance(build, BuildFailure):
        raise RefusalError(Refusal(build.code, detail=build.detail))
    return build
