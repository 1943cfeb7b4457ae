"""Backups: made, looked at, carried away and back, restored. Source: `http.md` 5.3 (Maintenance); `seed 000` 2 (W7)."""

from __future__ import annotations

import base64
import binascii
from http import HTTPStatus
from typing import Final

from attrs import field, frozen

from ems_admin.http.route import Asked, File, Granted, Nothing, Outside, get, post
from ems_admin.http.routes.maintenance import MAINTENANCE
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.backup import BackupOrigin, BackupPart, BackupScope
from ems_admin.workflows.backups import looking, making, planning, restoring, tidying
from ems_admin.workflows.backups.creating import Wanted
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.backups import BackupSet
from ems_admin.workflows.ports.records import RefusalError

BACKUPS: Final = f"{MAINTENANCE}/backups"
CARRIED: Final = 6 * 1024 * 1024
"""Bytes of a body that carries a set: the largest one, in base64."""
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Creation:
    """What is to be kept, under which name, and locked with which password."""

    scope: BackupScope = BackupScope.CONFIG
    label: str = ""
    password: str | None = field(default=None, repr=False)
    confirm: bool = False


@frozen(kw_only=True)
class Named:
    """A set, and what opens it."""

    id: str
    password: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Compared(Named):
    """A set, and the file of it that is compared."""

    file: BackupPart = BackupPart.CONFIG


@frozen(kw_only=True)
class Deletion:
    """A set that is to go."""

    id: str = ""
    confirm: bool = False


@frozen(kw_only=True)
class Keeping:
    """How many sets are kept; null for all."""

    keep: int | None = None
    confirm: bool = False


@frozen(kw_only=True)
class Carried:
    """A set as base64."""

    data: str = field(default="", repr=False)
    confirm: bool = False

    @property
    def bytes(self) -> bytes:
        """The set. Raises `RefusalError`."""
        try:
            return base64.b64decode(self.data, validate=True)
        except (binascii.Error, ValueError) as error:
            raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/data")) from error


@frozen(kw_only=True)
class Wanting(Named):
    """What is to come out of a set, and what wins where the live config says something else."""

    scope: BackupScope = BackupScope.CONFIG
    conflict_policy: planning.ConflictPolicy


@frozen(kw_only=True)
class Execution:
    """A restore that was previewed."""

    plan_id: str = ""
    confirm: bool = False


async def listing(asked: View) -> Granted[looking.BackupList]:
    """Every set."""
    return Granted(await looking.backup_list(asked.house))


async def create(asked: Asked[Creation, Nothing]) -> Granted[Job]:
    """Make a set."""
    body = asked.body
    wanted = Wanted(scope=body.scope, label=body.label, origin=BackupOrigin.PERSON, password=body.password)
    return Granted(await making.create(asked.house, asked.caller, wanted, confirm=body.confirm), HTTPStatus.ACCEPTED)


async def inspect(asked: Asked[Named, Nothing]) -> Granted[looking.Listed]:
    """What a set holds."""
    return Granted(await looking.inspect(asked.house, asked.body.id, asked.body.password))


async def compare(asked: Asked[Compared, Nothing]) -> Granted[looking.BackupDiff]:
    """One file of a set beside what is there now."""
    body = asked.body
    return Granted(await looking.compare(asked.house, body.id, body.password, body.file))


async def delete(asked: Asked[Deletion, Nothing]) -> Granted[tidying.Deleted]:
    """Remove a set."""
    return Granted(await tidying.delete(asked.house, asked.caller, asked.body.id, confirm=asked.body.confirm))


async def keep(asked: Asked[Keeping, Nothing]) -> Granted[tidying.Trimmed]:
    """Say how many sets are kept."""
    body = asked.body
    return Granted(await tidying.keep_at_most(asked.house, asked.caller, body.keep, confirm=body.confirm))


async def download(asked: View) -> File:
    """A locked set as a file."""
    backup_id = asked.names["id"]
    data = await looking.download(asked.house, backup_id)
    return File(data=data, content_type="application/octet-stream", name=f"{backup_id}.emsbackup")


async def upload(asked: Asked[Carried, Nothing]) -> Granted[BackupSet]:
    """Take a set in."""
    body = asked.body
    return Granted(await making.take_in(asked.house, asked.caller, body.bytes, confirm=body.confirm))


async def preview(asked: Asked[Wanting, Nothing]) -> Granted[planning.RestorePreview]:
    """What a restore would do."""
    body = asked.body
    wish = planning.Wish(id=body.id, scope=body.scope, conflict_policy=body.conflict_policy, password=body.password)
    return Granted(await planning.preview(asked.house, asked.caller, wish))


async def execute(asked: Asked[Execution, Nothing]) -> Granted[Job]:
    """Restore what was previewed (W7)."""
    body = asked.body
    job = await restoring.execute(asked.house, asked.caller, body.plan_id, confirm=body.confirm)
    return Granted(job, HTTPStatus.ACCEPTED)


ROUTES: Final = (
    get(BACKUPS, "Every backup, and how many are kept", listing),
    get(f"{BACKUPS}/{{id}}/download", "A locked backup as a file", download, scope=Scope.MAINTAIN),
    post(
        f"{BACKUPS}/create",
        "Make a backup",
        create,
        making.ROW,
        body=Creation,
        scope=Scope.MAINTAIN,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
    post(
        f"{BACKUPS}/inspect",
        "Open a backup and say what it holds",
        inspect,
        Outside.LOOKS,
        body=Named,
        scope=Scope.MAINTAIN,
        guesses=True,
    ),
    post(
        f"{BACKUPS}/diff",
        "Compare a file of a backup with what is there now",
        compare,
        Outside.LOOKS,
        body=Compared,
        scope=Scope.MAINTAIN,
        guesses=True,
    ),
    post(
        f"{BACKUPS}/delete",
        "Delete a backup",
        delete,
        tidying.DELETE_ROW,
        body=Deletion,
        scope=Scope.MAINTAIN,
    ),
    post(
        f"{BACKUPS}/retention",
        "Say how many backups are kept",
        keep,
        tidying.RETENTION_ROW,
        body=Keeping,
        scope=Scope.MAINTAIN,
    ),
    post(
        f"{BACKUPS}/upload",
        "Take in a backup that was made elsewhere",
        upload,
        making.ADD_ROW,
        body=Carried,
        limit=CARRIED,
        scope=Scope.MAINTAIN,
    ),
    post(
        f"{BACKUPS}/restore/preview",
        "Work a restore out",
        preview,
        Outside.LOOKS,
        body=Wanting,
        scope=Scope.MAINTAIN,
        guesses=True,
    ),
    post(
        f"{BACKUPS}/restore/execute",
        "Restore what was previewed",
        execute,
        restoring.ROW,
        body=Execution,
        scope=Scope.MAINTAIN,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
)
