"""W8: the layout guards it, the old file stays, the new one is committed like any other (seed 000 2; site.md 9)."""

from __future__ import annotations

import json

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import ConfigCommit, WritePath
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.workflows.install_state import install_view
from tests.memory.world import Durable
from tests.workflows.maintenance.edits import LEGACY, installed, live, pointers, taking_over
from tests.workflows.places import fetched
from tests.workflows.scene import CONFIG, INTENT, Scene

OLD = b'\xef\xbb\xbf{"schema_version": 1}\n'


def legacy_install() -> Scene:
    scene = Scene()
    scene.site.world.files[LEGACY] = OLD
    return scene


def test_the_old_config_becomes_the_live_one_and_stays_where_it_was() -> None:
    scene = legacy_install()
    assert scene.do(install_view(scene.house)).legacy_migration_available
    migrated = scene.do(taking_over(scene))
    assert migrated.migrated
    assert scene.files[CONFIG] == OLD.removeprefix(b"\xef\xbb\xbf")
    assert scene.files[LEGACY] == scene.files[migrated.backup] == OLD
    seen = scene.do(install_view(scene.house))
    assert (seen.state, seen.legacy_migration_available) == (InstallState.STANDARD_CONFIG_ONLY, False)


def test_nothing_of_the_old_kind_is_said_so() -> None:
    scene = Scene()
    assert scene.refused(taking_over(scene)).code == Code.LEGACY_CONFIG_MISSING


def test_a_config_in_the_new_place_is_overwritten_only_with_a_yes_and_kept() -> None:
    scene = installed()
    before = scene.files[CONFIG]
    old = {**live(scene), "features": {"dashboard": False, "history": False, "winter_mode": True}}
    scene.site.world.files[LEGACY] = json.dumps(old).encode()
    assert scene.refused(taking_over(scene)).code == Code.TARGET_EXISTS
    assert scene.files[CONFIG] == before
    scene.do(taking_over(scene, overwrite=True))
    assert live(scene) == old
    assert before in [data for name, data in scene.files.items() if name.startswith("backups/config/")]


def test_an_old_config_that_its_build_would_not_run_is_refused_with_its_fields() -> None:
    scene = installed()
    scene.site.world.files[LEGACY] = b'{"schema_version": 1, "system": 5}'
    refusal = scene.refused(taking_over(scene, overwrite=True))
    assert "/system" in pointers(refusal)


def test_an_old_config_that_is_no_text_is_named() -> None:
    scene = Scene()
    scene.site.world.files[LEGACY] = b"{"
    assert scene.refused(taking_over(scene)).code == Code.CONFIG_UNREADABLE
    assert CONFIG not in scene.files


def test_it_waits_for_an_operation_and_for_a_yes() -> None:
    scene = fetched()
    scene.site.world.files[LEGACY] = OLD
    assert scene.refused(taking_over(scene)).code == Code.SYSTEM_TRANSITION_IN_PROGRESS
    assert scene.refused(taking_over(scene, confirm=False)).code == Code.CONFIRMATION_REQUIRED
    assert CONFIG not in scene.files


def test_a_config_that_appears_on_the_way_is_not_overwritten() -> None:
    """The layout that was looked at is looked at once more under the lock."""
    scene = legacy_install()
    work = taking_over(scene)
    scene.until(work, lambda mark: mark == Durable(INTENT))
    assert scene.record(INTENT, ConfigCommit).path is WritePath.LEGACY_MIGRATION
    scene.site.world.files[CONFIG] = b"{}"
    assert scene.refused(work).code == Code.TARGET_EXISTS
    assert (scene.files[CONFIG], INTENT in scene.files) == (b"{}", False)
