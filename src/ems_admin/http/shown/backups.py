"""Backups as answers: a set that was made or taken in, and a restore that was worked out. Source: `http.md` 5.3."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.config import ValidationShape
from ems_admin.http.shown.shape import Like, fields, shown
from ems_admin.machines.records.backup import BackedUpFile, LeftOut
from ems_admin.workflows.backups.planning import RestorePreview
from ems_admin.workflows.ports.backups import BackupSet


class BackupShape(TypedDict):
    """A whole set; what a locked one holds is not told before it is open."""

    id: str
    created_at: str
    scope: str
    label: str
    origin: str
    system_tag: str | None
    locked: bool
    bytes: int
    files: Annotated[Any, tuple[BackedUpFile, ...] | None]
    left_out: Annotated[Any, tuple[LeftOut, ...] | None]


@shown.register
def _set(backup: BackupSet) -> BackupShape:
    contents = backup.contents
    return {
        "id": backup.id,
        "created_at": shown(backup.created_at),
        "scope": str(backup.scope),
        "label": backup.facts.label,
        "origin": str(backup.origin),
        "system_tag": backup.facts.system_tag,
        "locked": backup.locked,
        "bytes": backup.bytes,
        "files": None if contents is None else shown(contents.files),
        "left_out": None if contents is None else shown(contents.left_out),
    }


@shown.register
def _preview(
    preview: RestorePreview,
) -> Annotated[dict[str, Any], Like(kind=RestorePreview, but={"validation": ValidationShape})]:
    whole = fields(preview)
    errors = whole.pop("findings")
    return {**whole, "validation": {"ready": not errors, "errors": errors}}
