"""The hand of an Admin in a container, on a real engine: its updater is created once, started once, and found again.

Source: `seed 000` 5.5; `replacement.md` 7.1, 7.3.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.labels import ATTEMPT, OPERATION, PREDECESSOR, SITE
from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import UpdaterState
from tests.docker.replacement.launching import FIRST, Bench, a_launch, events
from tests.docker.wire import Fault, a_wire
from tests.e2e.deadline import until

CREATE, START = r"/containers/create$", r"/start$"
SILENT = EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="engine")


async def state(bench: Bench) -> UpdaterState:
    return (await bench.launcher().look(FIRST, 1, claimed=False)).state


async def test_an_updater_is_created_and_then_started(bench: Bench) -> None:
    hand = bench.launcher()
    assert await state(bench) is UpdaterState.ABSENT
    assert await hand.create(a_launch()) == Done()
    assert await state(bench) is UpdaterState.CREATED
    assert await hand.start(a_launch()) == Done()
    assert await state(bench) is UpdaterState.RUNNING


async def test_an_updater_gets_the_body_of_the_admin_and_no_part_of_its_place(bench: Bench, tmp_path: Path) -> None:
    api = bench.api
    for network in ("house", "garden"):
        api.ask("POST", "networks/create", {"Name": network, "IPAM": {}})
    api.ask("POST", "volumes/create", {"Name": "kept"})
    (tmp_path / "read").mkdir()
    admin = bench.create(
        "admin-whole",
        network="house",
        User="1234:1234",
        Env=[
            "EMS_ADMIN_PUID=1234",
            "EMS_ADMIN_STARTED_FOR=x-1",
            "EMS_ADMIN_CONTAINER=admin-whole",
            "TZ=Europe/Berlin",
            "OTHER=1",
        ],
        Labels={"com.docker.compose.project": "ems", "io.ems-admin.service": "admin"},
        ExposedPorts={"8090/tcp": {}},
        HostConfig={
            "Binds": [f"{tmp_path}/ems:{tmp_path}/ems", f"{tmp_path}/read:/read:ro", "kept:/kept"],
            "GroupAdd": ["10998"],
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges"],
            "ReadonlyRootfs": True,
            "Tmpfs": {"/tmp": "size=1m"},
            "ExtraHosts": ["nas:10.0.0.7"],
            "LogConfig": {"Type": "json-file", "Config": {"max-size": "1m"}},
            "PortBindings": {"8090/tcp": [{"HostPort": "18090"}]},
            "RestartPolicy": {"Name": "always"},
        },
    )
    api.ask("POST", "networks/garden/connect", {"Container": admin, "EndpointConfig": {"Aliases": ["ems-admin"]}})
    bench.start(admin)
    hand = bench.launcher(own=admin)
    assert await hand.create(a_launch()) == Done()
    assert await hand.start(a_launch()) == Done()
    seen, own = bench.updater(), api.container(admin)
    assert own is not None
    config, host = seen["Config"], seen["HostConfig"]
    assert seen["Image"] == own["Image"], "by id: it needs no name and no pull"
    assert config["User"] == "1234:1234"
    assert {name: config["Labels"].get(name) for name in (SITE, OPERATION, ATTEMPT, PREDECESSOR)} == {
        SITE: bench.place.site,
        OPERATION: FIRST,
        ATTEMPT: "1",
        PREDECESSOR: admin,
    }
    assert not [name for name in config["Labels"] if "compose" in name or name.endswith("service")]
    environment = dict(word.partition("=")[::2] for word in config["Env"])
    assert environment == {
        "PATH": "/bin",
        "TZ": "Europe/Berlin",
        "DOCKER_HOST": bench.engine.dockerd.url,
        "EMS_ADMIN_PUID": "1234",
        "EMS_ADMIN_LISTEN": "0.0.0.0:8090",
        "EMS_ADMIN_STABILITY": "1.0",
        "EMS_ADMIN_CONTAINER": a_launch().container,
    }
    shared = ("GroupAdd", "CapDrop", "SecurityOpt", "ReadonlyRootfs", "Tmpfs", "ExtraHosts", "LogConfig")
    assert {name: host[name] for name in shared} == {name: own["HostConfig"][name] for name in shared}
    assert host["RestartPolicy"]["Name"] == "unless-stopped"
    assert (host["PortBindings"] or {}, config["StopTimeout"]) == ({}, 30)
    assert mounts(seen) == mounts(own)
    assert set(seen["NetworkSettings"]["Networks"]) == {"house", "garden"}
    aliases = [word for one in seen["NetworkSettings"]["Networks"].values() for word in one["Aliases"] or []]
    assert "ems-admin" not in aliases
    for network in ("house", "garden"):
        for row in api.containers():
            api.remove(row["Id"])
        api.ask("DELETE", f"networks/{network}")


def mounts(container: dict[str, Any]) -> set[tuple[str, str, str, bool]]:
    rows = container["Mounts"]
    return {(row["Type"], row.get("Name") or row["Source"], row["Destination"], row["RW"]) for row in rows}


async def test_what_was_started_is_never_started_again(bench: Bench) -> None:
    hand = bench.launcher()
    await hand.create(a_launch())
    await hand.start(a_launch())
    updater = bench.updater()["Id"]
    bench.api.ask("POST", f"containers/{updater}/stop", t="0")
    began = bench.updater()["State"]["StartedAt"]
    assert await hand.start(a_launch()) == Done()
    assert (bench.updater()["State"]["Status"], bench.updater()["State"]["StartedAt"]) == ("exited", began)


async def test_a_create_that_lost_its_answer_is_found_by_looking(bench: Bench, tmp_path: Path) -> None:
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=CREATE, silenced=True))
        hand = bench.launcher(wire.url)
        assert await hand.create(a_launch()) == SILENT
        assert await state(bench) is UpdaterState.CREATED
        assert await hand.create(a_launch()) == Done(), "it is this attempt's own"
        assert await hand.start(a_launch()) == Done()
    assert bench.updater()["State"]["Running"]


async def test_a_start_that_lost_its_answer_is_found_by_looking(bench: Bench, tmp_path: Path) -> None:
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=START, silenced=True))
        hand = bench.launcher(wire.url)
        await hand.create(a_launch())
        assert await hand.start(a_launch()) == SILENT
        began = bench.updater()["State"]["StartedAt"]
        assert await hand.start(a_launch()) == Done()
    assert (bench.updater()["State"]["StartedAt"], await state(bench)) == (began, UpdaterState.RUNNING)


@pytest.mark.parametrize("step", [CREATE, START])
async def test_an_engine_that_is_killed_meanwhile_leaves_nothing_that_is_not_found(
    bench: Bench, tmp_path: Path, step: str
) -> None:
    async def kill() -> None:
        await asyncio.to_thread(bench.engine.dockerd.kill)

    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=step, meanwhile=kill))
        hand = bench.launcher(wire.url)
        outcome = await hand.create(a_launch())
        if step == START:
            assert outcome == Done()
            outcome = await hand.start(a_launch())
        assert await state(bench) is UpdaterState.UNKNOWN, "nobody can say while it is gone"
        bench.engine.dockerd.start()  # here: it dies with the thread that has started it
        seen = await state(bench)
        assert outcome in {Done(), SILENT}
        assert outcome == SILENT or seen is not UpdaterState.ABSENT
        assert await hand.create(a_launch()) == Done()
        assert await hand.start(a_launch()) == Done()
    assert len(bench.updaters()) == 1
    until(lambda: bench.updater()["State"]["Running"], "the updater runs")


async def test_an_engine_that_says_nothing_settles_nothing(bench: Bench) -> None:
    hand = bench.launcher("unix:///nowhere/docker.sock")
    assert (await hand.look(FIRST, 1, claimed=False)).state is UpdaterState.UNKNOWN
    assert await hand.create(a_launch()) == SILENT
    assert await hand.start(a_launch()) == SILENT
    assert await hand.own_image() is None
    assert await hand.own_name(FIRST) is OwnName.UNKNOWN


async def test_an_admin_that_is_no_container_launches_nothing(bench: Bench) -> None:
    hand = bench.launcher(own=None)
    assert await hand.create(a_launch()) == EngineFailure(code=Code.ADMIN_UNVERIFIABLE)
    assert bench.updaters() == []


async def test_a_program_that_cannot_be_started_is_told_from_one_that_has_ended(bench: Bench) -> None:
    """Docker calls it created, and says so of one that nobody has tried as well: it may be started again."""
    updater = bench.lay_updater(Entrypoint=["/bin/nothing"])
    hand = bench.launcher()
    assert await hand.start(a_launch()) == EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED)
    assert await state(bench) is UpdaterState.CREATED
    assert await hand.discard(FIRST, 1) == Done()
    assert bench.api.container(updater) is None


async def test_two_hands_at_once_launch_one_updater(bench: Bench) -> None:
    since, hands = time.time(), [bench.launcher() for _ in range(8)]
    assert await asyncio.gather(*(hand.create(a_launch()) for hand in hands)) == [Done()] * len(hands)
    assert await asyncio.gather(*(hand.start(a_launch()) for hand in hands)) == [Done()] * len(hands)
    assert bench.updater()["RestartCount"] == 0
    updater = bench.updater()["Id"]
    assert await events(bench.engine, "create", FIRST, since=since) == [updater]
    assert await events(bench.engine, "start", FIRST, since=since) == [updater]


async def test_the_own_name_is_the_one_of_the_engine(bench: Bench) -> None:
    hand = bench.launcher()
    own = bench.api.container(bench.admin)
    assert own is not None
    assert await hand.own_image() == own["Image"]
    assert await hand.own_name(FIRST) is OwnName.HELD
    bench.api.ask("POST", f"containers/{bench.admin}/rename", name=f"admin-before-{FIRST}")
    assert await hand.own_name(FIRST) is OwnName.SET_ASIDE
    assert await hand.own_name("2" * 32) is OwnName.HELD, "it was set aside for another operation"
    assert await evolve(hand, own="0" * 64).own_name(FIRST) is OwnName.UNKNOWN
