"""Making a backup: what is kept is read in one piece, written, and read back before anybody is told of it.

Source: `site.md` 9 (Backups, Steps); `faults.md` State files.
"""

from __future__ import annotations

import json
from typing import Final

from attrs import field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import (
    LABEL_LIMIT,
    BackupFacts,
    BackupOrigin,
    BackupPart,
    BackupScope,
    LeftOut,
)
from ems_admin.machines.records.reading import Absent, ReadFault, Unreadable
from ems_admin.workflows.config.compose import secrets_of
from ems_admin.workflows.config.preview import revision_of
from ems_admin.workflows.config.settlement import refuse_unsettled
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.backups import BackupFailure, BackupSet, Gathered, KeptFile, MadeSet, NotMade
from ems_admin.workflows.ports.engine import Progress, Report
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable

STEP: Final = "backup"
"""The one step that is reported."""


@frozen(kw_only=True)
class Wanted:
    """What a backup is to hold, and what it is to be called."""

    scope: BackupScope
    label: str
    origin: BackupOrigin
    backup_id: str | None = None
    """Given where a set has to be found again; otherwise one is minted."""
    password: str | None = field(default=None, repr=False)


async def make_backup(  # noqa: PLR0913  # these are the words of a backup
    house: House,
    *,
    scope: BackupScope,
    label: str,
    origin: BackupOrigin,
    backup_id: str | None = None,
    password: str | None = None,
    report: Report,
) -> BackupSet:
    """Make a set for whoever owns the site, prove it by reading it back, and give it; reports `backup`.

    With a `backup_id` it is made once: a whole set of that id is the answer, whoever made it before. Raises
    `RefusalError`: `config_unreadable` (also for a config that is absent), `config_commit_unprovable`, the codes of a
    write, and `backup_damaged` when the disk does not give back what was written.
    """
    wanted = Wanted(scope=scope, label=label, origin=origin, backup_id=backup_id, password=password)
    await refuse_unsettled(house)
    return await back_up(house, wanted, report)


async def back_up(house: House, wanted: Wanted, report: Report) -> BackupSet:
    """Do the same beside whoever owns the site: nothing is settled for them. Raises `RefusalError` alike."""
    require_label(wanted.label)
    if wanted.password == "":
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/password"))
    report(Progress(step=STEP, detail="gather"))
    now = house.clock.now()
    facts = BackupFacts(
        id=wanted.backup_id or f"{now:%Y%m%dT%H%M%SZ}-{house.ids.short()}",
        created_at=now,
        scope=wanted.scope,
        label=wanted.label,
        origin=wanted.origin,
        system_tag=await installed_tag(house),
    )
    gathered = await _gathered(house, wanted.scope)
    report(Progress(step=STEP, detail="write"))
    return proved(house, await house.backups.create(facts, gathered, wanted.password))


def proved(house: House, made: MadeSet | NotMade) -> BackupSet:
    """Give the set that is durable. Raises `RefusalError` with what kept it from becoming one."""
    match made:
        case MadeSet():
            if made.storage_unreliable:
                house.warnings.show(Code.STORAGE_UNRELIABLE)
            return made.backup
        case BackupFailure() | NotCommitted():
            raise RefusalError(Refusal(made.code, detail=made.detail))
        case Unprovable():
            raise RefusalError(Refusal(made.code))


def require_label(label: str) -> None:
    """Take a label that fits into one line. Raises `RefusalError` with `unsupported_value`."""
    if len(label) > LABEL_LIMIT or not label.isprintable():
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/label"))


def require_content(config: FileReading) -> Content:
    """Take a config that is there and says something. Raises `config_unreadable`, also for one that is absent."""
    revision_of(config)  # raises for one that cannot be read
    if not isinstance(config, Content):
        raise RefusalError(Refusal(Code.CONFIG_UNREADABLE, detail="absent"))
    return config


async def _gathered(house: House, scope: BackupScope) -> Gathered:
    """Read everything of a scope. Config and credentials are read under their lock: they belong together."""
    async with house.config.hold() as held:
        if not isinstance(await house.records.config_commit.read(), Absent):
            # A change that was cut has staged secrets beside the old config: the two do not belong together.
            raise RefusalError(Refusal(Code.CONFIG_COMMIT_UNPROVABLE))
        config, credentials = await held.config(), await held.credentials()
    content = require_content(config)
    found = Gathered(files=()) if scope is BackupScope.CONFIG else await house.backups.evidence()
    secrets = _credentials(credentials)
    kept = (KeptFile(name=BackupPart.CONFIG, data=content.data), *([secrets] if isinstance(secrets, KeptFile) else ()))
    left_out = (secrets,) if isinstance(secrets, LeftOut) else ()
    return Gathered(files=(*kept, *found.files), left_out=(*left_out, *found.left_out))


def _credentials(reading: FileReading) -> KeptFile | LeftOut | None:
    """Take the credential store if it is one; what is none is named in the set, and not passed on."""
    match reading:
        case Absent():
            return None
        case Unreadable(fault=fault):
            return LeftOut(name=BackupPart.CREDENTIALS, fault=fault)
        case Content(data=data):
            try:
                secrets_of(data)
            except (json.JSONDecodeError, UnicodeDecodeError):
                return LeftOut(name=BackupPart.CREDENTIALS, fault=ReadFault.NOT_JSON)
            except ValueError:
                return LeftOut(name=BackupPart.CREDENTIALS, fault=ReadFault.WRONG_SHAPE)
            return KeptFile(name=BackupPart.CREDENTIALS, data=data)
