"""Maintenance: the config's form and history, the way back, a stale edit brought up to date, and its migration.

Source: `http.md` 5.3 (Maintenance); `seed 000` 2 (W5), 6.5.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import field, frozen

from ems_admin.http.route import DRAFT, Asked, Granted, Nothing, Outside, get, post
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.config.merging import Choices, MergedEdit, merge_edit
from ems_admin.workflows.config.three_ways import Side
from ems_admin.workflows.maintenance import config, history, mqtt

CONFIG: Final = "/api/admin/maintenance/config"
MQTT: Final = "/api/admin/maintenance/mqtt"
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Return:
    """The revision to go back to."""

    revision: str


@frozen(kw_only=True)
class Merge:
    """An edit that came too late, and what the person takes from either side."""

    draft: dict[str, Any]
    baseline_revision: str | None = None
    choices: dict[str, Side] = field(factory=dict)
    take: Side | None = None

    @property
    def decided(self) -> Choices:
        """What the workflow is asked."""
        return Choices(base_revision=self.baseline_revision, fields=self.choices, take=self.take)


@frozen(kw_only=True)
class Migrate:
    """The migration that was reviewed."""

    revision: str | None = None
    migration_revision: str | None = None
    confirm: bool = False
    backup: bool = True

    @property
    def request(self) -> mqtt.MigrationRequest:
        """What the workflow is asked."""
        return mqtt.MigrationRequest(
            revision=self.revision,
            migration_revision=self.migration_revision,
            confirm=self.confirm,
            backup=self.backup,
        )


async def form(asked: View) -> Granted[config.ConfigSchema]:
    """Schema and form of the installed build."""
    return Granted(await config.config_schema(asked.house))


async def changes(asked: View) -> Granted[history.HistoryView]:
    """Every change of the config."""
    return Granted(await history.history(asked.house))


async def change(asked: View) -> Granted[history.RevisionView]:
    """One revision and what it changed."""
    return Granted(await history.revision(asked.house, asked.names["revision"]))


async def prepare_return(asked: Asked[Return, Nothing]) -> Granted[history.PreparedReturn]:
    """A revision as an edit."""
    return Granted(await history.prepare_return(asked.house, asked.body.revision))


async def merge(asked: Asked[Merge, Nothing]) -> Granted[MergedEdit]:
    """A stale edit brought up to date."""
    return Granted(await merge_edit(asked.house, asked.body.draft, asked.body.decided))


async def review(asked: View) -> Granted[mqtt.MigrationReview]:
    """What a migration would do."""
    return Granted(await mqtt.review_migration(asked.house))


async def migrate(asked: Asked[Migrate, Nothing]) -> Granted[mqtt.MqttMigrated]:
    """Make the migration (W5)."""
    return Granted(await mqtt.apply_migration(asked.house, asked.caller, asked.body.request))


ROUTES: Final = (
    get(f"{CONFIG}/schema", "What the config may hold, and the form of it", form),
    get(f"{CONFIG}/history", "Every change of the config, the newest first", changes),
    get(f"{CONFIG}/history/{{revision}}", "One revision of the config, and what it changed", change),
    post(
        f"{CONFIG}/prepare-return",
        "A revision of the config as an edit",
        prepare_return,
        Outside.LOOKS,
        body=Return,
        scope=Scope.MAINTAIN,
    ),
    post(
        f"{CONFIG}/merge",
        "A stale edit of the config brought up to date",
        merge,
        Outside.LOOKS,
        body=Merge,
        limit=DRAFT,
        scope=Scope.MAINTAIN,
    ),
    get(f"{MQTT}/migration-review", "What moving brokers out of single devices would change", review),
    post(
        f"{MQTT}/migration-apply",
        "Move brokers out of single devices",
        migrate,
        mqtt.ROW,
        body=Migrate,
        scope=Scope.MAINTAIN,
    ),
)
