"""A backup as an answer. Source: `http.md` 5.3 (backups)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import shown
from ems_admin.machines.records.backup import BackedUpFile, LeftOut
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
