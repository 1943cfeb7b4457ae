"""W4: an edit is saved over the revision it was made from, or nothing is (seed 000 2, 3.1; site.md 9; F46, F47)."""

from __future__ import annotations

import json

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import ConfigCommit, WritePath
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.config.diff import MASK, Diff
from ems_admin.workflows.ports.runtime import RuntimeSync
from tests.memory.files import RUNTIME
from tests.memory.world import Durable
from tests.workflows.maintenance.edits import (
    edited,
    installed,
    live,
    looking,
    pointers,
    revision,
    saving,
    shown,
)
from tests.workflows.places import prepared
from tests.workflows.scene import B1, CONFIG, CREDENTIALS, INTENT, Scene
from tests.workflows.situations import at, broken, of_mode


def test_an_edit_is_saved_with_a_backup_of_what_was_there() -> None:
    scene = installed()
    before = scene.files[CONFIG]
    applied = scene.do(saving(scene, edited(scene)))
    assert live(scene)["system"]["max_total_power"] == 4000
    assert (applied.changed, applied.revision) == (True, revision(scene))
    assert scene.files[applied.backup or ""] == before
    assert INTENT not in scene.files
    assert scene.house.work.holder is None


def test_a_backup_is_made_only_when_it_is_wanted() -> None:
    scene = installed()
    assert scene.do(saving(scene, edited(scene), backup=False)).backup is None


def test_an_edit_that_changes_nothing_writes_nothing() -> None:
    scene = installed()
    before = scene.files
    applied = scene.do(saving(scene, shown(scene)))
    assert (applied.changed, applied.backup) == (False, None)
    assert scene.files == before


def test_an_older_tab_is_refused_with_the_difference_to_what_is_live() -> None:
    scene = installed()
    old = revision(scene)
    mine = edited(scene, 3000)
    scene.do(saving(scene, edited(scene, 4000)))
    before = scene.files
    refusal = scene.refused(saving(scene, mine, made_from=old))
    assert refusal.code == Code.CONFLICT
    assert refusal.more["revision"] == revision(scene) != old
    difference = refusal.more["diff"]
    assert isinstance(difference, Diff)
    assert difference.changed == (("/system/max_total_power", 4000, 3000),)
    assert (difference.added, difference.removed) == ((), ())
    assert scene.files == before


def test_a_change_that_comes_between_check_and_commit_is_a_conflict_as_well() -> None:
    scene = installed()
    work = saving(scene, edited(scene), made_from=revision(scene))
    scene.until(work, lambda mark: mark == Durable(INTENT))
    theirs = scene.files[CONFIG].replace(b"5000", b"4500")
    scene.site.world.files[CONFIG] = theirs
    refusal = scene.refused(work)
    assert refusal.code == Code.CONFLICT
    assert scene.files[CONFIG] == theirs
    assert INTENT not in scene.files


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("stage", [stage for stage in Stage if stage is not Stage.FAILED_RECOVERABLE])
def test_any_operation_that_is_not_over_closes_the_config_whatever_its_mode(mode: Mode, stage: Stage) -> None:
    """Seed 000 3.1: the gate asks neither for the mode nor for the age."""
    scene = installed()
    of_mode(mode, scene)
    at(stage, scene)
    scene.site.clock.pass_time(scene.transition.expires_at - scene.transition.created_at)
    before = scene.files
    if stage in {Stage.COMPLETED, Stage.CANCELLED}:
        assert scene.do(saving(scene, edited(scene))).changed
        return
    refusal = scene.refused(saving(scene, edited(scene)))
    assert (refusal.code, refusal.detail) == (Code.SYSTEM_TRANSITION_IN_PROGRESS, str(stage))
    assert scene.files == before


def test_a_failed_operation_and_one_that_cannot_be_read_close_it_too() -> None:
    scene = prepared()
    assert scene.refused(saving(scene, edited(scene))).code == Code.SYSTEM_TRANSITION_IN_PROGRESS
    scene = installed()
    broken(B1, scene)
    refusal = scene.refused(saving(scene, edited(scene)))
    assert (refusal.code, refusal.detail) == (Code.SYSTEM_TRANSITION_IN_PROGRESS, Code.STATE_MALFORMED)


def test_a_config_with_faults_names_each_field_and_writes_nothing() -> None:
    scene = installed()
    before = scene.files
    draft = edited(scene, -1)
    draft["system"]["loop_interval_seconds"] = "fast"
    found = pointers(scene.refused(saving(scene, draft)))
    assert sorted(found) == ["/system/loop_interval_seconds", "/system/max_total_power"]
    assert scene.files == before


def test_a_config_whose_broker_is_gone_opens_names_the_field_and_can_be_mended() -> None:
    """F47."""
    scene = installed()
    config = live(scene)
    config["devices"][0] = {"name": "Shed", "type": "mqtt", "mqtt": {"broker_ref": "gone", "topic": "shed"}}
    scene.site.world.files[CONFIG] = json.dumps(config).encode()
    draft = edited(scene)
    found = scene.do(looking(scene, draft)).findings
    assert [(entry.code, entry.pointer) for entry in found] == [
        (Code.CONFIG_REFERENCE_UNRESOLVED, "/devices/0/mqtt/broker_ref")
    ]
    assert scene.refused(saving(scene, draft)).code == Code.VALIDATION_FAILED
    draft["devices"][0]["mqtt"]["broker_ref"] = "home"
    assert scene.do(saving(scene, draft)).changed


def test_two_devices_of_one_name_are_found() -> None:
    scene = installed()
    draft = shown(scene)
    draft["devices"].append({**draft["devices"][0], "serial_number": "other"})
    found = scene.do(looking(scene, draft)).findings
    assert (Code.DEVICE_IDENTITY_DUPLICATE, f"/devices/{len(draft['devices']) - 1}/name") in [
        (entry.code, entry.pointer) for entry in found
    ]


def test_without_a_yes_nothing_is_saved() -> None:
    scene = installed()
    assert scene.refused(saving(scene, edited(scene), confirm=False)).code == Code.CONFIRMATION_REQUIRED


def test_other_work_on_the_site_comes_first() -> None:
    scene = installed()
    scene.house.work.begin(WorkKind.BACKUP_RESTORE)
    refusal = scene.refused(saving(scene, edited(scene)))
    assert (refusal.code, refusal.more["operation"]) == (Code.WORK_IN_PROGRESS, WorkKind.BACKUP_RESTORE)


def test_looking_at_an_edit_writes_nothing_and_hides_the_new_secret() -> None:
    scene = installed()
    before, lines = scene.files, len(scene.site.journal.entries)
    draft = edited(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    revised = scene.do(looking(scene, draft))
    assert (revised.changed, revised.findings, revised.revision) == (True, (), revision(scene))
    assert revised.diff.changed == (("/system/max_total_power", 5000, 4000),)
    assert "another-secret" not in repr(revised.diff)
    assert (scene.files, len(scene.site.journal.entries)) == (before, lines)


def test_the_intent_of_a_save_names_its_path_and_a_cut_is_settled_either_way() -> None:
    scene = installed()
    draft, before = edited(scene), scene.files[CONFIG]
    scene.until(saving(scene, draft, made_from=revision(scene)), lambda mark: mark == Durable(INTENT))
    assert scene.record(INTENT, ConfigCommit).path is WritePath.MAINTENANCE_APPLY
    after = scene.restart()
    assert (after.files[CONFIG], INTENT in after.files) == (before, False)

    again: Scene = installed()
    again.until(saving(again, edited(again), made_from=revision(again)), lambda mark: mark == Durable(CONFIG))
    after = again.restart()
    assert (live(after)["system"]["max_total_power"], INTENT in after.files) == (4000, False)


def test_a_full_disk_leaves_every_byte_as_it_was() -> None:
    scene = installed()
    draft = edited(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    before = {name: scene.files[name] for name in (CONFIG, CREDENTIALS)}
    scene.fail(CONFIG)
    assert scene.refused(saving(scene, draft, backup=False)).code == Code.STATE_WRITE_FAILED
    assert {name: scene.files[name] for name in (CONFIG, CREDENTIALS)} == before
    assert scene.do(saving(scene, draft)).changed


@pytest.mark.parametrize(
    "brokers", [[], {"home": []}, {"home": {"password": 5}}, {"home": {"password": MASK, "credentials_ref": ["home"]}}]
)
def test_whatever_is_sent_in_the_place_of_a_broker_is_a_finding(brokers: object) -> None:
    scene = installed()
    draft = {**shown(scene), "mqtt": {"brokers": brokers}}
    assert scene.do(looking(scene, draft)).findings
    scene.site.world.files[CONFIG] = json.dumps(draft).encode()
    assert shown(scene)["mqtt"] != {}


def test_the_ems_that_runs_is_told_exactly_five_values_of_the_new_config() -> None:
    """W9: every other key of its file stays, and one that never ran is told nothing."""
    scene = installed()
    assert scene.do(saving(scene, edited(scene))).runtime_sync is RuntimeSync.ABSENT
    scene.site.world.files[RUNTIME] = json.dumps({"system.max_total_power": 1, "ui.theme": "dark"}).encode()
    assert scene.do(saving(scene, edited(scene, 3500))).runtime_sync is RuntimeSync.SYNCED
    assert json.loads(scene.files[RUNTIME]) == {
        "system.dry_run": False,
        "system.max_total_power": 3500,
        "system.deadband": 25,
        "system.loop_interval_seconds": 2,
        "features.winter_mode": False,
        "ui.theme": "dark",
    }
    before = scene.files[RUNTIME]
    assert scene.do(saving(scene, shown(scene))).runtime_sync is None
    assert scene.files[RUNTIME] == before
