"""A site with a backup, and a person who wants something of it."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from ems_admin.machines.records.backup import BackupOrigin, BackupScope
from ems_admin.workflows.backups import making, planning, restoring
from ems_admin.workflows.backups.creating import Wanted
from ems_admin.workflows.backups.planning import ConflictPolicy, RestorePreview, Wish
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.backups import BackupSet
from tests.workflows.maintenance.edits import installed
from tests.workflows.scene import Scene

PASSWORD = "Küche 🔋"


def creating(scene: Scene, *, confirm: bool = True, **changes: Any) -> Coroutine[Any, Any, Job]:
    asked: dict[str, Any] = {"scope": BackupScope.CONFIG, "label": "", "origin": BackupOrigin.PERSON} | changes
    return making.create(scene.house, scene.caller, Wanted(**asked), confirm=confirm)


def created(scene: Scene, **changes: Any) -> BackupSet:
    """Make a backup, and let its job run to the end."""
    job = scene.job(creating(scene, **changes))
    assert job.error is None, job.error
    assert job.result is not None
    backup: BackupSet = job.result["backup"]
    return backup


def kept(**changes: Any) -> tuple[Scene, BackupSet]:
    """A site that runs, and a backup of it."""
    scene = installed()
    return scene, created(scene, **changes)


def previewing(scene: Scene, backup_id: str, **changes: Any) -> Coroutine[Any, Any, RestorePreview]:
    asked: dict[str, Any] = {
        "id": backup_id,
        "scope": BackupScope.CONFIG,
        "conflict_policy": ConflictPolicy.TAKE_BACKUP,
    } | changes
    return planning.preview(scene.house, scene.caller, Wish(**asked))


def planned(scene: Scene, backup_id: str, **changes: Any) -> str:
    """Preview a restore that can be done."""
    plan_id = scene.do(previewing(scene, backup_id, **changes)).plan_id
    assert plan_id is not None
    return plan_id


def executing(scene: Scene, plan_id: str, *, confirm: bool = True) -> Coroutine[Any, Any, Job]:
    return restoring.execute(scene.house, scene.caller, plan_id, confirm=confirm)


def restored(scene: Scene, backup_id: str, **changes: Any) -> Job:
    """Preview a restore and carry it out."""
    job = scene.job(executing(scene, planned(scene, backup_id, **changes)))
    assert job.error is None, job.error
    return job
