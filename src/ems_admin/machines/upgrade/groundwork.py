"""What a Guided Upgrade has settled (B6): the backup and the migration, which come before the Admin is replaced.

Each is noted before the next thing begins, and what is noted is not done again. Only a way back that puts the old
config in its place again makes the migration due once more. Its state is read from the record, never stored beside it.

Source: `site.md` 4 (B6), 9; `seed 000` 6.2, 7.6.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from attrs import asdict, evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Beginning, Edge, Machine, Regions, Trigger, always, guard
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.machines.records.upgrade import UpgradeContext, UpgradeOptions
from ems_admin.machines.values.fingerprints import sha256_of

FORMAT: Final = 3
OVER: Final = frozenset({Stage.COMPLETED, Stage.CANCELLED})


class Groundwork(StrEnum):
    """What is due next of all that comes before the replacement."""

    BACKUP_DUE = "backup_due"
    MIGRATION_DUE = "migration_due"
    SETTLED = "settled"


class NamedOperation(StrEnum):
    """What B1 says of the operation that the context on record names."""

    OVER = "over"
    """Terminal, replaced by a later one, or never begun; also where there is no context."""
    LIVE = "live"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class ContextFacts:
    """An upgrade is about to begin."""

    operation_id: str
    target_system_tag: str
    options: UpgradeOptions
    request_fingerprint: str
    migration_required: bool
    migration_revision: str | None
    named_operation: NamedOperation
    """Of the context on record."""


@frozen(kw_only=True)
class BackupFacts:
    """A backup was made, and read back."""

    operation_id: str
    reference: str


@frozen(kw_only=True)
class SettledFacts:
    """What was due is done, or was undone."""

    operation_id: str


NOTE_CONTEXT: Final = Trigger("note_context", ContextFacts)
NOTE_BACKUP: Final = Trigger("note_backup", BackupFacts)
NOTE_MIGRATION: Final = Trigger("note_migration", SettledFacts)
TAKE_BACK_MIGRATION: Final = Trigger("take_back_migration", SettledFacts)


@guard(
    {
        NamedOperation.OVER: HOLDS,
        NamedOperation.LIVE: Code.TRANSITION_ACTIVE,
        NamedOperation.UNKNOWN: Code.TRANSITION_STATUS_UNAVAILABLE,
    }
)
def earlier_operation_is_over(_predecessor: UpgradeContext | None, facts: ContextFacts) -> NamedOperation:
    """The operation of the context on record is over, or never began."""
    return facts.named_operation


@guard(Code.OPERATION_MISMATCH)
def context_is_its_own(record: UpgradeContext, facts: BackupFacts | SettledFacts) -> bool:
    """The context is the one of the operation that is named."""
    return record.operation_id == facts.operation_id


@guard(Code.INVALID_TRANSITION)
def no_migration_is_due(record: UpgradeContext, _facts: BackupFacts) -> bool:
    """Nothing has to be migrated, or it was."""
    return record.migration_completed or not record.migration_required


@guard(Code.INVALID_TRANSITION)
def backup_is_that_one(record: UpgradeContext, facts: BackupFacts) -> bool:
    """The backup is the one on record: an upgrade makes one, and no second one."""
    return record.backup_reference == facts.reference


@guard(Code.INVALID_TRANSITION)
def config_was_migrated(record: UpgradeContext, _facts: SettledFacts) -> bool:
    """The upgrade has migrated the config."""
    return record.migration_completed


def groundwork_of(record: UpgradeContext) -> Groundwork:
    """Read what is due next. The backup comes first: it holds the config as it was."""
    if record.options.backup and not record.backup_completed:
        return Groundwork.BACKUP_DUE
    due = record.migration_required and not record.migration_completed
    return Groundwork.MIGRATION_DUE if due else Groundwork.SETTLED


def named_operation(record: UpgradeContext | None, transition: Transition | None) -> NamedOperation:
    """Say what a B1 that can be read tells of the operation that a context names."""
    if record is None or transition is None or transition.operation_id != record.operation_id:
        return NamedOperation.OVER
    return NamedOperation.OVER if transition.stage in OVER else NamedOperation.LIVE


def integrity_of(record: UpgradeContext) -> str:
    """Give the SHA-256 over everything else, in hex: a context that was edited by hand is not taken for good."""
    return sha256_of(asdict(record, filter=lambda field, _value: field.name != "integrity"))


def is_whole(record: UpgradeContext) -> bool:
    """Say whether the context is as it was written."""
    return record.integrity == integrity_of(record)


def note_context(facts: ContextFacts) -> UpgradeContext:
    """Create the context of an upgrade that is about to begin."""
    return sealed(
        UpgradeContext(
            format_version=FORMAT,
            operation_id=facts.operation_id,
            target_system_tag=facts.target_system_tag,
            options=facts.options,
            request_fingerprint=facts.request_fingerprint,
            backup_completed=False,
            backup_reference=None,
            backup_verified=False,
            migration_required=facts.migration_required,
            migration_completed=False,
            migration_revision=facts.migration_revision,
            integrity="",
        )
    )


def note_backup(record: UpgradeContext, facts: BackupFacts) -> UpgradeContext:
    """Note the backup. What is named here was read back: a set that does not verify is none."""
    return sealed(record, backup_completed=True, backup_reference=facts.reference, backup_verified=True)


def note_migration(record: UpgradeContext, _facts: SettledFacts) -> UpgradeContext:
    """Note that the config is the one that was reviewed."""
    return sealed(record, migration_completed=True)


def take_back_migration(record: UpgradeContext, _facts: SettledFacts) -> UpgradeContext:
    """Note that the config is about to be the old one again."""
    return sealed(record, migration_completed=False)


def sealed(record: UpgradeContext, **changes: Any) -> UpgradeContext:
    """Change the record, and make it whole. Every change goes through here."""
    changed = evolve(record, **changes)
    return evolve(changed, integrity=integrity_of(changed))


BACKUP_DUE, MIGRATION_DUE, SETTLED = Groundwork.BACKUP_DUE, Groundwork.MIGRATION_DUE, Groundwork.SETTLED
OWN: Final = (context_is_its_own,)
DONE_WITH: Final = (no_migration_is_due,)
THE_SAME: Final = (context_is_its_own, backup_is_that_one)

GROUNDWORK: Final = Machine[UpgradeContext, Groundwork](
    name="upgrade_groundwork",
    states=Groundwork,
    reads=groundwork_of,
    initial=(BACKUP_DUE, MIGRATION_DUE, SETTLED),
    codes=Code,
    edges=(
        Edge(NOTE_BACKUP, BACKUP_DUE, SETTLED, guards=(*OWN, *DONE_WITH), assigns=note_backup),
        Edge(NOTE_BACKUP, BACKUP_DUE, MIGRATION_DUE, guards=OWN, unless=DONE_WITH, assigns=note_backup),
        Edge(NOTE_BACKUP, MIGRATION_DUE, MIGRATION_DUE, guards=THE_SAME),
        Edge(NOTE_BACKUP, SETTLED, SETTLED, guards=THE_SAME),
        Edge(NOTE_MIGRATION, MIGRATION_DUE, SETTLED, guards=OWN, assigns=note_migration),
        Edge(NOTE_MIGRATION, SETTLED, SETTLED, guards=OWN),
        Edge(
            TAKE_BACK_MIGRATION,
            SETTLED,
            MIGRATION_DUE,
            guards=(context_is_its_own, config_was_migrated),
            assigns=take_back_migration,
        ),
        Edge(TAKE_BACK_MIGRATION, MIGRATION_DUE, MIGRATION_DUE, guards=OWN),
    ),
    otherwise={NOTE_MIGRATION: Code.INVALID_TRANSITION, TAKE_BACK_MIGRATION: Code.INVALID_TRANSITION},
)

UPGRADE_CONTEXT: Final = Regions[UpgradeContext](
    name="upgrade_groundwork",
    begins=Beginning(
        NOTE_CONTEXT,
        guards=(earlier_operation_is_over,),
        creates=note_context,
        otherwise=Code.TRANSITION_ACTIVE,
    ),
    absent=Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE,
    machines=(GROUNDWORK,),
    # Whether an upgrade is over stands in B1: the guard of the beginning asks the facts.
    replaceable=always,
)
