"""What is seen of the services, in whatever state they are; one that is broken hides none of the others.

Source: `site.md` 8; `faults.md` D1, F19.
"""

from __future__ import annotations

import asyncio
import time

from attrs import evolve

from ems_admin.docker import labels
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.services import Health, NotSeen, Seen, SeenService, ServiceState
from tests.docker.ground import EMS, Ground, deployment, eventually, pinned, quietly
from tests.docker.wire import Fault, a_wire

UNWELL = evolve(EMS, health=evolve(EMS.health, path="/nothing", start_period_seconds=1))


async def seen(ground: Ground) -> dict[str, SeenService]:
    observed = await ground.engine().observe()
    assert isinstance(observed, Seen)
    return {one.service: one for one in observed.services}


async def test_nothing_that_was_started_is_seen_as_nothing(ground: Ground) -> None:
    ground.stranger("ems")
    assert await seen(ground) == {}


async def test_an_ems_is_seen_with_its_digest_and_where_people_open_it(ground: Ground) -> None:
    build = ground.lab.builds["good"]
    await ground.engine().start(deployment(build), quietly)
    await ground.engine().probe(dashboard=False, report=quietly)
    ems = (await seen(ground))["ems"]
    assert (ems.state, ems.health) == (ServiceState.RUNNING, Health.HEALTHY)
    assert (ems.digest, ems.image, ems.build_id) == (build.ems.digest, pinned(build), build.identity.build_id)
    assert (ems.url, ems.dashboard_url) == ("http://127.0.0.1:8099", "http://127.0.0.1:8099/")
    assert ems.started_at is not None
    ground.lab.engine.kill_process(ground.container()["State"]["Pid"])
    await eventually(lambda: bool(ground.container()["RestartCount"]), "the engine starts it again")
    await ground.engine().stop(quietly)
    ems = (await seen(ground))["ems"]
    assert (ems.state, ems.health) == (ServiceState.STOPPED, Health.UNKNOWN)
    assert ems.exit_code is not None


async def test_a_service_that_is_not_well_is_told_so_after_its_start_period(ground: Ground) -> None:
    assert await ground.engine().start(deployment(ground.lab.builds["good"], UNWELL), quietly) == Done()
    outcome = await ground.engine().probe(dashboard=False, report=quietly)
    assert isinstance(outcome, EngineFailure)
    assert (outcome.code, outcome.detail) == (Code.HEALTHCHECK_FAILED, "ems")
    observed = [(await seen(ground))["ems"].health]
    while observed[-1] is Health.STARTING:  # the clock that its age is told by knows whole seconds
        observed.append((await seen(ground))["ems"].health)
    assert observed[-1] is Health.UNHEALTHY


async def test_a_dashboard_that_does_not_load_is_told_by_its_name(ground: Ground) -> None:
    silent = evolve(EMS, dashboard_path="/nothing")
    await ground.engine().start(deployment(ground.lab.builds["good"], silent), quietly)
    assert await ground.engine().probe(dashboard=False, report=quietly) == Done()
    outcome = await ground.engine().probe(dashboard=True, report=quietly)
    assert outcome == EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="dashboard")


async def test_a_container_whose_image_was_removed_breaks_nothing(ground: Ground) -> None:
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    orphan = {labels.SITE: ground.place.site, labels.SERVICE: "orphan"}
    ground.lab.api.ask("POST", "commit", {"Labels": orphan}, container="ems", repo="orphan", tag="1")
    ground.stranger("orphan", runs=False, Image="orphan:1", Labels=orphan)
    image = ground.lab.api.image("orphan:1")
    assert image is not None
    ground.lab.api.ask("DELETE", f"images/{image['Id']}", force="1")
    found = await seen(ground)
    assert found["orphan"].state is ServiceState.ABSENT
    assert found["orphan"].digest == image["Id"]
    assert found["ems"].state is ServiceState.RUNNING


async def test_a_container_that_cannot_be_inspected_is_unknown_and_hides_none(ground: Ground) -> None:
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="GET", path="/containers/[0-9a-f]+/json$", refused=(500, "a broken file")))
        observed = await ground.engine(daemon=ground.daemon(wire.url)).observe()
    assert isinstance(observed, Seen)
    assert [(one.service, one.state) for one in observed.services] == [("ems", ServiceState.UNKNOWN)]


async def test_a_frozen_service_is_neither_running_nor_gone(ground: Ground) -> None:
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    ground.lab.api.ask("POST", "containers/ems/pause")
    assert (await seen(ground))["ems"].state is ServiceState.UNKNOWN
    ground.lab.api.ask("POST", "containers/ems/unpause")


async def test_a_daemon_that_hangs_is_not_waited_for_and_is_asked_again(ground: Ground) -> None:
    release = asyncio.Event()
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="GET", path="/containers/json$", before=release.wait))
        engine, began = ground.engine(daemon=ground.daemon(wire.url)), time.monotonic()
        assert await engine.observe() == NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)
        assert time.monotonic() - began < 10
        assert await engine.observe() == Seen(services=())
        release.set()
