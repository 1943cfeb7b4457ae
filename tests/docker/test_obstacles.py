"""What keeps a service from being started is told by its code, and what runs goes on.

Source: `site.md` 8; `faults.md` F21, F29, F31.
"""

from __future__ import annotations

from attrs import evolve

from ems_admin.docker import labels
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Service
from ems_admin.workflows.ports.engine import Done, EngineFailure
from tests.docker.ground import LIGHT, PORT, Ground, deployment, quietly
from tests.docker.wire import Fault, a_wire

SECOND = evolve(LIGHT, name="second", after=("ems",))


async def started(ground: Ground, *services: Service, build: str = "good") -> Done | EngineFailure:
    return await ground.engine().start(ground.light(build, *services), ground.report)


async def test_a_name_of_a_stranger_is_a_conflict_and_nothing_is_stopped(ground: Ground) -> None:
    await started(ground, LIGHT)
    before = ground.container()["State"]
    stranger = ground.stranger("second")
    outcome = await started(ground, LIGHT, SECOND, build="newer")
    assert outcome == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail="second")
    assert ground.container()["State"] == before
    assert ground.container("second")["Id"] == stranger


async def test_a_container_of_another_site_is_a_stranger(ground: Ground) -> None:
    ground.stranger("ems", Labels={labels.SITE: "0" * 16, labels.SERVICE: "ems"})
    assert await started(ground) == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail="ems")


async def test_the_own_container_is_never_taken_for_a_service(ground: Ground) -> None:
    own = ground.stranger("ems", HostConfig={"Binds": [f"{ground.root}:{ground.root}"]})
    outcome = await ground.engine(own=own).start(ground.light(), quietly)
    assert outcome == EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail="ems")
    assert ground.container()["State"]["Running"]


async def test_a_name_that_is_said_to_be_in_use_though_nobody_bears_it_is_tried_again(ground: Ground) -> None:
    refused = (409, 'Conflict. The container name "/ems" is already in use by container "0000".')
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="POST", path="/containers/create$", refused=refused))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        assert await engine.start(ground.light(), quietly) == Done()
        await engine.stop(quietly)
        ground.lab.api.remove("ems")
        wire.meets(Fault(method="POST", path="/containers/create$", refused=refused, times=99))
        outcome = await engine.start(ground.light(), quietly)
    assert outcome == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail="ems")


async def test_a_fixed_port_that_is_taken_is_a_conflict_and_nothing_is_stopped(ground: Ground) -> None:
    await started(ground)
    before = ground.container()["State"]
    published = {"PortBindings": {"1/tcp": [{"HostPort": "8443"}]}}
    ground.stranger("other", ExposedPorts={"1/tcp": {}}, HostConfig=published)
    outcome = await started(ground, evolve(LIGHT, publish=8443))
    assert outcome == EngineFailure(code=Code.CONTAINER_PORT_CONFLICT, detail="8443")
    assert ground.container()["State"] == before


async def test_a_port_that_a_program_of_the_host_has_taken_is_passed_over_unless_it_is_fixed(ground: Ground) -> None:
    program = ground.listening(PORT)
    try:
        fixed = await started(ground, evolve(LIGHT, publish=PORT))
        assert isinstance(fixed, EngineFailure)
        assert fixed.code is Code.CONTAINER_PORT_CONFLICT
        assert await started(ground) == Done()
    finally:
        program.kill()
        program.wait()
    assert ground.container()["NetworkSettings"]["Ports"]["8099/tcp"][0]["HostPort"] == str(PORT + 1)
    assert await started(ground) == Done()
    assert ground.container()["NetworkSettings"]["Ports"]["8099/tcp"][0]["HostPort"] == str(PORT + 1)
    assert f"{PORT + 1}:{PORT}" in ground.place.compose_file.read_text()


async def test_a_folder_that_is_missing_is_not_made_by_the_daemon(ground: Ground) -> None:
    ground.place.data.rmdir()
    outcome = await started(ground)
    assert isinstance(outcome, EngineFailure)
    assert outcome.code is Code.WORKSPACE_PERMISSION_DENIED
    assert not ground.place.data.exists()


async def test_an_image_that_is_gone_stops_nothing(ground: Ground) -> None:
    await started(ground)
    before = ground.container()["State"]
    build = ground.lab.builds["newer"]
    image = ground.lab.api.image(str(build.ems.image))
    assert image is not None
    ground.lab.api.ask("DELETE", f"images/{image['Id']}", force="1")
    outcome = await ground.engine().start(deployment(build), quietly)
    assert outcome == EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail="ems")
    assert ground.container()["State"] == before
