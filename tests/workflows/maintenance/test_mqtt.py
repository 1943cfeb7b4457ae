"""W5: reviewed first, made exactly as reviewed, and nothing a second time (site.md 9; seed 000 2)."""

from __future__ import annotations

import json

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.maintenance.mqtt import (
    MigrationRequest,
    MigrationReview,
    MqttMigrated,
    apply_migration,
    review_migration,
)
from ems_admin.workflows.ports.runtime import RuntimeSync
from tests.memory.files import RUNTIME
from tests.workflows.maintenance.edits import installed, live, pointers, revision, stored_secrets
from tests.workflows.places import fetched
from tests.workflows.scene import CONFIG, Scene

INSIDE = {"host": "old.lan", "port": 1883, "username": "u", "password": "of-the-shed", "topic": "shed"}


def with_a_broker_inside(**more: object) -> Scene:
    scene = installed()
    config = live(scene)
    config["devices"].append({"name": "shed", "type": "mqtt", "mqtt": {**INSIDE, **more}})
    scene.site.world.files[CONFIG] = json.dumps(config).encode()
    return scene


def looked(scene: Scene) -> MigrationReview:
    return scene.do(review_migration(scene.house))


def request(review: MigrationReview) -> MigrationRequest:
    return MigrationRequest(
        revision=review.revision, migration_revision=review.migration_revision, confirm=True, backup=True
    )


def migrated(scene: Scene, asked: MigrationRequest) -> MqttMigrated:
    return scene.do(apply_migration(scene.house, scene.caller, asked))


def test_looking_writes_nothing_and_hides_the_password() -> None:
    scene = with_a_broker_inside()
    before = scene.files
    review = looked(scene)
    assert (review.needed, review.revision, review.findings) == (True, revision(scene), ())
    assert [change.target for change in review.changes] == ["/mqtt/brokers/old-lan"]
    assert "of-the-shed" not in repr(review)
    assert looked(scene) == review
    assert scene.files == before


def test_the_broker_moves_its_password_goes_to_the_store_and_the_running_ems_is_told() -> None:
    scene = with_a_broker_inside()
    scene.site.world.files[RUNTIME] = b"{}"
    before = scene.files[CONFIG]
    done = migrated(scene, request(looked(scene)))
    assert (done.changed, done.noop, done.revision) == (True, False, revision(scene))
    assert live(scene)["devices"][-1]["mqtt"] == {"broker_ref": "old-lan", "topic": "shed"}
    assert stored_secrets(scene)["old-lan"] == {"username": "u", "password": "of-the-shed"}
    assert "of-the-shed" not in scene.files[CONFIG].decode()
    assert scene.files[done.backup or ""] == before
    assert done.runtime_sync is RuntimeSync.SYNCED
    lines = scene.do(scene.house.history.list()).revisions  # type: ignore[union-attr]  # it can be read
    assert [line.path for line in lines[-2:]] == [None, WritePath.MQTT_MIGRATION]


def test_a_second_time_there_is_nothing_to_do() -> None:
    scene = with_a_broker_inside()
    migrated(scene, request(looked(scene)))
    before, again = scene.files, looked(scene)
    assert (again.needed, again.migration_revision) == (False, None)
    done = migrated(scene, request(again))
    assert (done.changed, done.noop, done.backup) == (False, True, None)
    assert scene.files == before


def test_another_review_than_this_one_is_not_carried_out() -> None:
    scene = with_a_broker_inside()
    asked = request(looked(scene))
    before = scene.files
    for wrong in (None, "0" * 64):
        refusal = scene.refused(apply_migration(scene.house, scene.caller, evolve(asked, migration_revision=wrong)))
        assert refusal.code == Code.MIGRATION_REVIEW_STALE
        assert {"revision", "diff", "three_ways"} <= refusal.more.keys()
    assert scene.files == before


def test_a_secret_that_changed_since_the_review_makes_it_another_one() -> None:
    scene = with_a_broker_inside()
    asked = request(looked(scene))
    config = live(scene)
    config["devices"][-1]["mqtt"]["password"] = "another"
    scene.site.world.files[CONFIG] = json.dumps(config).encode()
    late = evolve(asked, revision=revision(scene))
    assert scene.refused(apply_migration(scene.house, scene.caller, late)).code == Code.MIGRATION_REVIEW_STALE


def test_what_leaves_open_which_broker_is_meant_is_not_migrated_by_halves() -> None:
    scene = with_a_broker_inside()
    config = live(scene)
    config["devices"].append({"name": "attic", "type": "mqtt", "mqtt": {"broker_ref": "home", "host": "elsewhere"}})
    scene.site.world.files[CONFIG] = json.dumps(config).encode()
    before, review = scene.files, looked(scene)
    assert [entry.pointer for entry in review.findings][:1] == [f"/devices/{len(config['devices']) - 1}"]
    refused = scene.refused(apply_migration(scene.house, scene.caller, request(review)))
    assert f"/devices/{len(config['devices']) - 1}" in pointers(refused)
    assert scene.files == before


def test_it_waits_for_a_yes_an_operation_and_other_work() -> None:
    scene = with_a_broker_inside()
    asked = request(looked(scene))
    no = scene.refused(apply_migration(scene.house, scene.caller, evolve(asked, confirm=False)))
    assert no.code == Code.CONFIRMATION_REQUIRED
    scene.house.work.begin(WorkKind.BACKUP_RESTORE)
    assert scene.refused(apply_migration(scene.house, scene.caller, asked)).code == Code.WORK_IN_PROGRESS
    busy = fetched()
    refusal = busy.refused(apply_migration(busy.house, busy.caller, asked))
    assert refusal.code == Code.SYSTEM_TRANSITION_IN_PROGRESS


def test_without_a_config_there_is_nothing_to_migrate() -> None:
    scene = Scene()
    review = looked(scene)
    assert (review.needed, review.revision) == (False, None)
    assert migrated(scene, request(review)).noop
