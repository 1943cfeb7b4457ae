"""Backups as people see them: the list, what one of them holds, and how it differs from what is live.

Nothing here writes, and no secret leaves a set. Source: `http.md` 5.3 (backups); `site.md` 9.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.backup_retention import may_be_deleted
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import (
    BackedUpFile,
    BackupOrigin,
    BackupPart,
    BackupScope,
    LeftOut,
)
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Reading, Unreadable
from ems_admin.machines.records.upgrade import UpgradeContext
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.backups import BackupFailure, BackupSet, DamagedSet, OpenedSet
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError

COMPARED: Final = frozenset(BackupPart) - {BackupPart.COMPOSE_FILE}
"""What is JSON, whose secrets can be told by their keys, and masked."""


@frozen(kw_only=True)
class Damage:
    """Why a file in the place of a set is none."""

    fault: ReadFault
    detail: str | None


@frozen(kw_only=True)
class Listed:
    """One line of the list. Of a damaged set nothing is known but its id; of a locked one not what it holds."""

    id: str
    created_at: datetime | None
    scope: BackupScope | None
    label: str | None
    origin: BackupOrigin | None
    system_tag: str | None
    locked: bool
    bytes: int | None
    files: tuple[BackedUpFile, ...] | None
    left_out: tuple[LeftOut, ...] | None
    damage: Damage | None
    deletable: bool
    """Whether no upgrade rests on it that is not over."""


@frozen(kw_only=True)
class BackupList:
    """Every set, the newest first, damaged ones last."""

    backups: tuple[Listed, ...]
    keep: int | None
    """How many are kept when a new one is made; null for all."""
    keep_known: bool
    """False where that cannot be read: nothing is removed by itself then."""
    unreadable: ReadFault | None
    """Why the folder of the sets cannot be looked at; the list is empty then, and says nothing."""
    free_bytes: int | None


@frozen(kw_only=True)
class BackupDiff:
    """One file of a set beside what is there now."""

    id: str
    file: BackupPart
    diff: Diff
    revision: str | None
    """Of the file that is there now; null for none."""


async def backup_list(house: House) -> BackupList:
    """Look at every set."""
    found, upgrade = await house.backups.sets(), await house.records.upgrade.read()
    retention = await house.backups.retention()
    unreadable = found.fault if isinstance(found, Unreadable) else None
    return BackupList(
        backups=() if isinstance(found, Unreadable) else tuple(listed(one, upgrade) for one in found),
        keep=retention.record.keep if isinstance(retention, Present) else None,
        keep_known=not isinstance(retention, Unreadable),
        unreadable=unreadable,
        free_bytes=await house.installation.free_bytes(),
    )


def listed(one: BackupSet | DamagedSet, upgrade: Reading[UpgradeContext]) -> Listed:
    """Give the line of a set."""
    deletable = may_be_deleted(upgrade, one.id)
    if isinstance(one, DamagedSet):
        return Listed(
            id=one.id,
            created_at=None,
            scope=None,
            label=None,
            origin=None,
            system_tag=None,
            locked=False,
            bytes=one.bytes,
            files=None,
            left_out=None,
            damage=Damage(fault=one.fault, detail=one.detail),
            deletable=deletable,
        )
    return Listed(
        id=one.id,
        created_at=one.created_at,
        scope=one.scope,
        label=one.facts.label,
        origin=one.origin,
        system_tag=one.facts.system_tag,
        locked=one.locked,
        bytes=one.bytes,
        files=one.contents.files if one.contents else None,
        left_out=one.contents.left_out if one.contents else None,
        damage=None,
        deletable=deletable,
    )


async def inspect(house: House, backup_id: str, password: str | None) -> Listed:
    """Open a set, prove every byte of it, and say what it holds. Raises `RefusalError`."""
    opened = await opened_set(house, backup_id, password)
    return listed(opened.backup, await house.records.upgrade.read())


async def compare(house: House, backup_id: str, password: str | None, part: BackupPart) -> BackupDiff:
    """Compare a file of a set with what is there now, secrets masked. Raises `RefusalError`.

    `unsupported_value` for a file that cannot be masked, `not_found` for one that the set does not hold.
    """
    if part not in COMPARED:
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/file"))
    opened = await opened_set(house, backup_id, password)
    kept = opened.data(part)
    if kept is None:
        raise RefusalError(Refusal(Code.NOT_FOUND, detail=part))
    there, revision = await _there_now(house, part)
    return BackupDiff(id=backup_id, file=part, diff=diff(there, _document(kept) or {}), revision=revision)


async def download(house: House, backup_id: str) -> bytes:
    """Give a set as the file that it is. Raises `RefusalError`.

    Only a locked one leaves the machine: an open one holds secrets, and an answer never does.
    """
    data = await house.backups.data(backup_id)
    if isinstance(data, Absent):
        raise RefusalError(Refusal(Code.NOT_FOUND))
    if isinstance(data, BackupFailure):
        raise RefusalError(Refusal(data.code, detail=data.detail))
    probe = await house.backups.open(backup_id, None)
    if not (isinstance(probe, BackupFailure) and probe.code is Code.BACKUP_PASSWORD_REQUIRED):
        raise RefusalError(Refusal(Code.BACKUP_PASSWORD_REQUIRED, detail="not_locked"))
    return data


async def opened_set(house: House, backup_id: str, password: str | None) -> OpenedSet:
    """Open a set. Raises `RefusalError`: `not_found`, `backup_password_required`, `_invalid`, `backup_damaged`."""
    match await house.backups.open(backup_id, password):
        case OpenedSet() as opened:
            return opened
        case BackupFailure(code=code, detail=detail):
            raise RefusalError(Refusal(code, detail=detail))
        case Absent():
            raise RefusalError(Refusal(Code.NOT_FOUND))


async def _there_now(house: House, part: BackupPart) -> tuple[dict[str, Any] | None, str | None]:
    """Read a file as it is now; one that says nothing usable is compared as none."""
    if part in {BackupPart.CONFIG, BackupPart.CREDENTIALS}:
        live = await (house.config.config() if part is BackupPart.CONFIG else house.config.credentials())
        return (_document(live.data), live.revision) if isinstance(live, Content) else (None, None)
    evidence = await house.backups.evidence()
    data = next((file.data for file in evidence.files if file.name is part), None)
    return (None if data is None else _document(data)), None


def _document(data: bytes) -> dict[str, Any] | None:
    """Read JSON; what says nothing usable by now is compared as none."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else {"": value}
