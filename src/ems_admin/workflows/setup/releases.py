"""Which builds a person may choose, and why not the others.

Source: `http.md` 5.4 (Releases).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.build import CatalogueEntry, Channel
from ems_admin.machines.values.tags import Direction, Tagged, direction
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.records import RefusalError


class Flow(StrEnum):
    """What the list is for."""

    SETUP = "setup"
    UPGRADE = "upgrade"


@frozen(kw_only=True)
class Offer:
    """One build of the list."""

    system_tag: str
    channel: Channel
    revision: str
    build_id: str
    released_at: datetime
    notes: str
    recommended: bool
    selectable: bool
    reason: Code | None
    """What stands against it, or has to come first."""


async def releases(house: House, flow: Flow) -> tuple[Offer, ...]:
    """List the builds. Raises `RefusalError` with `release_source_unreachable`.

    For a Setup the build of the running Admin comes first, as the recommended one; the others follow newest first.
    """
    offered = await house.builds.offered()
    if isinstance(offered, BuildFailure):
        raise RefusalError(Refusal(offered.code, detail=offered.detail))
    installed = await installed_tag(house)
    offers = tuple(
        _for_setup(house, entry) if flow is Flow.SETUP else _for_upgrade(installed, entry) for entry in offered
    )
    return tuple(sorted(offers, key=lambda offer: not offer.recommended))


def _for_setup(house: House, entry: CatalogueEntry) -> Offer:
    own = house.own
    is_own = own is not None and (own.system_tag, own.build_id, own.revision) == (
        entry.tag,
        entry.build_id,
        entry.revision,
    )
    # Another build than the Admin's own can be chosen as well: its Admin comes first, which the reason says.
    reason = None if is_own else Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED
    return _offer(entry, recommended=is_own, selectable=True, reason=reason)


def _for_upgrade(installed: str | None, entry: CatalogueEntry) -> Offer:
    # What counts is the EMS that is installed: the Admin may be of the next build already, in the midst of an upgrade.
    where = Direction.UNCOMPARABLE
    if installed is not None:
        here = Tagged(tag=installed, channel=entry.channel)
        where = direction(Tagged(tag=entry.tag, channel=entry.channel), here)
    forward = where is Direction.NEWER
    reason = None if forward else Code.UPGRADE_NOT_FORWARD
    return _offer(entry, recommended=False, selectable=forward, reason=reason)


def _offer(entry: CatalogueEntry, *, recommended: bool, selectable: bool, reason: Code | None) -> Offer:
    return Offer(
        system_tag=entry.tag,
        channel=entry.channel,
        revision=entry.revision,
        build_id=entry.build_id,
        released_at=entry.released_at,
        notes=entry.notes,
        recommended=recommended,
        selectable=selectable,
        reason=reason,
    )
