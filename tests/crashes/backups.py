"""The workflows of backups: one is made, and one is restored."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.seams import CONFIG_COMMIT
from ems_admin.workflows.backups import looking
from tests.crashes.house import FileScene
from tests.crashes.stories import Story
from tests.workflows.backups.kept import creating, executing, kept, planned
from tests.workflows.backups.test_tidying import another, keeping
from tests.workflows.maintenance.edits import edited, installed, saving
from tests.workflows.scene import CONFIG, Scene


def full_of_backups() -> Scene:
    """As many are there as are kept: another one takes the place of the oldest."""
    scene = installed()
    for _ in range(2):
        another(scene)
    scene.do(keeping(scene, 2))
    return scene


def changed() -> Scene:
    scene, _ = kept()
    scene.do(saving(scene, edited(scene)))
    return scene


def broken() -> Scene:
    scene, _ = kept()
    scene.site.world.files[CONFIG] = b"{"
    return scene


def make(scene: FileScene) -> None:
    scene.do(creating(scene))
    scene.finish()


def restore(scene: FileScene) -> None:
    (backup,) = scene.do(looking.backup_list(scene.house)).backups
    scene.do(executing(scene, planned(scene, backup.id)))
    scene.finish()


BACKUPS: Final = (
    Story(title="Make a backup, and let the oldest go", before=full_of_backups, act=make),
    Story(title="Restore a backup (W7)", seams=(CONFIG_COMMIT,), before=changed, act=restore),
    Story(
        title="Restore a backup over a config that says nothing (W7)",
        seams=(CONFIG_COMMIT,),
        before=broken,
        act=restore,
    ),
)
