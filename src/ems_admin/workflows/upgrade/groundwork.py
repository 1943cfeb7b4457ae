"""What an upgrade settles before the Admin is replaced: the backup, and the config as the new build wants it.

Both are found again by the name of the operation, so that one which was made and not noted is not made twice.
Source: `site.md` 9 (Steps); `seed 000` 2 (W6).
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.bringing import is_meant
from ems_admin.machines.backup_retention import id_for_upgrade
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import BackupOrigin, BackupScope
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import KeptRevision
from ems_admin.machines.records.reading import Unreadable
from ems_admin.machines.upgrade.groundwork import (
    NOTE_BACKUP,
    NOTE_MIGRATION,
    BackupFacts,
    SettledFacts,
)
from ems_admin.machines.upgrade.steps import Step
from ems_admin.workflows.backups.creating import make_backup
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.keeping import bytes_of
from ems_admin.workflows.config.preview import document
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.config.staleness import in_the_way, stale
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.upgrade.migration import LiveFiles, live_files, plan_migration
from ems_admin.workflows.upgrade.walk import Walk

NOT_AS_REVIEWED: Final = Refusal(Code.MIGRATION_REVIEW_STALE, detail="config/config.json")
FORTH: Final = "m"
BACK: Final = "b"
"""What tells the two ways of a config apart, in the names of their commits."""


async def back_up(walk: Walk) -> None:
    """Make the backup of this upgrade, or find it, and note it."""
    operation_id = walk.transition.operation_id
    made = await walk.attempt(
        make_backup(
            walk.house,
            scope=BackupScope.FULL,
            label=f"Before the upgrade to {walk.transition.system_tag}",
            origin=BackupOrigin.UPGRADE,
            backup_id=id_for_upgrade(operation_id),
            report=walk.begin(Step.BACKUP),
        )
    )
    facts = BackupFacts(operation_id=operation_id, reference=made.id)
    walk.context = await walk.attempt(walk.house.records.upgrade.decide(NOTE_BACKUP, facts, walk.caller))


async def migrate(walk: Walk) -> None:
    """Write the config that was reviewed, unless it is live already, and note it (W6)."""
    walk.begin(Step.MIGRATION)
    await walk.attempt(_write(walk))
    facts = SettledFacts(operation_id=walk.transition.operation_id)
    walk.context = await walk.attempt(walk.house.records.upgrade.decide(NOTE_MIGRATION, facts, walk.caller))


async def last_written(house: House, operation_id: str, way: str) -> tuple[KeptRevision | None, int]:
    """Give the last revision that this upgrade has written in one of its ways, and how many lines its commits have.

    A commit that came upon another config has a line for that as well, and may have written nothing.
    """
    history = await house.history.list()
    if isinstance(history, Unreadable):
        return None, 0
    lines = [line for line in history.revisions if line.commit_id.startswith(f"{operation_id}-{way}")]
    written = [line for line in lines if line.path is WritePath.UPGRADE_MIGRATION]
    return (written[-1] if written else None), len(lines)


async def commit_name(house: House, operation_id: str, way: str) -> str:
    """Name the next commit of this upgrade."""
    _last, count = await last_written(house, operation_id, way)
    return f"{operation_id}-{way}{count + 1}"


async def _write(walk: Walk) -> None:
    """Write what was reviewed. After a way back that is what was written before, byte for byte."""
    house, transition = walk.house, walk.transition
    await refuse_unsettled(house)  # what a cut has left is gone forward with first, and is then in the history
    written, _count = await last_written(house, transition.operation_id, FORTH)
    live = await live_files(house)
    if written is not None and written.revision == live.revision:
        return
    before = await bytes_of(house, written.revision) if written and written.base == live.revision else None
    data, secrets = (before, {}) if before is not None else await _as_reviewed(walk, live)
    order = Order(
        path=WritePath.UPGRADE_MIGRATION,
        data=data,
        secrets=secrets,
        base_revision=live.revision,
        backup=False,  # the upgrade has made its own
        commit_id=await commit_name(house, transition.operation_id, FORTH),
    )

    async def somebody_else_changed_it() -> None:
        wanted = document(Content(data=data, revision="")) or {}
        raise await stale(house, NOT_AS_REVIEWED, wanted, base_revision=live.revision)

    await commit_config(house, order, when_stale=somebody_else_changed_it)


async def _as_reviewed(walk: Walk, live: LiveFiles) -> tuple[bytes, dict[str, dict[str, str]]]:
    """Work out once more what was reviewed: the config, and what goes into the credential store."""
    target = await walk.house.builds.examine(walk.transition.system_tag)
    if isinstance(target, BuildFailure):
        raise RefusalError(Refusal(target.code, detail=target.detail))
    if not is_meant(target.resources.manifest, walk.transition):
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_MISMATCH, detail="the build has changed"))
    migration = plan_migration(live, target.resources, add_keys=walk.context.options.config_add_keys)
    if migration.revision != walk.context.migration_revision:
        raise await in_the_way(walk.house, NOT_AS_REVIEWED, migration.config or {})
    return migration.data, {ref: dict(entry) for ref, entry in migration.secrets.items()}
