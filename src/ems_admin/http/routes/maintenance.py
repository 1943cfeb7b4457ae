"""Maintenance: the installed EMS and its config. Source: `http.md` 5.3 (Maintenance); `seed 000` 2 (W4, W8)."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from ems_admin.http.route import DRAFT, Asked, Granted, Nothing, Outside, get, post
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.glance import glance
from ems_admin.workflows.maintenance import apply, config
from ems_admin.workflows.maintenance.overview import Overview, overview

MAINTENANCE: Final = "/api/admin/maintenance"
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Edit:
    """The config as it was edited, masks where secrets stay."""

    draft: dict[str, Any]


@frozen(kw_only=True)
class Save(Edit):
    """An edit that is to be saved over the revision that it was made from."""

    revision: str | None = None
    confirm: bool = False
    backup: bool = True

    @property
    def change(self) -> apply.Change:
        """What the workflow is asked."""
        return apply.Change(draft=self.draft, revision=self.revision, confirm=self.confirm, backup=self.backup)


@frozen(kw_only=True)
class TakeOver:
    """Whether the config of the old layout is to be taken over, also when there is one in the new place."""

    confirm: bool = False
    overwrite: bool = False


async def at_a_glance(asked: View) -> Granted[Overview]:
    """The installed EMS at a glance."""
    return Granted(await overview(await glance(asked.house)))


async def show(asked: View) -> Granted[config.LiveConfig]:
    """The live config, its secrets masked."""
    return Granted(await config.live_config(asked.house))


async def preview(asked: Asked[Edit, Nothing]) -> Granted[config.Revised]:
    """Work an edit out."""
    return Granted(await config.revise(asked.house, asked.body.draft))


async def save(asked: Asked[Save, Nothing]) -> Granted[apply.ConfigApplied]:
    """Save an edit (W4)."""
    return Granted(await apply.apply_config(asked.house, asked.caller, asked.body.change))


async def take_over(asked: Asked[TakeOver, Nothing]) -> Granted[apply.Migrated]:
    """Take the config of the old layout over (W8)."""
    body = asked.body
    return Granted(
        await apply.migrate_legacy(asked.house, asked.caller, confirm=body.confirm, overwrite=body.overwrite)
    )


ROUTES: Final = (
    get(f"{MAINTENANCE}/overview", "The installed EMS at a glance", at_a_glance),
    get(f"{MAINTENANCE}/config", "The live config, its secrets masked", show),
    post(
        f"{MAINTENANCE}/config/preview",
        "Work an edit of the config out",
        preview,
        Outside.LOOKS,
        body=Edit,
        limit=DRAFT,
        scope=Scope.MAINTAIN,
    ),
    post(
        f"{MAINTENANCE}/config/apply",
        "Save an edit of the config",
        save,
        apply.ROW,
        body=Save,
        limit=DRAFT,
        scope=Scope.MAINTAIN,
    ),
    post(
        "/api/admin/config/migrate-legacy",
        "Take the config of the old layout over",
        take_over,
        apply.ROW,
        body=TakeOver,
        scope=Scope.MAINTAIN,
    ),
)
