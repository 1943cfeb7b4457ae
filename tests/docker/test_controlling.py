"""One container is acted on as it is; a stop on purpose rests with the daemon, and no other container is reached.

Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F24, F27, F29.
"""

from __future__ import annotations

import json

from attrs import evolve

from ems_admin.docker.labels import BUILD_ID
from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.services import Health, NotSeen, Seen, ServiceContainer, ServiceState
from tests.docker.ground import LIGHT, Ground, deployment, eventually, quietly

SECOND = evolve(LIGHT, name="second", after=("ems",))


async def listed(ground: Ground, own: str | None = None) -> dict[str, ServiceContainer]:
    rows = await ground.engine(own=own).containers()
    assert not isinstance(rows, NotSeen)
    return {row.service: row for row in rows}


async def state(ground: Ground) -> ServiceState:
    observed = await ground.engine().observe()
    assert isinstance(observed, Seen)
    return observed.services[0].state


async def test_what_was_stopped_on_purpose_rests_through_a_kill_of_everything_until_it_is_started(
    ground: Ground,
) -> None:
    """F27."""
    engine = ground.engine()
    assert await engine.start(ground.light("good", LIGHT, SECOND), quietly) == Done()
    assert await engine.control("ems", ContainerAction.STOP, ground.report) == Done()
    assert [(one.step, one.detail) for one in ground.reported] == [("control", "ems")]
    ground.lab.engine.kill()
    ground.lab.engine.start()
    await eventually(lambda: ground.running() == ["second"], "the other one runs again")
    assert await engine.adopt() == Done()
    assert await state(ground) is ServiceState.STOPPED
    assert (await listed(ground))["ems"].state is ServiceState.STOPPED
    assert await engine.control("ems", ContainerAction.START, quietly) == Done()
    assert ground.running() == ["ems", "second"]


async def test_a_restart_is_another_life_of_the_same_container(ground: Ground) -> None:
    assert await ground.engine().start(ground.light(), quietly) == Done()
    before = ground.container()
    assert await ground.engine().control("ems", ContainerAction.RESTART, quietly) == Done()
    after = ground.container()
    assert after["Id"] == before["Id"]
    assert after["State"]["StartedAt"] > before["State"]["StartedAt"]
    assert await state(ground) is ServiceState.RUNNING


async def test_the_admin_and_strangers_are_listed_and_nothing_is_sent_to_them(ground: Ground) -> None:
    """F29."""
    assert await ground.engine().start(ground.light("good", LIGHT, SECOND), quietly) == Done()
    own = ground.stranger("the-admin")
    ground.lab.api.remove("second")
    ground.stranger("second")
    rows = await listed(ground, own)
    assert [(row.service, row.container, row.ours, row.protected) for row in rows.values()] == [
        ("ems", "ems", True, False),
        ("second", "second", False, False),
        ("admin", "the-admin", True, True),
    ]
    from_the_host = (await listed(ground))["ems"]
    assert (from_the_host.state, from_the_host.health) == (ServiceState.RUNNING, Health.HEALTHY)
    assert rows["ems"].image_id == ground.container()["Image"]
    engine, running = ground.engine(own=own), ground.running()
    refused = {"admin": Code.OWN_CONTAINER_PROTECTED, "the-admin": Code.OWN_CONTAINER_PROTECTED}
    for name, code in {**refused, "second": Code.CONTAINER_NAME_CONFLICT, "nobody": Code.EMS_NOT_RUNNING}.items():
        for action in ContainerAction:
            outcome = await engine.control(name, action, quietly)
            assert isinstance(outcome, EngineFailure)
            assert outcome.code is code
    assert ground.running() == running


async def test_a_service_whose_container_was_removed_is_listed_as_absent(ground: Ground) -> None:
    assert await ground.engine().start(ground.light(), quietly) == Done()
    ground.lab.api.remove("ems")
    row = (await listed(ground))["ems"]
    assert (row.state, row.container, row.image_id) == (ServiceState.ABSENT, None, None)


async def test_a_build_is_present_while_its_image_or_a_container_put_aside_with_it_is_here(ground: Ground) -> None:
    """F24."""
    engine = ground.engine()
    good, newer = deployment(ground.lab.builds["good"]), deployment(ground.lab.builds["newer"])
    for one in (good, newer):
        assert await engine.fetch(one, quietly) == Done()
        assert await engine.present(one) is True
        assert await engine.start(one, quietly) == Done()
    # Of this build alone: the lab has images of its own.
    ours = [f"{BUILD_ID}={ground.lab.builds['good'].identity.build_id}"]
    everything = json.dumps({"dangling": ["false"], "label": ours})
    ground.lab.api.ask("POST", "images/prune", filters=everything)
    assert await engine.present(good) is True, "the predecessor holds it"
    ground.lab.api.ask("POST", "containers/prune")
    ground.lab.api.ask("POST", "images/prune", filters=everything)
    assert await engine.present(good) is False
    assert await engine.present(newer) is True
    ground.lab.engine.stop()
    assert isinstance(await engine.present(good), NotSeen)
    assert isinstance(await engine.containers(), NotSeen)
    ground.lab.engine.start()
