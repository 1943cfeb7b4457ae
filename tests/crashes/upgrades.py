"""The workflows of a Guided Upgrade: begun, walked through, handed over, gone on with, and put back."""

from __future__ import annotations

from functools import partial
from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.replacement.seams import REPLACEMENT
from ems_admin.machines.seams import CONFIG_COMMIT, SUCCESS
from ems_admin.machines.upgrade.seams import UPGRADE_BEGINNING, UPGRADE_WAY_BACK
from ems_admin.workflows.ports.engine import EngineFailure
from tests.crashes.house import FileScene
from tests.crashes.stories import Story, act
from tests.workflows.scene import Scene
from tests.workflows.upgrade.upgrades import (
    ALL,
    SAFE,
    executing,
    replaced,
    upgraded,
    with_a_broker_inside,
    yesterday,
)


def upgrade(scene: FileScene, options: UpgradeOptions = ALL) -> None:
    scene.do(executing(scene, options))
    scene.finish()


def to_a_sick_one(scene: FileScene) -> None:
    asked = executing(scene, SAFE)
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    scene.do(asked)
    scene.finish()


def handed_over() -> Scene:
    scene = yesterday(with_a_broker_inside, admin=True)
    upgraded(scene)
    return replaced(scene)


UPGRADES: Final = (
    Story(
        title="Upgrade the EMS, its config migrated",
        seams=(UPGRADE_BEGINNING, CONFIG_COMMIT, SUCCESS),
        before=partial(yesterday, with_a_broker_inside),
        act=upgrade,
    ),
    Story(
        title="Upgrade, and hand the Admin over",
        seams=(UPGRADE_BEGINNING, CONFIG_COMMIT, REPLACEMENT),
        before=partial(yesterday, with_a_broker_inside, admin=True),
        act=upgrade,
    ),
    Story(
        title="Resume an upgrade under its new Admin", seams=(SUCCESS,), before=handed_over, act=act("upgrade_resume")
    ),
    Story(
        title="Upgrade to an EMS that is not well, and go back",
        seams=(UPGRADE_BEGINNING, UPGRADE_WAY_BACK),
        before=yesterday,
        act=to_a_sick_one,
    ),
)
