"""The walk with real containers, cut at every step: one Admin at the end (`replacement.md` 7.4).

Source: `faults.md` F28, F30.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.replacement.updating import WalkEnd
from ems_admin.workflows.replacement.walking import walk
from tests.docker.replacement.moving import Moving
from tests.docker.replacement.walking import Done, around, killed, new_serves

FORWARD = (
    "snapshot",
    "fence",
    "stop_predecessor",
    "set_aside",
    "create_successor",
    "start_successor",
    "verify_successor",
    "name_successor",
    "unfence_successor",
    "remove_predecessor",
    "retire",
)


async def test_the_new_admin_takes_the_name_and_the_address_of_the_old_one(moving: Moving) -> None:
    moving.begun()
    assert await walk(moving.updating()) is WalkEnd.ENDED
    new_serves(moving)
    verified = moving.run.verified_at
    assert verified is not None
    assert verified.published


@pytest.mark.parametrize("act", FORWARD)
async def test_wherever_the_updater_is_killed_the_next_entry_ends_with_the_new_admin(moving: Moving, act: str) -> None:
    moving.begun()
    await killed(moving, act)
    assert await walk(moving.updating()) is WalkEnd.ENDED
    new_serves(moving)


REBOOTS = ("fence", "stop_predecessor", "set_aside", "create_successor", "start_successor", "name_successor")


@pytest.mark.parametrize("act", REBOOTS)
async def test_after_a_loss_of_power_the_next_entry_ends_with_the_new_admin(moving: Moving, act: str) -> None:
    moving.begun()
    await killed(moving, act)
    moving.engine.dockerd.kill()
    moving.engine.dockerd.start()
    assert await walk(moving.updating()) is WalkEnd.ENDED
    new_serves(moving)


@pytest.mark.parametrize("act", ["stop_predecessor", "verify_successor"])
async def test_an_engine_that_goes_away_is_waited_for(moving: Moving, act: str) -> None:
    """Nothing is concluded from its silence, and no entry is counted for it."""
    moving.begun()
    away: list[asyncio.Future[None]] = []

    async def without_engine(done: Done, *words: Any) -> Any:
        if away:
            return await done(*words)
        await asyncio.to_thread(moving.engine.dockerd.kill)
        answer = await done(*words)
        away.append(asyncio.ensure_future(asyncio.to_thread(moving.engine.dockerd.start)))
        assert answer == Silence()
        return answer

    assert await walk(moving.updating(around(moving, act, without_engine))) is WalkEnd.ENDED
    await asyncio.gather(*away)
    new_serves(moving)
    assert moving.run.entries == 1
