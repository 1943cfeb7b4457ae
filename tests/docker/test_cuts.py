"""A start that is cut anywhere is entered again, and ends with one EMS.

Every request that changes something is numbered; the Admin dies before it, or after it has landed and before it hears.
"""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from ems_admin.docker.labels import BUILD_ID
from ems_admin.workflows.ports.engine import Done, EngineFailure
from tests.docker.ground import Ground, quietly
from tests.docker.wire import Fault, a_wire

LANDED = pytest.mark.parametrize("landed", [False, True], ids=["before", "after"])
NOTHING = Fault(method="POST", path="")


async def cut(ground: Ground, build: str, number: int, *, landed: bool) -> bool:
    """Start a build, and die at one request; say whether there was such a request."""
    died = asyncio.Event()

    async def die() -> None:
        died.set()
        task.cancel()

    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        for _ in range(number):
            wire.meets(NOTHING)
        after = Fault(method="POST", path="", meanwhile=die)
        wire.meets(after if landed else Fault(method="POST", path="", before=die, refused=(500, "nobody hears this")))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        task = asyncio.create_task(engine.start(ground.light(build), quietly))
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return died.is_set()


@LANDED
async def test_an_upgrade_that_is_cut_at_any_request_ends_with_one_ems(ground: Ground, *, landed: bool) -> None:
    numbers = 0
    while True:
        for name in ground.names():
            ground.lab.api.remove(name)
        assert await ground.engine().start(ground.light(), quietly) == Done()
        if not await cut(ground, "newer", numbers, landed=landed):
            break
        numbers += 1
        assert await ground.engine().start(ground.light("newer"), quietly) == Done()
        assert ground.running() == ["ems"]
        newer = ground.lab.builds["newer"].identity.build_id
        assert ground.container()["Config"]["Labels"][BUILD_ID] == newer
        assert len(ground.names()) == 2
    assert numbers == 4  # stop, rename, create, start


@LANDED
async def test_a_first_start_that_is_cut_at_any_request_ends_with_one_ems(ground: Ground, *, landed: bool) -> None:
    numbers = 0
    while True:
        for name in ground.names():
            ground.lab.api.remove(name)
        ground.lab.api.ask("POST", "networks/prune")
        if not await cut(ground, "good", numbers, landed=landed):
            break
        numbers += 1
        assert await ground.engine().start(ground.light(), quietly) == Done()
        assert ground.names() == ground.running() == ["ems"]
    assert numbers == 3  # network, create, start


@pytest.mark.parametrize("path", ["/stop$", "/rename", "/create$", "/start$"])
async def test_an_answer_that_is_lost_changes_nothing(ground: Ground, path: str) -> None:
    assert await ground.engine().start(ground.light(), quietly) == Done()
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="POST", path=path, silenced=True))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        assert await engine.start(ground.light("newer"), quietly) == Done()
    assert ground.running() == ["ems"]


@pytest.mark.parametrize("path", ["/stop$", "/rename", "/create$", "/start$"])
async def test_a_daemon_that_is_killed_during_a_request_is_told_and_the_next_start_ends_well(
    ground: Ground, path: str
) -> None:
    assert await ground.engine().start(ground.light(), quietly) == Done()
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:

        async def kill() -> None:
            await asyncio.to_thread(ground.lab.engine.kill)

        wire.meets(Fault(method="POST", path=path, before=kill))
        outcome = await ground.engine(daemon=ground.daemon(wire.url)).start(ground.light("newer"), quietly)
        assert isinstance(outcome, EngineFailure)
    ground.lab.engine.start()
    assert await ground.engine().start(ground.light("newer"), quietly) == Done()
    assert ground.running() == ["ems"]
