"""Each way in which the config is written has a freshness check, and this is where it is named (seed 000 2; site.md 9).

Between review and commit somebody else changes the live config: every byte is as they left it, the code of the path
says so, and its answer shows what they made beside what was wanted. A way that does not exist yet is named as such.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.three_ways import Side, ThreeWays
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.mqtt import MigrationRequest, apply_migration, review_migration
from ems_admin.workflows.ports.records import RefusalError
from tests.crashes.forks import folder_of_files
from tests.crashes.ground import Ground
from tests.crashes.house import process
from tests.memory.world import Durable
from tests.workflows.maintenance.edits import LEGACY, edited, installed, revision, saving, taking_over
from tests.workflows.places import again, secret_draft
from tests.workflows.scene import B0, CONFIG, CREDENTIALS, INTENT, Scene

EXPORT = "W2"
"""The one write that is no config commit: it goes to the workflow's own directory."""
THEIRS = b'{"schema_version": 1, "changed": "by somebody else"}\n'
Act = Coroutine[Any, Any, Any]


@frozen(kw_only=True)
class Freshness:
    """What a path holds against what is live, and where one stands when somebody else was quicker."""

    check: str
    code: Code
    stand: Callable[[], Scene]
    review: Callable[[Scene], Callable[[Scene], Act]]
    """What is reviewed is carried out by what this gives, in whichever process that is."""
    compared: bool = True
    """Whether there is a review to be shown beside the other two."""


def draft_over_a_config() -> Scene:
    """Somebody's config is live, and the draft of a Setup was shown beside it."""
    scene = again("fetched")
    scene.site.world.files[CONFIG] = b'{"schema_version": 1, "features": {"dashboard": true}}\n'
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {"old": {"username": "a"}}}'
    scene.review(secret_draft())
    return scene


def export_over_a_config() -> Scene:
    scene = draft_over_a_config()
    scene.do(scene.writing())
    return scene


def save(scene: Scene) -> Callable[[Scene], Act]:
    draft, base = edited(scene), revision(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    return lambda at: saving(at, draft, made_from=base)


def broker_inside_a_device() -> Scene:
    scene = installed()
    config = json.loads(scene.files[CONFIG])
    inside = {"host": "old.lan", "username": "u", "password": "p", "topic": "shed"}
    config["devices"].append({"name": "shed", "type": "mqtt", "mqtt": inside})
    data = json.dumps(config).encode()
    scene.site.world.files[CONFIG] = data
    # An older build has taken it: its schema still had a place for it.
    scene.do(scene.house.history.keep(data, path=WritePath.MAINTENANCE_APPLY, base=None, commit_id="older"))
    return scene


def migrate(scene: Scene) -> Callable[[Scene], Act]:
    review = scene.do(review_migration(scene.house))
    assert (review.needed, review.findings) == (True, ())
    request = MigrationRequest(
        revision=review.revision, migration_revision=review.migration_revision, confirm=True, backup=True
    )
    return lambda at: apply_migration(at.house, at.caller, request)


def old_layout() -> Scene:
    scene = Scene()
    scene.site.world.files[LEGACY] = b'{"schema_version": 1}'
    return scene


PATHS: dict[str, Freshness] = {
    WritePath.SETUP_APPLY: Freshness(
        check="the exact preview was made against this very config",
        code=Code.STALE_SETUP_CONFIG,
        stand=draft_over_a_config,
        review=lambda _scene: lambda at: at.applying(overwrite=True),
    ),
    EXPORT: Freshness(
        check="the exact preview was made against this very config",
        code=Code.STALE_SETUP_CONFIG,
        stand=draft_over_a_config,
        review=lambda _scene: lambda at: at.writing(),
    ),
    WritePath.SETUP_DEPLOY: Freshness(
        check="the generated config was made against this very config, or is it",
        code=Code.STALE_GENERATED_CONFIG,
        stand=export_over_a_config,
        review=lambda _scene: lambda at: at.preparing(overwrite=True),
    ),
    WritePath.MAINTENANCE_APPLY: Freshness(
        check="the edit was made from this very revision", code=Code.CONFLICT, stand=installed, review=save
    ),
    WritePath.MQTT_MIGRATION: Freshness(
        check="the migration was reviewed of this very revision",
        code=Code.CONFLICT,
        stand=broker_inside_a_device,
        review=migrate,
    ),
    WritePath.LEGACY_MIGRATION: Freshness(
        check="the layout has no config in the new place",
        code=Code.TARGET_EXISTS,
        stand=old_layout,
        review=lambda _scene: taking_over,
        compared=False,
    ),
}
ELSEWHERE = {
    WritePath.UPGRADE_MIGRATION: "tests/workflows/upgrade",
    WritePath.BACKUP_RESTORE: "tests/workflows/backups",
}
"""Their reviews are plans of their own, and their tests stand beside those."""


def test_every_path_is_named_once() -> None:
    assert set(PATHS) | set(ELSEWHERE) == {*WritePath, EXPORT}


@pytest.mark.parametrize("path", PATHS)
def test_a_config_that_was_changed_after_the_review_is_not_written_over(path: str) -> None:
    freshness = PATHS[path]
    scene = freshness.stand()
    act = freshness.review(scene)
    scene.site.world.files[CONFIG] = THEIRS
    before = scene.files
    shown(scene.refused(act(scene)), freshness)
    assert besides(scene.files) == besides(before)


@pytest.mark.parametrize("path", [path for path in PATHS if path != EXPORT])
def test_a_config_that_is_changed_between_check_and_commit_is_not_written_over_either(path: str) -> None:
    """The secrets are staged by then, and are put back byte for byte."""
    freshness = PATHS[path]
    scene = freshness.stand()
    act = freshness.review(scene)
    before = scene.files
    refusal = interrupted(scene, act(scene))
    shown(refusal, freshness, reviewed=True)
    after = besides(scene.files)
    assert after == {**besides(before), CONFIG: THEIRS}
    assert not [name for name in scene.files if "kept" in name or name == INTENT]


@pytest.mark.parametrize("path", PATHS)
def test_on_a_disk_no_file_and_no_leftover_is_touched(path: str) -> None:
    freshness = PATHS[path]
    scene = freshness.stand()
    act = freshness.review(scene)
    with folder_of_files() as folder:
        ground = Ground(folder)
        ground.lay(scene.site.world)
        ground.files[CONFIG] = THEIRS
        with process(ground, scene) as at:
            before, seen = ground.picture(), stamps(ground)
            shown(at.refused(act(at)), freshness)
            assert besides(ground.picture()) == besides(before)
            assert stamps(ground) == seen


def stamps(ground: Ground) -> list[tuple[int, int]]:
    """Tell that neither file was even written as it is."""
    files: list[Path] = [ground.path(name) for name in (CONFIG, CREDENTIALS) if ground.path(name).exists()]
    return [(file.stat().st_mtime_ns, file.stat().st_ino) for file in files]


def besides(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out the revoked preview, and the backups that are made before anything else."""
    return {name: data for name, data in files.items() if name != B0 and not name.startswith("backups/config/")}


def shown(refusal: Refusal, freshness: Freshness, *, reviewed: bool = False) -> None:
    """The answer names the code, the live revision and the difference, and what was reviewed where that is known."""
    assert refusal.code == freshness.code
    difference = refusal.more["diff"]
    assert isinstance(difference, Diff)
    assert "/changed" in [pointer for pointer, _value in difference.removed]
    assert len(str(refusal.more["revision"])) == 64
    assert "another-secret" not in repr(refusal.more)
    assert "broker-secret" not in repr(refusal.more)
    if freshness.compared or reviewed:
        ways = refusal.more["three_ways"]
        assert isinstance(ways, ThreeWays)
        changed = next(field for field in ways.fields if field.pointer == "/changed")
        assert (changed.standing, dict(changed.values)) == ("live_only", {Side.LIVE: "by somebody else"})


def interrupted(scene: Scene, work: Act) -> Refusal:
    """Let somebody change the config when the intent is there, and give what the person is told."""
    try:
        while (mark := work.send(None)) != Durable(INTENT):
            scene._past(mark, work)
    except StopIteration as end:
        return interrupted_job(scene, end.value)
    scene.site.world.files[CONFIG] = THEIRS
    return scene.refused(work)


def interrupted_job(scene: Scene, job: Job) -> Refusal:
    (task,) = scene.site.tasks.running
    while task.step() != Durable(INTENT):
        pass
    scene.site.world.files[CONFIG] = THEIRS
    scene._run_tasks()
    assert job.error is not None
    return job.error


def test_what_was_refused_can_be_reviewed_again_and_written() -> None:
    """A refusal is no dead end: the edit, made from what is live now, goes through."""
    scene = installed()
    act = save(scene)
    other = edited(scene, 3999)
    scene.do(saving(scene, other))
    with pytest.raises(RefusalError):
        scene.do(act(scene))
    assert scene.do(save(scene)(scene)).changed
