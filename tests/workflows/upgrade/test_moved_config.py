"""W6 and a config that moves after its review: every byte stays, and what was wanted stands beside it (seed 000 2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ems_admin.machines.codes import Code
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.three_ways import Side, ThreeWays
from ems_admin.workflows.jobs import Job
from tests.memory.world import Durable
from tests.workflows.scene import CONFIG, CREDENTIALS, INTENT, Scene
from tests.workflows.upgrade.upgrades import executing, with_a_broker_inside, yesterday

THEIRS = 777


def changed(scene: Scene) -> bytes:
    config = json.loads(scene.files[CONFIG])
    config["system"]["max_total_power"] = THEIRS
    data = json.dumps(config).encode()
    scene.site.world.files[CONFIG] = data
    return data


def stopped(until: Callable[[object], bool]) -> tuple[Scene, Job, bytes, dict[str, bytes]]:
    """Let somebody change the config at a place of the upgrade, and let it go on."""
    scene = yesterday(with_a_broker_inside)
    job = scene.do(executing(scene))
    (task,) = scene.site.tasks.running
    while not until(task.step()):
        pass
    before = kept(scene)
    theirs = changed(scene)
    scene._run_tasks()
    return scene, job, theirs, before


def kept(scene: Scene) -> dict[str, bytes]:
    """Give the secrets and the history."""
    return {name: data for name, data in scene.files.items() if name == CREDENTIALS or "backups/history" in name}


def told(job: Job) -> Any:
    assert job.error is not None
    assert job.error.code == Code.MIGRATION_REVIEW_STALE
    return job.error.more


def test_a_config_that_moved_before_the_step_is_shown_with_what_would_come_of_it() -> None:
    scene, job, theirs, before = stopped(lambda mark: mark == Durable("state/guided-upgrade-context.json"))
    more = told(job)
    assert isinstance(more["diff"], Diff)
    assert "/mqtt/brokers/mqtt-lan/host" in [pointer for pointer, _value in more["diff"].added]
    assert len(more["revision"]) == 64
    assert (scene.files[CONFIG], kept(scene)) == (theirs, before)


def test_one_that_moves_between_check_and_commit_leaves_every_byte_and_is_shown_three_ways() -> None:
    scene, job, theirs, _before = stopped(lambda mark: mark == Durable(INTENT))
    more = told(job)
    assert isinstance(more["three_ways"], ThreeWays)
    power = next((f for f in more["three_ways"].fields if f.pointer == "/system/max_total_power"), None)
    assert power is not None
    assert power.values[Side.LIVE] == THEIRS
    assert scene.files[CONFIG] == theirs
    assert b"hush" not in scene.files.get(CREDENTIALS, b"")
    assert not [name for name in scene.files if name.endswith(".kept") or name == INTENT]
    assert "hush" not in repr(more)
