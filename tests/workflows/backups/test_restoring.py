"""W7: a backup is restored over the config that was reviewed, or not at all (seed 000 2, 3.1; site.md 9; F06, F46)."""

# long because: one act, from its preview to its cuts, is told in one piece

from __future__ import annotations

import json
from datetime import timedelta

import attrs
import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import BackupPart, BackupScope
from ems_admin.machines.records.config_commit import ConfigCommit, WritePath
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.workflows.backups.planning import ConflictPolicy, filled
from ems_admin.workflows.config.diff import MASK, Diff
from ems_admin.workflows.config.three_ways import Side, Standing, ThreeWays
from ems_admin.workflows.ports.runtime import RuntimeSync
from tests.memory.files import RUNTIME
from tests.memory.house import TAG
from tests.memory.site import MemorySite
from tests.memory.world import Durable
from tests.workflows.backups.kept import PASSWORD, created, executing, kept, planned, previewing, restored
from tests.workflows.maintenance.edits import edited, installed, live, revision, saving, shown, stored_secrets
from tests.workflows.scene import CONFIG, CREDENTIALS, INTENT, PowerCut, Scene
from tests.workflows.situations import at, of_mode

MANIFEST = f"releases/{TAG}/manifest.json"


def changed_since(scene: Scene, power: int = 4000) -> None:
    scene.do(saving(scene, edited(scene, power)))


@pytest.mark.parametrize("password", [None, PASSWORD], ids=["open", "locked"])
def test_a_restore_brings_the_very_bytes_back_with_a_backup_of_what_was_there(password: str | None) -> None:
    scene, backup = kept(password=password)
    before = scene.files[CONFIG]
    changed_since(scene)
    theirs = scene.files[CONFIG]
    job = restored(scene, backup.id, password=password)
    assert scene.files[CONFIG] == before
    assert job.result is not None
    assert (job.result["changed"], job.result["revision"], job.result["id"]) == (True, revision(scene), backup.id)
    assert scene.files[job.result["backup"]] == theirs
    assert INTENT not in scene.files
    assert scene.house.work.holder is None


def test_umlauts_and_signs_come_back_as_they_were() -> None:
    """F06: "Küche 🔋", byte for byte, in any spelling that people may have given the file."""
    scene = installed()
    config = live(scene)
    config["devices"][0]["name"] = "Küche 🔋"
    odd = json.dumps(config, ensure_ascii=False, indent=1).replace("\n", "\r\n").encode() + b"\n\n"
    scene.site.world.files[CONFIG] = odd
    backup = created(scene, label="Küche 🔋")
    changed_since(scene)
    restored(scene, backup.id)
    assert scene.files[CONFIG] == odd
    assert backup.facts.label == "Küche 🔋"


def test_a_mark_at_the_head_of_the_file_is_not_written_again() -> None:
    """F07: accepted where people left it, and gone with the next save."""
    scene = installed()
    plain = scene.files[CONFIG]
    scene.site.world.files[CONFIG] = b"\xef\xbb\xbf" + plain
    backup = created(scene)
    changed_since(scene)
    restored(scene, backup.id)
    assert scene.files[CONFIG] == plain


def test_secrets_come_back_and_those_that_came_since_stay() -> None:
    scene, backup = kept()
    before = stored_secrets(scene)
    world = scene.site.world.files
    (ref,) = before
    since = {ref: {"username": "x", "password": "other"}, "new": {"username": "n", "password": "n"}}
    world[CREDENTIALS] = json.dumps({"format_version": 1, "credentials": since}).encode()
    seen = scene.do(previewing(scene, backup.id))
    assert (seen.secrets_added, seen.secrets_changed) == ((), (ref,))
    restored(scene, backup.id)
    assert stored_secrets(scene) == before | {"new": since["new"]}


def test_nothing_of_a_preview_shows_a_secret() -> None:
    scene, backup = kept()
    secret = next(iter(stored_secrets(scene).values()))["password"]
    changed_since(scene)
    seen = scene.do(previewing(scene, backup.id))
    assert secret not in repr(seen)
    assert secret not in repr(scene.house.restores)
    assert not any(secret in repr(entry) for entry in scene.site.journal.entries)


def test_a_preview_writes_nothing_and_says_what_would_change() -> None:
    scene, backup = kept()
    changed_since(scene)
    before = scene.files
    seen = scene.do(previewing(scene, backup.id))
    assert scene.files == before
    assert seen.diff.changed == (("/system/max_total_power", 4000, 5000),)
    assert (seen.changed, seen.revision, seen.validation.errors) == (True, revision(scene), ())
    assert (seen.restores, seen.evidence) == ((BackupPart.CONFIG, BackupPart.CREDENTIALS), ())


def test_a_restore_that_changes_nothing_writes_nothing() -> None:
    scene, backup = kept()
    before = scene.files
    assert not scene.do(previewing(scene, backup.id)).changed
    job = restored(scene, backup.id)
    assert job.result is not None
    assert (job.result["changed"], job.result["backup"]) == (False, None)
    assert scene.files == before


# Freshness


@pytest.mark.parametrize("policy", ConflictPolicy)
def test_a_config_that_was_changed_since_the_preview_stays_to_the_byte(policy: ConflictPolicy) -> None:
    """W7: a coded refusal with the revision, the difference, and all three sides; no policy forces it."""
    scene, backup = kept()
    changed_since(scene, 4500)
    plan_id = planned(scene, backup.id, conflict_policy=policy)
    changed_since(scene, 4000)
    before = scene.files
    refusal = scene.refused(executing(scene, plan_id))
    assert (refusal.code, refusal.detail) == (Code.CONFLICT, "config/config.json")
    assert refusal.more["revision"] == revision(scene)
    assert isinstance(refusal.more["diff"], Diff)
    three_ways = refusal.more["three_ways"]
    assert isinstance(three_ways, ThreeWays)
    (field,) = three_ways.fields
    assert field.pointer == "/system/max_total_power"
    assert field.values[Side.BASELINE] == 4500
    assert field.values[Side.LIVE] == 4000
    takes = policy is ConflictPolicy.TAKE_BACKUP
    assert (field.values[Side.MINE], field.standing) == (
        (5000, Standing.CONFLICT) if takes else (4500, Standing.LIVE_ONLY)
    )
    assert scene.files == before
    assert scene.house.work.holder is None


def test_a_change_by_hand_since_the_preview_is_one_as_well() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    scene.site.world.files[CONFIG] += b"\n"
    before = scene.files
    assert scene.refused(executing(scene, plan_id)).code == Code.CONFLICT
    assert scene.files == before


def test_a_change_between_check_and_commit_fails_the_job_and_stays() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    job = scene.do(executing(scene, plan_id))
    (task,) = scene.site.tasks.running
    while task.step() != Durable(INTENT):
        pass
    theirs = scene.files[CONFIG].replace(b"4000", b"4200")
    scene.site.world.files[CONFIG] = theirs
    scene.finish()
    assert job.error is not None
    assert job.error.code == Code.CONFLICT
    assert scene.files[CONFIG] == theirs
    assert INTENT not in scene.files


def test_one_plan_is_carried_out_once() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    first, second = scene.do(executing(scene, plan_id)), scene.do(executing(scene, plan_id))
    assert first is second
    scene.finish()
    assert scene.refused(executing(scene, plan_id)).code == Code.PLAN_UNKNOWN


def test_a_plan_is_its_session_s_own_and_does_not_last() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    other = attrs.evolve(scene.caller, session="browser-2")
    me, scene.caller = scene.caller, other
    assert scene.refused(executing(scene, plan_id)).code == Code.PLAN_UNKNOWN
    scene.caller = me
    scene.site.clock.pass_time(timedelta(seconds=1200))
    assert scene.refused(executing(scene, plan_id)).code == Code.PLAN_UNKNOWN
    assert scene.refused(executing(scene, "nobody")).code == Code.PLAN_UNKNOWN


def test_a_plan_does_not_survive_its_process() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    assert scene.restart().refused(executing(scene.restart(), plan_id)).code == Code.PLAN_UNKNOWN


def test_a_set_that_was_exchanged_since_the_preview_is_not_what_was_reviewed() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    file = f"backups/sets/{backup.id}.emsbackup"
    data = scene.site.world.files.pop(file)
    assert scene.refused(executing(scene, plan_id)).code == Code.PLAN_UNKNOWN
    scene.site.world.files[file] = data[:-1]
    assert scene.refused(executing(scene, plan_id)).code == Code.PLAN_UNKNOWN
    scene.site.world.files[file] = data
    assert scene.job(executing(scene, plan_id)).error is None


# Gates


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("stage", [Stage.ADMIN_RECONNECT_PENDING, Stage.RESOURCES_VERIFIED, Stage.HEALTHCHECK_PENDING])
def test_no_restore_beside_an_operation_that_is_not_over(mode: Mode, stage: Stage) -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    of_mode(mode, scene)
    at(stage, scene)
    before = scene.files
    refusal = scene.refused(executing(scene, plan_id))
    assert (refusal.code, refusal.detail) == (Code.SYSTEM_TRANSITION_IN_PROGRESS, str(stage))
    assert scene.files == before


def test_nothing_is_restored_without_a_yes() -> None:
    scene, backup = kept()
    changed_since(scene)
    plan_id = planned(scene, backup.id)
    assert scene.refused(executing(scene, plan_id, confirm=False)).code == Code.CONFIRMATION_REQUIRED


def test_a_backup_that_does_not_fit_the_build_has_no_plan() -> None:
    scene = installed()
    good = scene.files[CONFIG]
    config = live(scene)
    config["system"]["max_total_power"] = "much"
    scene.site.world.files[CONFIG] = json.dumps(config).encode()
    backup = created(scene)
    scene.site.world.files[CONFIG] = good
    seen = scene.do(previewing(scene, backup.id))
    assert seen.plan_id is None
    assert [entry.pointer for entry in seen.validation.errors] == ["/system/max_total_power"]


def test_a_build_that_cannot_be_read_says_nothing_of_a_backup() -> None:
    """It is not taken for one that is not there, which nothing could be held against."""
    scene, backup = kept()
    scene.site.world.files[MANIFEST] = b"{"
    assert scene.refused(previewing(scene, backup.id)).code is Code.SYSTEM_BUILD_RESOURCES_INVALID
    del scene.site.world.files[MANIFEST]
    assert scene.do(previewing(scene, backup.id)).plan_id is not None


def test_more_than_a_set_holds_is_not_restored_from_it() -> None:
    scene, backup = kept()
    refusal = scene.refused(previewing(scene, backup.id, scope=BackupScope.FULL))
    assert (refusal.code, refusal.detail) == (Code.UNSUPPORTED_VALUE, "/scope")


def test_the_rest_of_a_full_set_is_evidence_and_stays_where_it_is() -> None:
    scene, backup = kept(scope=BackupScope.FULL)
    changed_since(scene)
    seen = scene.do(previewing(scene, backup.id, scope=BackupScope.FULL))
    assert BackupPart.KNOWN_GOOD in seen.evidence
    marker = "state/known-good-system-build.json"
    theirs = scene.site.world.files[marker] = scene.files[marker].replace(b"v1.0.0", b"v1.0.1")
    restored(scene, backup.id, scope=BackupScope.FULL)
    assert scene.files[marker] == theirs


# A first run


def test_a_new_site_takes_the_config_of_an_old_one() -> None:
    old, backup = kept(password=PASSWORD)
    file = f"backups/sets/{backup.id}.emsbackup"
    new = Scene(site=MemorySite())
    new.site.world.files[file] = old.files[file]
    seen = new.do(previewing(new, backup.id, password=PASSWORD))
    assert (seen.revision, seen.changed, seen.diff.removed) == (None, True, ())
    restored(new, backup.id, password=PASSWORD)
    assert new.files[CONFIG] == old.files[CONFIG]
    assert stored_secrets(new) == stored_secrets(old)


def test_a_config_that_came_since_the_preview_of_a_first_run_is_a_conflict() -> None:
    old, backup = kept()
    file = f"backups/sets/{backup.id}.emsbackup"
    new = Scene(site=MemorySite())
    new.site.world.files[file] = old.files[file]
    plan_id = planned(new, backup.id)
    new.site.world.files[CONFIG] = b"{}"
    refusal = new.refused(executing(new, plan_id))
    assert refusal.code == Code.CONFLICT
    assert new.files[CONFIG] == b"{}"


# A config that says nothing


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff", b'{"a": 1, "a": 2}'])
def test_a_config_that_cannot_be_read_is_set_aside_and_replaced(broken: bytes) -> None:
    scene, backup = kept()
    before = scene.files[CONFIG]
    scene.site.world.files[CONFIG] = broken
    job = restored(scene, backup.id)
    assert scene.files[CONFIG] == before
    assert job.result is not None
    assert job.result["backup"].endswith(".unreadable")
    assert scene.files[job.result["backup"]] == broken


def test_other_bytes_that_cannot_be_read_are_a_conflict_like_any_change() -> None:
    scene, backup = kept()
    scene.site.world.files[CONFIG] = b"{"
    plan_id = planned(scene, backup.id)
    scene.site.world.files[CONFIG] = b"{{"
    before = scene.files
    assert scene.refused(executing(scene, plan_id)).code == Code.CONFLICT
    assert scene.files == before


def test_nothing_is_added_to_a_config_that_cannot_be_read() -> None:
    scene, backup = kept()
    scene.site.world.files[CONFIG] = b"{"
    refusal = scene.refused(previewing(scene, backup.id, conflict_policy=ConflictPolicy.KEEP_LIVE))
    assert (refusal.code, refusal.detail) == (Code.CONFIG_UNREADABLE, "not_json")


def test_a_cut_restore_over_a_config_that_cannot_be_read_is_settled_by_its_bytes() -> None:
    for cut in range(1, 30):
        scene, backup = kept()
        good = scene.files[CONFIG]
        scene.site.world.files[CONFIG] = b"{"
        plan_id = planned(scene, backup.id)
        scene.cut_after = len(scene.durable) + cut
        try:
            scene.job(executing(scene, plan_id))
        except PowerCut:
            pass
        else:
            return
        scene = scene.restart()
        assert scene.house.startup.passed
        assert INTENT not in scene.files
        assert scene.files[CONFIG] in (b"{", good)
        restored(scene, backup.id)
        assert scene.files[CONFIG] == good
    pytest.fail("it never came to its end")


# Policy


def test_keeping_what_is_live_adds_only_what_it_lacks() -> None:
    scene, backup = kept()
    draft = shown(scene)
    gone = draft["devices"].pop(0)
    draft["system"]["max_total_power"] = 4000
    scene.do(saving(scene, draft))
    restored(scene, backup.id, conflict_policy=ConflictPolicy.KEEP_LIVE)
    after = live(scene)
    assert after["system"]["max_total_power"] == 4000
    assert sorted(device["name"] for device in after["devices"]) == sorted(
        device["name"] for device in (gone, *draft["devices"])
    )


@pytest.mark.parametrize(
    ("now", "kept_", "result"),
    [
        ({"a": 1}, {"a": 2, "b": 3}, {"a": 1, "b": 3}),
        ({"a": {"x": 1}}, {"a": {"x": 2, "y": 3}}, {"a": {"x": 1, "y": 3}}),
        ({"a": [1]}, {"a": [1, 2]}, {"a": [1]}),
        ({"a": None}, {"a": 2}, {"a": None}),
        (
            {"d": [{"name": "a", "p": 1}]},
            {"d": [{"name": "b", "p": 2}, {"name": "a", "p": 9, "q": 1}]},
            {"d": [{"name": "a", "p": 1, "q": 1}, {"name": "b", "p": 2}]},
        ),
        ({}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {}, {"a": 1}),
    ],
)
def test_what_is_live_wins_down_to_single_keys(now: object, kept_: object, result: object) -> None:
    assert filled(now, kept_) == result  # type: ignore[arg-type]
    assert filled(result, kept_) == result  # type: ignore[arg-type]  # once more changes nothing


# Cuts


def test_a_cut_at_every_durable_step_leaves_the_old_config_or_the_new_one() -> None:
    """With its own secrets, whichever it is; and the next restore ends well."""
    seen: set[str] = set()
    for cut in range(1, 30):
        scene, backup = kept()
        before = scene.files[CONFIG]
        changed_since(scene)
        pairs = {scene.files[CONFIG]: "old"}
        pairs[before] = "new"
        plan_id = planned(scene, backup.id)
        scene.cut_after = len(scene.durable) + cut
        try:
            scene.job(executing(scene, plan_id))
        except PowerCut:
            pass
        else:
            assert seen == {"old", "new"}
            return
        scene = scene.restart()
        assert INTENT not in scene.files
        seen.add(pairs[scene.files[CONFIG]])
        restored(scene, backup.id)
        assert pairs[scene.files[CONFIG]] == "new"
    pytest.fail("it never came to its end")


def test_the_intent_says_that_a_backup_is_restored() -> None:
    scene, backup = kept()
    changed_since(scene)
    scene.do(executing(scene, planned(scene, backup.id)))
    (task,) = scene.site.tasks.running
    while task.step() != Durable(INTENT):
        pass
    assert scene.record(INTENT, ConfigCommit).path is WritePath.BACKUP_RESTORE
    scene.finish()


def test_the_ems_that_runs_is_told() -> None:
    """W9."""
    scene, backup = kept()
    changed_since(scene)
    scene.site.world.files[RUNTIME] = b'{"system.max_total_power": 4000, "mine": 1}'
    job = restored(scene, backup.id)
    assert job.result is not None
    assert job.result["runtime_sync"] is RuntimeSync.SYNCED
    assert json.loads(scene.files[RUNTIME])["system.max_total_power"] == 5000
    assert MASK not in scene.files[CONFIG].decode()
