"""Each way in which the config is written has a freshness check, and this is where it is named (seed 000 2; site.md 9).

A way that does not exist yet is named as such: whoever builds it finds its line here.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from tests.workflows.maintenance.edits import LEGACY, saving, taking_over
from tests.workflows.places import reviewed, running, written
from tests.workflows.scene import CONFIG, Scene

EXPORT = "W2"
"""The one write that is no config commit: it goes to the workflow's own directory."""
THEIRS = b'{"schema_version": 1, "changed": "by somebody else"}\n'


@frozen(kw_only=True)
class Freshness:
    """What a path holds against what is live, and where one stands when somebody else was quicker."""

    check: str
    code: Code
    stand: Callable[[], Scene]
    act: Callable[[Scene], Coroutine[Any, Any, Any]]


def late_save(scene: Scene) -> Coroutine[Any, Any, Any]:
    return saving(scene, {}, made_from="0" * 64)


def old_layout() -> Scene:
    scene = Scene()
    scene.site.world.files[LEGACY] = b'{"schema_version": 1}'
    return scene


PATHS: dict[str, Freshness] = {
    WritePath.SETUP_APPLY: Freshness(
        check="the exact preview was made against this very config",
        code=Code.STALE_SETUP_CONFIG,
        stand=reviewed,
        act=lambda scene: scene.applying(overwrite=True),
    ),
    EXPORT: Freshness(
        check="the exact preview was made against this very config",
        code=Code.STALE_SETUP_CONFIG,
        stand=reviewed,
        act=lambda scene: scene.writing(),
    ),
    WritePath.SETUP_DEPLOY: Freshness(
        check="the generated config was made against this very config, or is it",
        code=Code.STALE_GENERATED_CONFIG,
        stand=written,
        act=lambda scene: scene.preparing(overwrite=True),
    ),
    WritePath.MAINTENANCE_APPLY: Freshness(
        check="the edit was made from this very revision",
        code=Code.CONFLICT,
        stand=running,
        act=late_save,
    ),
    WritePath.LEGACY_MIGRATION: Freshness(
        check="the layout has no config in the new place",
        code=Code.TARGET_EXISTS,
        stand=old_layout,
        act=taking_over,
    ),
}
STILL_TO_COME = {WritePath.MQTT_MIGRATION, WritePath.UPGRADE_MIGRATION, WritePath.BACKUP_RESTORE}


def test_every_path_is_named_once() -> None:
    assert set(PATHS) == {*WritePath, EXPORT} - STILL_TO_COME


@pytest.mark.parametrize("path", PATHS)
def test_a_config_that_somebody_else_has_changed_is_not_written_over(path: str) -> None:
    freshness = PATHS[path]
    scene = freshness.stand()
    scene.site.world.files[CONFIG] = THEIRS
    assert scene.refused(freshness.act(scene)).code == freshness.code
    assert scene.files[CONFIG] == THEIRS
