"""The intent of a config commit: there only while one runs.

Source: `site.md` 4.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class WritePath(StrEnum):
    """The ways a config may be written through the one config seam."""

    SETUP_APPLY = "W1"
    SETUP_DEPLOY = "W3"
    MAINTENANCE_APPLY = "W4"
    MQTT_MIGRATION = "W5"
    UPGRADE_MIGRATION = "W6"
    BACKUP_RESTORE = "W7"
    LEGACY_MIGRATION = "W8"


@frozen(kw_only=True)
class Change:
    """SHA-256 of a file before and after; `None` for absent."""

    old: str | None
    new: str | None


@frozen(kw_only=True)
class ConfigCommit:
    """What was about to be written when the power went."""

    format_version: int
    commit_id: str
    path: WritePath
    config: Change
    credentials: Change
    backup: str | None
    preview_id: str | None
    workflow_id: str | None
