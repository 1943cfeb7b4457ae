"""A new Admin is verified as people see it, for a while, and held against the snapshot (`replacement.md` 7.4, U9)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve, field, frozen

from ems_admin.docker.replacement.verification import WATCH
from ems_admin.machines.codes import Code
from ems_admin.stores.host import HostClock
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Verification
from tests.docker.replacement.moving import NAME, PORT, Moving

BOUND: dict[str, dict[str, Any]] = {
    "published": {},
    "loopback": {"PortBindings": {"8090/tcp": [{"HostIp": "127.0.0.1", "HostPort": str(PORT)}]}},
    "nowhere": {"PortBindings": {}},
}


@pytest.mark.parametrize(("bound", "published"), [("published", True), ("loopback", False), ("nowhere", False)])
async def test_it_is_noted_where_it_was_seen(moving: Moving, bound: str, published: bool) -> None:
    moving.begun(host=BOUND[bound])
    run = await moving.moved_up_to("start_successor")
    assert await moving.mover().verify_successor(run, moving.b1) == Verification(published=published)


async def test_in_the_network_of_the_host_it_is_seen_where_people_reach_it(moving: Moving) -> None:
    moving.begun(networks={"host": {}}, host={"PortBindings": {}})
    run = await moving.moved_up_to("start_successor")
    assert await moving.mover().verify_successor(run, moving.b1) == Verification(published=True)


@pytest.mark.parametrize("what", ["build_id", "revision"])
async def test_another_build_is_not_the_one_that_is_meant(moving: Moving, what: str) -> None:
    moving.begun()
    run = await moving.moved_up_to("start_successor")
    changed: dict[str, Any] = {what: "9" * 40}
    answer = await moving.mover().verify_successor(run, evolve(moving.b1, **changed))
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.detail) == (Code.HEALTHCHECK_FAILED, what)


async def test_an_admin_that_was_started_for_another_attempt_is_not_looked_at(moving: Moving) -> None:
    moving.begun()
    run = await moving.moved_up_to("start_successor")
    answer = await moving.mover().verify_successor(evolve(run, attempt=2), moving.b1)
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.detail) == (Code.HEALTHCHECK_FAILED, "process")


@frozen
class Intruding(HostClock):
    """A clock in whose first second of the window somebody does something."""

    deed: Callable[[], object] = field(kw_only=True)

    async def sleep(self, duration: timedelta) -> None:
        if duration == WATCH:
            await asyncio.to_thread(self.deed)
        await super().sleep(duration)


@pytest.mark.parametrize("way", ["stop", "restart", "kill"])
async def test_one_that_does_not_stay_the_same_process_through_the_window_fails(moving: Moving, way: str) -> None:
    """F22: start time and restart count have to stand still."""
    moving.begun()
    run = await moving.moved_up_to("start_successor")
    clock = Intruding(deed=lambda: moving.api.ask("POST", f"containers/{NAME}/{way}"))
    answer = await moving.mover(stable=timedelta(seconds=20), clock=clock).verify_successor(run, moving.b1)
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.detail) == (Code.HEALTHCHECK_FAILED, "process")
