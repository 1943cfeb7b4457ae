"""Guided Upgrade. Source: `http.md` 5.3 (Guided Upgrade and Admin update)."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, Outside, post
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.upgrade.validate import UpgradeValidation, validate_upgrade


@frozen(kw_only=True)
class Target:
    """The build that is to replace the installed one."""

    tag: str


async def look(asked: Asked[Target, Nothing]) -> Granted[UpgradeValidation]:
    """Verify a build as an upgrade of what is installed."""
    return Granted(await validate_upgrade(asked.house, asked.body.tag))


ROUTES: Final = (
    post(
        "/api/admin/maintenance/upgrade/validate",
        "Verify a build as an upgrade of what is installed",
        look,
        Outside.LOOKS,
        body=Target,
        scope=Scope.UPGRADE,
    ),
)
