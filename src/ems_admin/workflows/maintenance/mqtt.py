"""Moving brokers out of single devices (W5): reviewed first, and made exactly as it was reviewed.

Source: `site.md` 9 (W5); `seed 000` 2 (W5), 3.1; `http.md` 5.3 (mqtt).
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import migration_revision
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, person_agreed, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.compose import serialise
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.keeping import bytes_of
from ems_admin.workflows.config.mqtt_migration import Migration, MigrationChange, migrate
from ems_admin.workflows.config.preview import document, revision_of
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.config.staleness import stale
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.config import findings_here
from ems_admin.workflows.maintenance.convergence import converge
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.runtime import RuntimeSync

ROW: Final = AuthorityRow(
    demands=(Demand.CONFIRMATION, Demand.NO_TRANSITION, Demand.CLAIM, Demand.TARGET),
    claim=WorkKind.MAINTENANCE_CONFIG,
)
DETAIL: Final = "config/config.json"


@frozen(kw_only=True)
class MigrationReview:
    """What a migration would do to the live config."""

    needed: bool
    changes: tuple[MigrationChange, ...]
    findings: tuple[ValidationEntry, ...]
    """What stands in its way, or would stand against its result."""
    diff: Diff | None
    revision: str | None
    migration_revision: str | None
    """Of the review; `None` where there is nothing to be done."""


@frozen(kw_only=True)
class MigrationRequest:
    """The review that the person agreed to."""

    revision: str | None
    migration_revision: str | None
    confirm: bool
    backup: bool


@frozen(kw_only=True)
class MqttMigrated:
    """The brokers stand in their place, or did so already."""

    changed: bool
    noop: bool
    revision: str | None
    backup: str | None
    runtime_sync: RuntimeSync | None


async def review_migration(house: House) -> MigrationReview:
    """Work the migration out. Writes nothing. Raises `config_unreadable`, `credential_staging_failed`."""
    live = await house.config.config()
    before = document(live)
    if before is None:
        return MigrationReview(needed=False, changes=(), findings=(), diff=None, revision=None, migration_revision=None)
    found = migrate(before, await stored_secrets(house))
    revision = revision_of(live)
    return MigrationReview(
        needed=found.needed,
        changes=found.changes,
        findings=await _findings(house, found),
        diff=diff(before, found.config),
        revision=revision,
        migration_revision=_reviewed(found, revision) if found.needed else None,
    )


async def apply_migration(house: House, caller: Caller, request: MigrationRequest) -> MqttMigrated:
    """Make the migration that was reviewed. Raises `RefusalError`; every byte is then as it was.

    In this order: `confirmation_required`, `system_transition_in_progress`, who is at work, `config_commit_unprovable`,
    `conflict` when the live config is another one, `migration_review_stale` when the review was another one,
    `validation_failed`.
    """
    work = _Work(request=request)
    own = {Demand.CONFIRMATION: person_agreed(confirm=request.confirm), Demand.TARGET: work.is_what_was_reviewed}
    async with under(house, caller, ROW, workflow_id=None, own=own):
        found = work.found
        if found is None or not found.needed:
            return MqttMigrated(changed=False, noop=True, revision=request.revision, backup=None, runtime_sync=None)
        if faults := await _findings(house, found):
            raise RefusalError(Refusal(Code.VALIDATION_FAILED, more={"errors": faults}))

        async def somebody_else_changed_it() -> None:
            refusal = Refusal(Code.CONFLICT, detail=DETAIL)
            raise await stale(house, refusal, found.config, base_revision=request.revision)

        order = Order(
            path=WritePath.MQTT_MIGRATION,
            data=serialise(found.config),
            secrets=found.secrets,
            base_revision=request.revision,
            backup=request.backup,
        )
        backup = await commit_config(house, order, when_stale=somebody_else_changed_it)
        sync = await converge(house, found.config)
        revision = revision_of(await house.config.config())
        return MqttMigrated(changed=True, noop=False, revision=revision, backup=backup, runtime_sync=sync)


@define(kw_only=True, eq=False)
class _Work:
    """The check of one request. Mutable: what it worked out is what is then written."""

    request: MigrationRequest
    found: Migration | None = None

    async def is_what_was_reviewed(self, hold: Hold) -> None:
        """Work the migration out once more: it is the reviewed one, made of the reviewed config."""
        house, request = hold.house, self.request
        await refuse_unsettled(house)
        live = await house.config.config()
        if revision_of(live) != request.revision:
            raise await _conflict(house, request.revision)
        before = document(live)
        if before is None:
            return
        self.found = migrate(before, await stored_secrets(house))
        if self.found.needed and request.migration_revision != _reviewed(self.found, request.revision):
            refusal = Refusal(Code.MIGRATION_REVIEW_STALE, detail=DETAIL)
            raise await stale(house, refusal, self.found.config, base_revision=request.revision)


async def _conflict(house: House, reviewed: str | None) -> RefusalError:
    """Show what the migration would have made of the config that was reviewed, beside what is live by now.

    A config that only ever existed by hand is gone with its next change: then it is what would be made of the live one.
    """
    kept = await bytes_of(house, reviewed)
    before = document(Content(data=kept, revision=reviewed)) if kept is not None and reviewed is not None else None
    base = before if before is not None else document(await house.config.config()) or {}
    wanted = migrate(base, await stored_secrets(house)).config
    return await stale(house, Refusal(Code.CONFLICT, detail=DETAIL), wanted, base_revision=reviewed)


async def _findings(house: House, found: Migration) -> tuple[ValidationEntry, ...]:
    """Hold the result against the installed build. Before there is one, only the migration itself has a say."""
    if not found.needed:
        return found.findings
    return (*found.findings, *await findings_here(house, found.config))


def _reviewed(found: Migration, revision: str | None) -> str:
    return migration_revision(live_revision=revision, config=found.config, secrets=found.secrets)
