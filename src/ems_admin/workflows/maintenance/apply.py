"""Saving an edit of the live config (W4), and taking a config of the old layout over (W8).

Both go the one way in which the config is written, and both wait for an operation that is not over.
Source: `seed 000` 2 (W4, W8), 3.1; `site.md` 1.14, 9; `faults.md` D8, F46.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.authority import AuthorityRow, Check, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.compose import without_mark
from ems_admin.workflows.config.preview import document, revision_of
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.config.staleness import in_the_way, stale
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.config import findings_here, revise
from ems_admin.workflows.maintenance.convergence import converge
from ems_admin.workflows.maintenance.document import Json
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.runtime import RuntimeSync

ROW: Final = AuthorityRow(
    demands=(Demand.CONFIRMATION, Demand.NO_TRANSITION, Demand.CLAIM, Demand.TARGET),
    claim=WorkKind.MAINTENANCE_CONFIG,
)


@frozen(kw_only=True)
class Change:
    """What the person edited, and which revision it was made from."""

    draft: Json
    revision: str | None
    confirm: bool
    backup: bool


@frozen(kw_only=True)
class ConfigApplied:
    """The live config is the edited one, or was so already."""

    changed: bool
    revision: str | None
    backup: str | None
    runtime_sync: RuntimeSync | None
    """Whether the EMS that runs goes by it already; `None` where nothing has changed."""


@frozen(kw_only=True)
class Migrated:
    """The config of the old layout is the live one; the old file stays and is never read again."""

    migrated: bool
    revision: str
    backup: str


async def apply_config(house: House, caller: Caller, change: Change) -> ConfigApplied:
    """Save an edit of the live config (W4). Raises `RefusalError`; every byte is then as it was.

    In this order: `confirmation_required`, `system_transition_in_progress`, who is at work, `config_commit_unprovable`,
    `conflict` with the difference to what is live by now, `validation_failed` with the pointer of each field.
    """
    own = {Demand.CONFIRMATION: person_agreed(confirm=change.confirm), Demand.TARGET: _is_what_was_edited(change)}
    async with under(house, caller, ROW, workflow_id=None, own=own):
        revised = await revise(house, change.draft)
        if revised.findings:
            raise _invalid(revised.findings)
        if not revised.changed:
            return ConfigApplied(changed=False, revision=revised.revision, backup=None, runtime_sync=None)
        order = Order(
            path=WritePath.MAINTENANCE_APPLY,
            data=revised.data,
            secrets={ref: dict(entry) for ref, entry in revised.secrets.items()},
            base_revision=change.revision,
            backup=change.backup,
        )
        backup = await commit_config(house, order, when_stale=_conflict(house, change))
        sync = await converge(house, revised.config)
        revision = revision_of(await house.config.config())
        return ConfigApplied(changed=True, revision=revision, backup=backup, runtime_sync=sync)


async def migrate_legacy(house: House, caller: Caller, *, confirm: bool, overwrite: bool) -> Migrated:
    """Make the config of the old layout the live one (W8). Raises `RefusalError`; every byte is then as it was.

    In this order: `confirmation_required`, `system_transition_in_progress`, who is at work, `config_commit_unprovable`,
    `legacy_config_missing`, `target_exists`, `config_unreadable`, `validation_failed`.
    """
    own = {Demand.CONFIRMATION: person_agreed(confirm=confirm), Demand.TARGET: _layout_allows(overwrite=overwrite)}
    async with under(house, caller, ROW, workflow_id=None, own=own):
        legacy = await house.installation.legacy_config()
        config = document(legacy)
        if config is None or not isinstance(legacy, Content):
            raise RefusalError(Refusal(Code.LEGACY_CONFIG_MISSING))
        if found := await findings_here(house, config):
            raise _invalid(found)
        live_revision = revision_of(await house.config.config())
        async with house.config.hold() as held:
            match await held.back_up(WritePath.LEGACY_MIGRATION, legacy.data):
                case str() as backup:
                    pass
                case outcome:
                    require(outcome)
                    raise LookupError("a backup that was made has a name")

        async def another_came() -> None:
            refusal = Refusal(Code.TARGET_EXISTS, detail="config/config.json")
            raise await stale(house, refusal, config, base_revision=live_revision)

        order = Order(
            path=WritePath.LEGACY_MIGRATION,
            data=without_mark(legacy.data),
            secrets={},
            base_revision=live_revision,
            backup=live_revision is not None,
        )
        await commit_config(house, order, when_stale=another_came)
        revision = revision_of(await house.config.config()) or ""
        return Migrated(migrated=True, revision=revision, backup=backup)


def _is_what_was_edited(change: Change) -> Check:
    async def live_config_is_what_was_edited(hold: Hold) -> None:
        await refuse_unsettled(hold.house)
        if revision_of(await hold.house.config.config()) != change.revision:
            await _conflict(hold.house, change)()

    return live_config_is_what_was_edited


def _layout_allows(*, overwrite: bool) -> Check:
    async def layout_allows(hold: Hold) -> None:
        await refuse_unsettled(hold.house)
        legacy = await hold.house.installation.legacy_config()
        if isinstance(legacy, Absent):
            raise RefusalError(Refusal(Code.LEGACY_CONFIG_MISSING))
        if not overwrite and not isinstance(await hold.house.config.config(), Absent):
            refusal = Refusal(Code.TARGET_EXISTS, detail="config/config.json")
            if isinstance(legacy, Unreadable):
                raise RefusalError(refusal)
            raise await in_the_way(hold.house, refusal, document(legacy) or {})
        if isinstance(legacy, Unreadable):
            revision_of(legacy)  # says where it cannot be read

    return layout_allows


def _conflict(house: House, change: Change) -> Callable[[], Awaitable[None]]:
    async def somebody_else_changed_it() -> None:
        refusal = Refusal(Code.CONFLICT, detail="config/config.json")
        raise await stale(house, refusal, change.draft, base_revision=change.revision, shown=True)

    return somebody_else_changed_it


def _invalid(found: tuple[ValidationEntry, ...]) -> RefusalError:
    return RefusalError(Refusal(Code.VALIDATION_FAILED, more={"errors": found}))
