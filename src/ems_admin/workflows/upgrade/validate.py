"""Looking at a build as an upgrade of what is installed. Stores nothing.

Source: `http.md` 5.3 (upgrade/validate), 5.4 (Validate); `faults.md` F52.
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.build import Channel
from ems_admin.machines.records.transition import AdminIdentity
from ems_admin.machines.values.tags import Direction, Tagged, direction
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.validate import Validation, validate
from ems_admin.workflows.upgrade.gate import require_upgrade_open


@frozen(kw_only=True)
class UpgradeValidation:
    """What was found of the build, the Admin that runs, and where the build lies, seen from what is installed."""

    validation: Validation
    current_admin: AdminIdentity | None
    """`None` when a word of it cannot be read."""
    upgrade_direction: Direction


async def validate_upgrade(house: House, tag: str) -> UpgradeValidation:
    """Verify a build that is to replace the installed one. Raises `RefusalError`.

    What stands against any upgrade comes first, then what is wrong with the build, then `upgrade_not_forward` for
    whatever is not strictly newer, its direction as the detail.
    """
    await require_upgrade_open(house)
    await house.identity.learn()
    found = await validate(house, tag)
    where = await require_forward(house, found.selected_tag, found.system_build.channel)
    return UpgradeValidation(validation=found, current_admin=standing.running_admin(house), upgrade_direction=where)


async def require_forward(house: House, tag: str, channel: Channel) -> Direction:
    """Refuse a target that is not strictly newer than what is installed: `upgrade_not_forward`, with where it lies."""
    installed = await installed_tag(house)
    target = Tagged(tag=tag, channel=channel)
    # One channel for both: what is installed is not in every catalogue, and an unordered target is never newer.
    where = direction(target, Tagged(tag=installed, channel=channel)) if installed else Direction.UNCOMPARABLE
    if where is not Direction.NEWER:
        raise RefusalError(Refusal(Code.UPGRADE_NOT_FORWARD, detail=where))
    return where
