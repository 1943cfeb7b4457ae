"""What an upgrade would make of the live config: brokers moved to their place, and keys that the new build knows.

Pure but for one reading of the two files, and idempotent: a config that was migrated needs no migration. What is shown
here is what the upgrade's own step writes, byte for byte.

Source: `site.md` 9 (W5; the steps of a Guided Upgrade), `seed 000` 2 (W6).
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.values.fingerprints import migration_revision
from ems_admin.workflows.config.added_keys import with_added_keys
from ems_admin.workflows.config.compose import serialise
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.mqtt_migration import MigrationChange, migrate
from ems_admin.workflows.config.preview import document, revision_of
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.config import findings
from ems_admin.workflows.maintenance.document import Json
from ems_admin.workflows.ports.builds import Resources

Secrets = Mapping[str, Mapping[str, str]]


@frozen(kw_only=True)
class PlannedMigration:
    """What the config would become, and what was reviewed of it."""

    required: bool
    revision: str | None
    """Of the review: of the live config and of what would come of it. `None` where nothing changes."""
    changes: tuple[MigrationChange, ...]
    """What moves to another place."""
    added_keys: tuple[str, ...]
    """JSON pointers of what the new build brings."""
    diff: Diff
    config: Json | None
    """The result, also where it is what is live already; `None` where there is no config."""
    secrets: Secrets
    """The entries that the credential store would get."""

    @property
    def data(self) -> bytes:
        """The bytes that would be written. Raises `LookupError` where there is no config."""
        if self.config is None:
            raise LookupError("there is no config to migrate")
        return serialise(self.config)


@frozen(kw_only=True)
class LiveFiles:
    """The config and its secrets as they lie there now."""

    revision: str | None
    config: Json | None
    secrets: Secrets


async def live_files(house: House) -> LiveFiles:
    """Read both files. Raises `RefusalError`: `config_unreadable`, `credential_staging_failed`."""
    live = await house.config.config()
    config = document(live)
    secrets = await stored_secrets(house)
    return LiveFiles(revision=revision_of(live), config=None if config is None else dict(config), secrets=secrets)


def plan_migration(live: LiveFiles, target: Resources, *, add_keys: bool) -> PlannedMigration:
    """Work out what the upgrade to `target` would write; `add_keys` is what the operator chose."""
    if live.config is None:
        return NOTHING
    moved = migrate(live.config, live.secrets)
    config = with_added_keys(moved.config, target.template, target.schema) if add_keys else moved.config
    required = config != live.config or bool(moved.secrets)
    review = migration_revision(live_revision=live.revision, config=config, secrets=moved.secrets)
    return PlannedMigration(
        required=required,
        revision=review if required else None,
        changes=moved.changes,
        added_keys=tuple(pointer for pointer, _value in diff(moved.config, config).added),
        diff=diff(live.config, config),
        config=config,
        secrets=moved.secrets,
    )


def faults(migration: PlannedMigration, live: LiveFiles, target: Resources) -> tuple[ValidationEntry, ...]:
    """List what would stand against the result with the schema of the target."""
    if migration.config is None or live.config is None:
        return ()
    unresolved = migrate(live.config, live.secrets).findings
    return (*unresolved, *findings(migration.config, target.schema))


NOTHING = PlannedMigration(
    required=False,
    revision=None,
    changes=(),
    added_keys=(),
    diff=Diff(added=(), removed=(), changed=(), text=""),
    config=None,
    secrets={},
)
