"""A stack is started as containers: in order, once, and found again by whoever comes next.

Source: `site.md` 8; `faults.md` F27.
"""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

from attrs import evolve

from ems_admin.docker import labels
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Service
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.services import Seen
from tests.docker.ground import EMS, LIGHT, PORT, UID, Ground, deployment, eventually, quietly
from tests.docker.wire import Fault, a_wire

SECOND = evolve(LIGHT, name="second", after=("ems",))
INVALID = evolve(EMS, environment={"EMS_CONFIG": "/nothing"}, health=evolve(EMS.health, start_period_seconds=60))


async def started(ground: Ground, *services: Service, build: str = "good") -> Done | EngineFailure:
    return await ground.engine().start(ground.light(build, *services), ground.report)


async def test_an_ems_runs_as_the_stack_says(ground: Ground) -> None:
    assert await ground.engine().start(deployment(ground.lab.builds["good"]), quietly) == Done()
    found = ground.container()
    assert found["Config"]["User"] == f"{UID}:{UID}"
    assert found["HostConfig"]["RestartPolicy"]["Name"] == "unless-stopped"
    assert found["HostConfig"]["SecurityOpt"] == ["no-new-privileges"]
    mounts = {(one["Source"], one["Destination"], one["RW"]) for one in found["Mounts"]}
    assert mounts == {(str(ground.place.config), "/config", False), (str(ground.place.data), "/data", True)}
    assert found["Config"]["Labels"][labels.SITE] == ground.place.site
    assert found["Config"]["Labels"][labels.COMPOSE_SERVICE] == "ems"
    assert list(found["NetworkSettings"]["Networks"]) == [labels.project(ground.place.site)]
    engine = ground.engine()
    assert await engine.settle(timedelta(seconds=1), quietly) == Done()
    assert await engine.probe(dashboard=True, report=ground.report) == Done()
    assert [one.step for one in ground.reported][-1] == "probe"


async def test_what_runs_already_is_left_alone(ground: Ground) -> None:
    await started(ground)
    before = ground.container()
    assert await started(ground) == Done()
    assert (ground.container()["Id"], ground.container()["State"]) == (before["Id"], before["State"])


async def test_services_are_started_in_order_and_stopped_against_it(ground: Ground) -> None:
    assert await started(ground, SECOND, LIGHT) == Done()
    first, second = ground.container("ems"), ground.container("second")
    assert first["State"]["StartedAt"] < second["State"]["StartedAt"]
    assert second["NetworkSettings"]["Ports"]["8099/tcp"][0]["HostPort"] == str(PORT + 1)
    assert await ground.engine().stop(quietly) == Done()
    first, second = ground.container("ems"), ground.container("second")
    assert not first["State"]["Running"]
    assert second["State"]["FinishedAt"] < first["State"]["FinishedAt"]


async def test_a_stop_outlives_the_daemon_and_a_start_too(ground: Ground) -> None:
    await started(ground, LIGHT, SECOND)
    await ground.engine().stop(quietly)
    ground.lab.api.ask("POST", f"containers/{ground.container('second')['Id']}/start")
    ground.lab.engine.kill()
    ground.lab.engine.start()
    await eventually(lambda: ground.container("second")["State"]["Running"], "it runs again")
    assert not ground.container("ems")["State"]["Running"]


async def test_an_upgrade_puts_the_old_container_aside_and_keeps_the_port(ground: Ground) -> None:
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    old = ground.container()
    assert await ground.engine().start(deployment(ground.lab.builds["newer"]), quietly) == Done()
    new, aside = (
        ground.container(),
        ground.container(labels.aside_name("ems", ground.lab.builds["good"].identity.build_id)),
    )
    assert aside["Id"] == old["Id"]
    assert not aside["State"]["Running"]
    assert new["Image"] != old["Image"]
    assert new["HostConfig"]["PortBindings"] == old["HostConfig"]["PortBindings"]


async def test_the_way_back_brings_the_same_container_back(ground: Ground) -> None:
    await started(ground)
    old = ground.container()["Id"]
    await started(ground, build="newer")
    new = ground.container()["Id"]
    assert await started(ground) == Done()
    assert ground.container()["Id"] == old
    assert ground.container()["State"]["Running"]
    aside = ground.container(labels.aside_name("ems", ground.lab.builds["newer"].identity.build_id))
    assert (aside["Id"], aside["State"]["Running"]) == (new, False)
    assert len(ground.names()) == 2


async def test_a_service_that_is_in_the_stack_no_more_is_put_aside(ground: Ground) -> None:
    await started(ground, LIGHT, SECOND)
    assert await started(ground, LIGHT) == Done()
    aside = labels.aside_name("second", ground.lab.builds["good"].identity.build_id)
    assert ground.names() == ["ems", aside]
    assert not ground.container(aside)["State"]["Running"]


async def test_two_starts_at_once_make_one_ems(ground: Ground) -> None:
    engine, other = ground.engine(), ground.engine()
    meant = ground.light()
    outcomes = await asyncio.gather(*(one.start(meant, quietly) for one in (engine, engine, other)))
    assert outcomes == [Done()] * 3
    assert ground.names() == ["ems"]


async def test_a_container_that_was_created_and_never_started_is_started(ground: Ground) -> None:
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="POST", path="/start$", refused=(500, "the power went")))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        outcome = await engine.start(ground.light(), quietly)
    assert isinstance(outcome, EngineFailure)
    made = ground.container()
    assert made["State"]["Status"] == "created"
    assert await started(ground) == Done()
    assert ground.container()["Id"] == made["Id"]


async def test_a_frozen_service_goes_on(ground: Ground) -> None:
    await started(ground)
    ground.lab.api.ask("POST", "containers/ems/pause")
    assert await started(ground) == Done()
    assert ground.container()["State"]["Status"] == "running"


async def test_a_frozen_service_can_be_stopped(ground: Ground) -> None:
    await started(ground)
    ground.lab.api.ask("POST", "containers/ems/pause")
    assert await ground.engine().stop(quietly) == Done()
    assert ground.container()["State"]["Status"] == "exited"


async def test_an_ems_that_ends_is_told_with_its_last_words(ground: Ground) -> None:
    outcome = await ground.engine().start(deployment(ground.lab.builds["good"], INVALID), quietly)
    assert isinstance(outcome, EngineFailure)
    assert (outcome.code, outcome.detail, outcome.exit_code) == (Code.EMS_START_FAILED, "ems", 78)
    assert outcome.message is not None
    assert "nothing is missing" in outcome.message
    observed = await ground.engine().observe()
    assert isinstance(observed, Seen)
    settled = await ground.engine().settle(timedelta(seconds=60), quietly)
    assert isinstance(settled, EngineFailure)
    assert settled.code is Code.EMS_NOT_RUNNING


async def test_the_stack_joins_the_network_of_the_admin(ground: Ground) -> None:
    ground.lab.api.ask("POST", "networks/create", {"Name": "house"})
    binds = [f"{ground.root}:{ground.root}"]
    own = ground.stranger("admin", HostConfig={"NetworkMode": "house", "Binds": binds})
    impatient = evolve(LIGHT, health=evolve(EMS.health, start_period_seconds=1))
    engine = ground.engine(own=own)
    assert await engine.start(ground.light("good", impatient), quietly) == Done()
    assert list(ground.container()["NetworkSettings"]["Networks"]) == ["house"]


async def test_an_install_root_that_the_host_has_elsewhere_is_refused_before_anything(ground: Ground) -> None:
    own = ground.stranger("admin", HostConfig={"Binds": [f"{ground.place.data}:{ground.root}"]})
    engine, meant = ground.engine(own=own), ground.light()
    refused = EngineFailure(code=Code.INSTALL_ROOT_NOT_HOST_PATH)
    assert await engine.write_stack(meant) == refused
    assert await engine.start(meant, quietly) == refused
    assert ground.names() == ["admin"]


async def test_the_stack_file_says_what_runs_and_is_written_anew_only_for_a_change(ground: Ground) -> None:
    engine, meant = ground.engine(), ground.light()
    assert await engine.write_stack(meant) == Done()
    written = ground.place.compose_file.stat()
    assert await engine.start(meant, quietly) == Done()
    assert ground.place.compose_file.stat().st_mtime_ns == written.st_mtime_ns
    assert json.dumps(ground.container()["Config"]["Image"])[1:-1] in ground.place.compose_file.read_text()


async def test_a_daemon_that_is_gone_is_told_by_its_code(ground: Ground) -> None:
    engine, meant = ground.engine(), ground.light()
    ground.lab.engine.stop()
    gone = {Code.DOCKER_SOCKET_NOT_MOUNTED, Code.DOCKER_DAEMON_UNREACHABLE}
    for outcome in (
        await engine.fetch(meant, quietly),
        await engine.write_stack(meant),
        await engine.start(meant, quietly),
        await engine.settle(timedelta(seconds=1), quietly),
        await engine.probe(dashboard=False, report=quietly),
        await engine.stop(quietly),
    ):
        assert isinstance(outcome, EngineFailure)
        assert outcome.code in gone
    await engine.prune(frozenset())
    assert await engine.logs("ems", 5) == ()
    assert await engine.adopt() == Done()
    ground.lab.engine.start()
    assert await engine.start(meant, quietly) == Done()


async def test_the_log_of_a_service_is_read_and_no_other_container_by_name(ground: Ground) -> None:
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    ground.stranger("other", Cmd=["sh", "-c", "echo mine; sleep 1000"])
    await eventually(lambda: "listening" in ground.lab.api.log("ems"), "it says that it listens")
    assert any("listening" in line for line in await ground.engine().logs("ems", 5))
    assert await ground.engine().logs("other", 5) == ()
    assert await ground.engine().logs("../etc", 5) == ()
