"""The config of the installed EMS over time: its history, the way back, and what brings it up to date.

Source: `http.md` 5.3 (Maintenance); `site.md` 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ems_admin.library.room import Room
from ems_admin.workflows.config.merging import Choices, MergedEdit, merge_edit
from ems_admin.workflows.maintenance import config, mqtt
from ems_admin.workflows.maintenance import history as past


class ConfigViews(Room):
    """The config, looked at. Nothing here writes a byte."""

    async def schema(self) -> config.ConfigSchema:
        """Give what a config of the installed build may hold, and the form of it."""
        return await config.config_schema(self.house)

    async def history(self) -> past.HistoryView:
        """List every change, the newest first."""
        return await past.history(self.house)

    async def revision(self, revision: str) -> past.RevisionView:
        """Show one revision, by its SHA-256, and what it changed. Refused with `not_found`."""
        return await past.revision(self.house, revision)

    async def prepare_return(self, revision: str) -> past.PreparedReturn:
        """Make an edit of a revision, to be reviewed and saved like any other."""
        return await past.prepare_return(self.house, revision)

    async def merge(self, draft: Mapping[str, Any], choices: Choices) -> MergedEdit:
        """Bring an edit up to date that was refused as stale."""
        return await merge_edit(self.house, draft, choices)

    async def review_mqtt_migration(self) -> mqtt.MigrationReview:
        """Say what moving brokers out of single devices would change."""
        return await mqtt.review_migration(self.house)


class ConfigActs(ConfigViews):
    """The config, brought up to date."""

    async def migrate_mqtt(self, request: mqtt.MigrationRequest) -> mqtt.MqttMigrated:
        """Move brokers out of single devices, as it was reviewed (W5)."""
        return await mqtt.apply_migration(self.house, self.caller, request)
