"""A restore worked out before it is made: what would be written, what it would change, what stands against it.

The plan is kept in memory, for whoever previewed it. Source: `http.md` 5.3 (restore/preview); `site.md` 9; ADR 37.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import RESTORED, BackupPart, BackupScope, LeftOut
from ems_admin.machines.records.reading import Unreadable
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.workflows.backups.looking import opened_set
from ems_admin.workflows.backups.plans import LIFETIME, RestorePlan
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.compose import secrets_of, serialise, without_mark
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.preview import document, hash_of
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.config.three_ways import Side, compare, merge
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.config import findings_here
from ems_admin.workflows.ports.backups import OpenedSet
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.records import RefusalError

Secrets = dict[str, dict[str, str]]


class ConflictPolicy(StrEnum):
    """What wins where the live config and the backup say different things."""

    KEEP_LIVE = "keep_live"
    """The live config: only what it lacks comes out of the backup."""
    TAKE_BACKUP = "take_backup"
    """The backup: the config becomes what it was, byte for byte."""


@frozen(kw_only=True)
class Fit:
    """Whether the build that is installed can run with what would be written, and if not, why."""

    ready: bool
    errors: tuple[ValidationEntry, ...]


@frozen(kw_only=True)
class RestorePreview:
    """What a restore would do. Without a plan id it cannot be done: the validation says why."""

    plan_id: str | None
    id: str
    scope: BackupScope
    conflict_policy: ConflictPolicy
    revision: str | None
    """The live config that it was compared with; null where there is none."""
    validation: Fit
    changed: bool
    diff: Diff
    secrets_added: tuple[str, ...]
    secrets_changed: tuple[str, ...]
    """Entries of the credential store, by their reference."""
    restores: tuple[BackupPart, ...]
    evidence: tuple[BackupPart, ...]
    """What the set holds and no restore writes back."""
    left_out: tuple[LeftOut, ...]


@frozen(kw_only=True)
class Wish:
    """What is to be restored, and how."""

    id: str
    scope: BackupScope
    conflict_policy: ConflictPolicy
    password: str | None = field(default=None, repr=False)


async def preview(house: House, caller: Caller, wish: Wish) -> RestorePreview:
    """Work a restore out and remember its plan for this caller. Writes nothing. Raises `RefusalError`.

    In this order: `not_found`, `backup_password_required`, `_invalid`, `backup_damaged`, `unsupported_value` (more is
    wanted than the set holds), `config_unreadable`, `credential_staging_failed`, what is wrong with the installed
    build.
    """
    opened = await opened_set(house, wish.id, wish.password)
    if wish.scope is BackupScope.FULL and opened.backup.scope is not BackupScope.FULL:
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/scope"))
    live = await house.config.config()
    # A config that says nothing is what many a backup is wanted for: its bytes are gone by, and replaced as a whole.
    takes_all = wish.conflict_policy is ConflictPolicy.TAKE_BACKUP
    before = None if takes_all and isinstance(live, Unreadable) else document(live)
    kept = _kept(opened)
    data, config = _result(before, kept, wish.conflict_policy)
    stored = await stored_secrets(house)
    secrets = _wanted_secrets(opened, stored, wish.conflict_policy)
    found = await findings_here(house, config)
    now = house.clock.boottime()
    plan = RestorePlan(
        id=house.ids.secret(),
        bearer=caller.name,
        backup=opened.backup.facts,
        sha256=opened.backup.sha256,
        base_revision=hash_of(live),
        baseline=before,
        config=config,
        data=data,
        secrets=secrets,
        until=now + LIFETIME,
    )
    if not found:
        house.restores.keep(plan, now)
    names = tuple(file.name for file in opened.files)
    return RestorePreview(
        plan_id=None if found else plan.id,
        id=wish.id,
        scope=wish.scope,
        conflict_policy=wish.conflict_policy,
        revision=plan.base_revision,
        validation=Fit(ready=not found, errors=found),
        changed=differs(live, data, secrets),
        diff=diff(before, config),
        secrets_added=tuple(ref for ref in secrets if ref not in stored),
        secrets_changed=tuple(ref for ref in secrets if ref in stored),
        restores=tuple(name for name in names if name in RESTORED),
        evidence=tuple(name for name in names if name not in RESTORED),
        left_out=opened.backup.left_out,
    )


def differs(live: FileReading, data: bytes, secrets: Secrets) -> bool:
    """Say whether a restore would change a byte."""
    return bool(secrets) or not isinstance(live, Content) or live.data != data


def _kept(opened: OpenedSet) -> bytes:
    """Give the config of a set. Raises `RefusalError`: a set without one restores nothing."""
    data = opened.data(BackupPart.CONFIG)
    if data is None:
        raise RefusalError(Refusal(Code.BACKUP_DAMAGED, detail=BackupPart.CONFIG))
    return without_mark(data)


def _result(before: Mapping[str, Any] | None, kept: bytes, policy: ConflictPolicy) -> tuple[bytes, Mapping[str, Any]]:
    """Give the bytes that would be written, and what they say."""
    wanted = document(Content(data=kept, revision="")) or {}
    if before is None or policy is ConflictPolicy.TAKE_BACKUP:
        return kept, wanted
    config = filled(before, wanted)
    return serialise(config), config


def filled(live: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Add to the live config what only the backup has, down to single keys and to named devices."""
    # Beside a reviewed config that is the live one, every field that differs is the backup's alone.
    missing = {field.pointer: Side.MINE for field in compare(live, live, kept).fields if Side.LIVE not in field.values}
    return merge(live, live, kept, choices=missing, take=Side.LIVE).config


def _wanted_secrets(opened: OpenedSet, stored: Secrets, policy: ConflictPolicy) -> Secrets:
    data = opened.data(BackupPart.CREDENTIALS)
    if data is None:
        return {}
    try:
        kept = secrets_of(data)
    except ValueError as error:
        raise RefusalError(Refusal(Code.BACKUP_DAMAGED, detail=BackupPart.CREDENTIALS)) from error
    takes = policy is ConflictPolicy.TAKE_BACKUP
    return {ref: entry for ref, entry in kept.items() if ref not in stored or (takes and stored[ref] != entry)}
