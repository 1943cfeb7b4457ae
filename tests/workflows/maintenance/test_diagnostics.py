"""A site is examined: what cannot be asked is told as such, and each verdict says what to do (http.md 5.3; D1)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.reading import ReadFault, Unreadable
from ems_admin.workflows.maintenance.checks.admin import disk
from ems_admin.workflows.maintenance.checks.check import Check, CheckStatus
from ems_admin.workflows.maintenance.checks.config import credential_check
from ems_admin.workflows.maintenance.checks.ems import dashboard, in_the_way
from ems_admin.workflows.maintenance.diagnostics import Diagnosis, diagnose, run_diagnostics
from ems_admin.workflows.ports.engine import EngineFailure, Progress
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.ports.services import NotSeen
from tests.memory.house import OWN
from tests.memory.outside import RUNNING, STOPPED
from tests.workflows.maintenance.edits import installed
from tests.workflows.places import opened, prepared
from tests.workflows.scene import B3, B5, CONFIG, CREDENTIALS, INTENT, Scene
from tests.workflows.situations import broken, config_is_not_writable, nothing, start_up_failed, without
from tests.workflows.test_conflicts import STRANGER

KEYS = [
    *("engine", "ems", "health", "dashboard", "container_conflict", "known_good_image"),
    *("config", "references", "credentials"),
    *("admin", "records", "operation", "config_commit", "directories", "disk", "storage", "clock", "journal"),
]
"""In the order in which they are told: the EMS, its config, the Admin."""


FAR_AWAY = {"name": "Shed", "type": "mqtt", "mqtt": {"broker_ref": "elsewhere", "device_id": "shed"}}


def examined(scene: Scene) -> dict[str, Check]:
    found: Diagnosis = scene.do(diagnose(scene.house, lambda _progress: None))
    assert [check.key for check in found.checks] == KEYS
    return {check.key: check for check in found.checks}


def edited(change: Callable[[dict[str, Any]], object], scene: Scene) -> None:
    config = json.loads(scene.files[CONFIG])
    change(config)
    scene.site.world.files[CONFIG] = json.dumps(config).encode()


def engine_is_silent(scene: Scene) -> None:
    scene.engine.reachable = False


def good_is_lost(scene: Scene) -> None:
    scene.engine.lost.add(OWN.build_id)


def good_is_another_one(scene: Scene) -> None:
    """The tag names other programs by now than those that proved to be good."""
    scene.put(B5, evolve(scene.record(B5, KnownGood), ems_digest="0" * 64))


def stopped(scene: Scene) -> None:
    scene.site.world.files[STOPPED] = scene.site.world.files.pop(RUNNING)


def another_runs(scene: Scene) -> None:
    scene.site.world.files[RUNNING] = b"0" * 64


def dashboard_is_silent(scene: Scene) -> None:
    edited(lambda config: config["features"].update(dashboard=True), scene)
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="dashboard")


def another_admin(scene: Scene) -> None:
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OWN, build_id="1.1.0")))


def nameless_admin(scene: Scene) -> None:
    scene.house = evolve(scene.house, identity=KnownIdentity(None))


def born_tomorrow(scene: Scene) -> None:
    tomorrow = scene.house.clock.now() + timedelta(days=1)
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OWN, built_at=tomorrow)))


def in_our_way(scene: Scene) -> None:
    scene.engine.conflicts.append(STRANGER)


def disk_complains(scene: Scene) -> None:
    scene.house.warnings.show(Code.STORAGE_UNRELIABLE)


FAILED, WARNING, UNAVAILABLE = CheckStatus.FAILED, CheckStatus.WARNING, CheckStatus.UNAVAILABLE
SILENT = dict.fromkeys(("engine", "ems", "health", "dashboard", "container_conflict", "known_good_image"), UNAVAILABLE)
CASES: dict[str, tuple[Callable[[Scene], object], dict[str, CheckStatus]]] = {
    "all is well": (nothing, {}),
    "the engine is silent": (engine_is_silent, SILENT),
    "the EMS is down": (partial(without, RUNNING), {"ems": FAILED, "health": UNAVAILABLE, "dashboard": UNAVAILABLE}),
    "the EMS was stopped on purpose": (stopped, {"ems": WARNING, "health": UNAVAILABLE, "dashboard": UNAVAILABLE}),
    "another EMS runs": (another_runs, {"ems": FAILED}),
    "nothing says what was prepared": (partial(without, B3), {"ems": WARNING}),
    "what was prepared cannot be read": (partial(broken, B3), {"ems": UNAVAILABLE, "records": FAILED}),
    "no build is known to be good": (partial(without, B5), {"ems": WARNING}),
    "the good build cannot be read": (
        partial(broken, B5),
        {"ems": WARNING, "admin": UNAVAILABLE, "known_good_image": UNAVAILABLE, "records": FAILED},
    ),
    "the good build was cleared away": (good_is_lost, {"known_good_image": FAILED}),
    "the good build is another one by now": (
        good_is_another_one,
        {"ems": WARNING, "known_good_image": FAILED},
    ),
    "the dashboard is silent": (dashboard_is_silent, {"dashboard": FAILED}),
    "somebody bears our name": (in_our_way, {"container_conflict": FAILED}),
    "the config is gone": (
        partial(without, CONFIG),
        {"config": FAILED, "references": UNAVAILABLE, "credentials": UNAVAILABLE},
    ),
    "the config cannot be read": (
        partial(broken, CONFIG),
        {"config": FAILED, "references": UNAVAILABLE, "credentials": UNAVAILABLE, "dashboard": UNAVAILABLE},
    ),
    "the config has another form": (
        partial(edited, lambda config: config.update(system={})),
        {"config": FAILED, "references": UNAVAILABLE},
    ),
    "a device names a broker that is gone": (
        partial(edited, lambda config: config["devices"].append(FAR_AWAY)),
        {"references": FAILED},
    ),
    "the secrets are gone": (partial(without, CREDENTIALS), {"credentials": FAILED}),
    "the secrets make no sense": (partial(broken, CREDENTIALS), {"credentials": FAILED}),
    "another Admin runs": (another_admin, {"admin": WARNING}),
    "the Admin does not know itself": (nameless_admin, {"admin": UNAVAILABLE}),
    "a config commit cannot be read": (partial(broken, INTENT), {"config_commit": FAILED, "records": FAILED}),
    "a folder cannot be written": (config_is_not_writable, {"directories": FAILED}),
    "the disk has complained": (disk_complains, {"storage": WARNING}),
    "the clock is wrong": (born_tomorrow, {"clock": WARNING}),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_as_it_has_to_be_is_told_by_its_own_check(case: str) -> None:
    scene = installed()
    befall, wanted = CASES[case]
    befall(scene)
    before = scene.files
    found = examined(scene)
    assert {key: check.status for key, check in found.items() if check.status is not CheckStatus.OK} == wanted
    assert scene.files == before
    for check in found.values():
        assert check.message.endswith((".", ")")), check
        assert not re.search(r"(?<![\w.])/(?:tmp|home|work|var)\b", check.message), check


def test_an_operation_under_way_and_a_site_without_an_ems_are_told() -> None:
    assert examined(prepared())["operation"].status is WARNING
    found = examined(opened())
    assert {key: found[key].status for key in ("ems", "config", "operation")} == {
        "ems": WARNING,
        "config": WARNING,
        "operation": CheckStatus.OK,
    }
    assert found["dashboard"].message.startswith("There is no configuration yet")


def test_an_answer_that_was_never_given_is_neither_ok_nor_failed() -> None:
    """D1."""
    unseen = NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)
    assert in_the_way(unseen).status is UNAVAILABLE
    assert dashboard(EngineFailure(code=Code.DOCKER_DAEMON_UNREACHABLE)).status is UNAVAILABLE
    assert dashboard(EngineFailure(code=Code.EMS_NOT_RUNNING, detail="ems")).status is UNAVAILABLE
    assert disk(None).status is UNAVAILABLE
    closed = Unreadable(fault=ReadFault.NOT_PERMITTED, sha256=None)
    assert credential_check({}, closed).status is FAILED


def test_the_less_room_the_graver() -> None:
    mib = 1024 * 1024
    assert [disk(free * mib).status for free in (1, 100, 1000)] == [FAILED, WARNING, CheckStatus.OK]


def test_a_job_examines_also_a_site_whose_start_up_check_has_not_passed() -> None:
    scene = installed()
    start_up_failed(scene)
    config_is_not_writable(scene)
    first, second = scene.do(run_diagnostics(scene.house)), scene.do(run_diagnostics(scene.house))
    assert first is second
    scene.finish()
    assert first.error is None
    assert first.result is not None
    assert [check.key for check in first.result["checks"]] == KEYS
    summary = first.result["summary"]
    assert (summary.status, summary.failed, summary.ok) == (FAILED, 1, len(KEYS) - 1)


def test_its_steps_are_those_of_one_examination() -> None:
    scene = installed()
    told: list[Progress] = []
    scene.do(diagnose(scene.house, told.append))
    assert {progress.step for progress in told} == {"diagnostics"}
    percents = [progress.percent for progress in told if progress.percent is not None]
    assert percents == sorted(percents)
