"""Each act of the hand, cut: taken twice, its answer lost, the engine dead in its middle, or not there at all.

Source: `replacement.md` 7.4.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.labels import OPERATION as OF
from ems_admin.docker.labels import set_aside_name
from ems_admin.machines.records.replacement import Body
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.replacement import Silence, Verification
from tests.docker.replacement.moving import NAME, Moving
from tests.docker.replacement.records import ACTS
from tests.docker.replacement.walking import act
from tests.docker.wire import Fault, a_wire
from tests.stores.records import OPERATION


def picture(moving: Moving) -> dict[str, Any]:
    """Give what an act may not change when it is taken once more."""
    rows = [moving.said(row["Id"]) for row in moving.api.containers()]
    return {said["Id"]: (said["Name"], said["State"], said["HostConfig"]["RestartPolicy"]) for said in rows}


def admins(moving: Moving) -> list[dict[str, Any]]:
    """Inspect all containers but updaters."""
    return [moving.said(row["Id"]) for row in moving.api.containers() if OF not in row["Labels"]]


def before(name: str) -> str | None:
    """Name the act before this one."""
    return ACTS[ACTS.index(name) - 1] if name != ACTS[0] else None


async def test_every_act_may_be_taken_twice_and_changes_nothing_the_second_time(moving: Moving) -> None:
    moving.begun()
    run = await moving.moved_up_to(None)
    for name in ACTS:
        first = await act(moving, name, run)
        run = evolve(run, successor=first) if isinstance(first, Body) else run
        shown, pin = picture(moving), moving.place.admin_pin.stat().st_ino
        assert await act(moving, name, run) == first, name
        assert (picture(moving), moving.place.admin_pin.stat().st_ino) == (shown, pin), name


async def test_every_act_of_the_way_back_may_be_taken_twice(moving: Moving) -> None:
    moving.begun()
    run = await moving.moved_up_to("name_successor")
    for name in ("remove_successor", "restore_predecessor", "running_image"):
        first = await act(moving, name, run)
        shown, pin = picture(moving), moving.place.admin_pin.stat().st_ino
        assert await act(moving, name, run) == first, name
        assert (picture(moving), moving.place.admin_pin.stat().st_ino) == (shown, pin), name
    assert first == moving.images["old"]


LOST = (
    ("fence", r"/update$"),
    ("stop_predecessor", r"/stop$"),
    ("set_aside", r"/rename$"),
    ("create_successor", r"/containers/create$"),
    ("create_successor", r"/connect$"),
    ("start_successor", r"/start$"),
    ("unfence_successor", r"/update$"),
    ("remove_predecessor", r"^/v[\d.]+/containers/[0-9a-f]+$"),
)


@pytest.mark.parametrize(("name", "path"), LOST)
async def test_an_act_whose_answer_is_lost_is_found_done_by_whoever_comes_next(
    moving: Moving, tmp_path: Path, name: str, path: str
) -> None:
    """Nothing is concluded from the silence, and nothing is done twice."""
    moving.begun(networks={"front": {}, "back": {}})
    run = await moving.moved_up_to(before(name))
    async with a_wire(moving.engine.dockerd.socket, tmp_path) as wire:
        # A removal is asked for once more by the client itself when the line breaks.
        method, times = ("DELETE", 2) if name == "remove_predecessor" else ("POST", 1)
        wire.meets(Fault(method=method, path=path, silenced=True, times=times))
        assert await act(moving, name, run, url=wire.url) == Silence()
        assert isinstance(await act(moving, name, run, url=wire.url), Done | Body | Verification)
        sent = [one for one in wire.sent if one.startswith(method) and re.search(path, one.split()[1])]
    assert len(sent) == times


async def test_without_an_engine_every_act_is_silent(moving: Moving) -> None:
    moving.begun()
    run = await moving.moved_up_to("start_successor")
    nowhere = "unix:///nowhere/docker.sock"
    acts = (*ACTS, "remove_successor", "restore_predecessor", "running_image")
    for name in acts:
        if name != "name_successor":
            assert await act(moving, name, run, url=nowhere) == Silence(), name
    mover = moving.mover(nowhere)
    assert (await mover.snapshot(moving.b1), await mover.retire(), await mover.revive_predecessor()) == (Silence(),) * 3


async def test_a_name_that_is_kept_for_nobody_is_waited_for(moving: Moving, tmp_path: Path) -> None:
    """F31: the conflict names a holder whom nobody finds."""
    moving.begun()
    run = await moving.moved_up_to("stop_predecessor")
    message = f'Conflict. The container name "/x" is already in use by container "{"e" * 64}".'
    async with a_wire(moving.engine.dockerd.socket, tmp_path) as wire:
        for name, path in (("set_aside", r"/rename$"), ("create_successor", r"/create$")):
            wire.meets(Fault(method="POST", path=path, refused=(409, message), times=2))
            assert isinstance(await act(moving, name, run, url=wire.url), Done | Body), name
        wire.meets(Fault(method="POST", path=r"/create$", refused=(409, message), times=1000))
        await act(moving, "remove_successor", run, url=wire.url)
        assert await act(moving, "create_successor", run, url=wire.url) == Silence()


KILLED = (
    ("fence", r"/update$"),
    ("stop_predecessor", r"/stop$"),
    ("set_aside", r"/rename$"),
    ("create_successor", r"/create$"),
    ("start_successor", r"/start$"),
    ("unfence_successor", r"/update$"),
    ("restore_predecessor", r"/rename$"),
)

OWN, SET_ASIDE = f"/{NAME}", f"/{set_aside_name(NAME, OPERATION)}"
AFTER = {
    "stop_predecessor": {OWN: False},
    "set_aside": {SET_ASIDE: False},
    "create_successor": {OWN: False, SET_ASIDE: False},
    "start_successor": {OWN: True, SET_ASIDE: False},
    "unfence_successor": {OWN: True, SET_ASIDE: False},
    "restore_predecessor": {OWN: True},
}


@pytest.mark.parametrize(("name", "path"), KILLED)
async def test_an_act_in_whose_middle_the_engine_dies_is_finished_by_whoever_comes_next(
    moving: Moving, tmp_path: Path, name: str, path: str
) -> None:
    engine = moving.engine.dockerd
    moving.begun()
    run = await moving.moved_up_to("set_aside" if name == "restore_predecessor" else before(name))
    async with a_wire(engine.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=path, meanwhile=lambda: asyncio.to_thread(engine.kill)))
        assert await act(moving, name, run, url=wire.url) == Silence()
    engine.ensure_running()
    assert isinstance(await act(moving, name, run), Done | Body)
    if name == "fence":  # when it dies before the fence, its next start brings the old Admin back
        assert moving.said(NAME)["HostConfig"]["RestartPolicy"]["Name"] == "no"
    else:
        assert {one["Name"]: one["State"]["Running"] for one in admins(moving)} == AFTER[name]
