"""Which updater counts, what is said of it, and how one goes: on a real engine, by labels alone.

Source: `seed 000` 7.4.1; `replacement.md` 7.1, 7.5, 7.6, 7.7; `faults.md` D9, D10, F35.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ems_admin.docker.labels import ATTEMPT, SITE
from ems_admin.docker.labels import OPERATION as OF_OPERATION
from ems_admin.docker.replacement.updaters import replacement_activity
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure
from ems_admin.workflows.ports.replacement import SeenUpdater, Unstarted, UpdaterState
from tests.docker.replacement.launching import FIRST, SECOND, Bench, a_launch
from tests.docker.wire import Fault, a_wire
from tests.e2e.deadline import until

SILENT = EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="engine")
NOWHERE = "unix:///nowhere/docker.sock"
NEVER: dict[str, Any] = {"HostConfig": {"RestartPolicy": {"Name": "no"}}}
DIES: dict[str, Any] = {"Env": ["EMS_ADMIN_TRIAL=die"]}


async def seen(bench: Bench, attempt: int = 1, url: str | None = None) -> SeenUpdater:
    return await bench.launcher(url).look(FIRST, attempt, claimed=False)


async def until_state(bench: Bench, status: str) -> None:
    await asyncio.to_thread(until, lambda: bench.updater()["State"]["Status"] == status, f"the updater is {status}")


async def activity(bench: Bench, operation_id: str | None) -> Activity:
    return await replacement_activity(bench.launcher().daemon, bench.place.site, operation_id)


async def test_the_end_of_an_updater_is_told_with_its_last_words(bench: Bench) -> None:
    """F37: code, memory and twenty lines, secrets masked."""
    bench.start(bench.lay_updater(**DIES, **NEVER))
    await until_state(bench, "exited")
    found = await seen(bench)
    assert (found.state, found.exit and (found.exit.code, found.exit.oom)) == (UpdaterState.EXITED, (7, False))
    assert found.exit is not None
    assert found.exit.log == tuple(f"line {number} password=***" for number in range(11, 31))


async def test_an_updater_that_crashes_is_restarted_and_counted(bench: Bench) -> None:
    bench.start(bench.lay_updater(**DIES, HostConfig={"RestartPolicy": {"Name": "unless-stopped"}}))
    await asyncio.to_thread(until, lambda: bench.updater()["RestartCount"] >= 3, "it was restarted three times")
    found = await seen(bench)
    assert found.state in {UpdaterState.RUNNING, UpdaterState.RESTARTING}
    assert found.restarts >= 3
    assert await bench.launcher().quell(FIRST, 1) == Done()
    quelled = await seen(bench)
    assert quelled.state is UpdaterState.EXITED
    assert quelled.exit is not None
    assert len(quelled.exit.log) == 20
    assert bench.updater()["HostConfig"]["RestartPolicy"]["Name"] == "no"


async def test_one_that_is_frozen_says_nothing(bench: Bench) -> None:
    updater = bench.start(bench.lay_updater())
    bench.api.ask("POST", f"containers/{updater}/pause")
    assert (await seen(bench)).state is UpdaterState.UNKNOWN
    assert await bench.launcher().discard(FIRST, 1) == SILENT
    bench.api.ask("POST", f"containers/{updater}/unpause")


async def test_one_that_cannot_be_inspected_says_nothing_and_hides_nothing(bench: Bench, tmp_path: Path) -> None:
    broken = bench.lay_updater()
    bench.start(bench.lay_updater(2, operation_id=SECOND))
    inspect = Fault(method="GET", path=rf"/containers/{broken}/json$", refused=(500, "broken"))
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(inspect)
        assert (await seen(bench, url=wire.url)).state is UpdaterState.UNKNOWN
        wire.meets(inspect)
        assert await bench.launcher(wire.url).others(FIRST) is Activity.ACTIVE
        wire.meets(inspect)
        assert await bench.launcher(wire.url).others(SECOND) is Activity.UNKNOWN


async def test_one_of_an_earlier_attempt_that_runs_counts(bench: Bench) -> None:
    earlier = bench.start(bench.lay_updater(1))
    last = bench.lay_updater(2)
    assert (await seen(bench, 2)).state is UpdaterState.RUNNING
    assert await bench.launcher().discard(FIRST, 2) == EngineFailure(code=Code.REPLACEMENT_ACTIVE)
    bench.api.remove(earlier)
    assert (await seen(bench, 2)).state is UpdaterState.CREATED
    assert await bench.launcher().discard(FIRST, 2) == Done()
    assert bench.api.container(last) is None


async def test_an_updater_of_another_site_is_nobody_here(bench: Bench) -> None:
    bench.start(bench.create("elsewhere", Labels={SITE: "0" * 16, OF_OPERATION: FIRST, ATTEMPT: "1"}))
    assert (await seen(bench)).state is UpdaterState.ABSENT
    assert await bench.launcher().others(SECOND) is Activity.INACTIVE
    assert await activity(bench, None) is Activity.INACTIVE


async def test_only_what_does_not_run_is_discarded(bench: Bench) -> None:
    hand = bench.launcher()
    assert await hand.discard(FIRST, 1) == Done(), "absent is proven"
    updater = bench.start(bench.lay_updater())
    assert await hand.discard(FIRST, 1) == EngineFailure(code=Code.REPLACEMENT_ACTIVE)
    assert bench.updater()["State"]["Running"]
    bench.api.ask("POST", f"containers/{updater}/stop", t="0")
    assert await hand.discard(FIRST, 1) == Done()
    assert bench.updaters() == []


async def test_one_that_is_started_while_it_is_discarded_stays(bench: Bench, tmp_path: Path) -> None:
    updater = bench.lay_updater()

    async def start() -> None:
        await asyncio.to_thread(bench.start, updater)

    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="DELETE", path=updater, before=start))
        hand = bench.launcher(wire.url)
        assert await hand.discard(FIRST, 1) == EngineFailure(code=Code.REPLACEMENT_ACTIVE)
    assert bench.updater()["State"]["Running"]


async def test_what_is_over_is_forgotten_and_what_runs_is_not(bench: Bench) -> None:
    running = bench.start(bench.lay_updater(3))
    bench.lay_updater(1)
    bench.start(bench.lay_updater(2, **DIES, **NEVER))
    other = bench.lay_updater(operation_id=SECOND)
    await asyncio.to_thread(
        until, lambda: [one["State"]["Status"] for one in bench.updaters()].count("exited") == 1, "one has ended"
    )
    assert await bench.launcher().forget(FIRST) == Done()
    assert [one["Id"] for one in bench.updaters()] == [running]
    assert bench.api.container(other) is not None


async def test_the_unstarted_are_named_whosever_they_are(bench: Bench) -> None:
    hand = bench.launcher()
    assert await hand.unstarted() == ()
    bench.lay_updater(2)
    bench.lay_updater(1, operation_id=SECOND)
    bench.start(bench.lay_updater(3))
    found = await hand.unstarted()
    assert found is not None
    assert set(found) == {
        Unstarted(operation_id=FIRST, attempt=2),
        Unstarted(operation_id=SECOND, attempt=1),
    }
    assert await bench.launcher(NOWHERE).unstarted() is None


@pytest.mark.parametrize(
    ("doing", "here", "elsewhere"),
    [
        ("created", Activity.ACTIVE, Activity.INACTIVE),
        ("running", Activity.ACTIVE, Activity.ACTIVE),
        ("exited", Activity.INACTIVE, Activity.INACTIVE),
        ("paused", Activity.UNKNOWN, Activity.UNKNOWN),
    ],
)
async def test_activity_is_proven(bench: Bench, doing: str, here: Activity, elsewhere: Activity) -> None:
    """seed 000 7.4.1: one that was never started may be started at any moment."""
    updater = bench.lay_updater()
    if doing != "created":
        bench.start(updater)
    if doing == "exited":
        bench.api.ask("POST", f"containers/{updater}/stop", t="0")
    if doing == "paused":
        bench.api.ask("POST", f"containers/{updater}/pause")
    assert [await activity(bench, which) for which in (FIRST, None, SECOND)] == [here, here, Activity.INACTIVE]
    assert await bench.launcher().others(SECOND) is elsewhere
    assert await bench.launcher().others(FIRST) is Activity.INACTIVE


async def test_where_no_operation_is_named_the_name_counts_too(bench: Bench) -> None:
    bench.start(bench.create(a_launch().container))
    assert await activity(bench, None) is Activity.ACTIVE
    assert await activity(bench, FIRST) is Activity.INACTIVE


async def test_an_engine_that_says_nothing_is_unknown_to_everybody(bench: Bench) -> None:
    hand: Any = bench.launcher(NOWHERE)
    assert await hand.others(FIRST) is Activity.UNKNOWN
    assert await replacement_activity(hand.daemon, bench.place.site, None) is Activity.UNKNOWN
    assert [await hand.discard(FIRST, 1), await hand.quell(FIRST, 1), await hand.forget(FIRST)] == [SILENT] * 3
