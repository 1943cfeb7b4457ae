"""The way back with real containers, for every reason: the old Admin serves as before (`replacement.md` 7.4).

Source: `faults.md` F30, F35.
"""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.labels import OPERATION as OF
from ems_admin.docker.labels import set_aside_name
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.replacement.rollback import bring_back
from ems_admin.workflows.replacement.updating import WalkEnd
from ems_admin.workflows.replacement.walking import walk
from tests.docker.replacement.moving import NAME, Moving
from tests.docker.replacement.walking import Done, around, killed, old_serves
from tests.stores.records import OPERATION

ASIDE = set_aside_name(NAME, OPERATION)
BACK = ("remove_successor", "restore_predecessor", "running_image", "retire")


@pytest.mark.parametrize("act", BACK)
async def test_wherever_the_way_back_is_cut_the_old_admin_serves_in_the_end(moving: Moving, act: str) -> None:
    old = moving.begun("unwell")
    await killed(moving, act)
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.HEALTHCHECK_FAILED)


async def test_the_third_entry_before_the_verification_brings_the_old_admin_back(moving: Moving) -> None:
    old = moving.begun()
    await killed(moving, "create_successor")
    await killed(moving, "start_successor")
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.REPLACEMENT_UPDATER_FAILED)


async def test_an_admin_that_exits_at_once_is_started_three_times_and_the_old_one_comes_back(moving: Moving) -> None:
    """F34; its last words are kept, its secrets are not."""
    old = moving.begun("exits")
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.REPLACEMENT_START_FAILED)
    assert moving.run.exit_code == 7
    assert moving.run.log[-1] == "no such table: devices, password=***"
    assert moving.run.successor is not None
    assert await moving.starts_of(moving.run.successor.id) == 3


async def test_starts_are_counted_by_looking_so_a_second_entry_begins_none_anew(moving: Moving) -> None:
    old = moving.begun("exits")
    await killed(moving, "start_successor")
    new = moving.said(NAME)["Id"]
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.REPLACEMENT_START_FAILED)
    assert await moving.starts_of(new) == 3


@pytest.mark.parametrize("what", ["unwell", "bare", "mute"])
async def test_an_admin_that_is_not_whole_is_taken_back(moving: Moving, what: str) -> None:
    """F26: a check fails, the script of the page is missing, nobody answers at all."""
    old = moving.begun(what)
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.HEALTHCHECK_FAILED)


@pytest.mark.parametrize(
    ("image", "code"),
    [("ems-admin-moving:good", Code.IMAGE_DIGEST_MISMATCH), ("nowhere:1", Code.IMAGE_UNAVAILABLE)],
)
async def test_a_target_that_is_not_here_stops_nothing(moving: Moving, image: str, code: Code) -> None:
    """F21: id and start time of the old Admin are unchanged; another image of the same name never stands in."""
    old = moving.begun()
    before = moving.said(old)["State"]
    moving.lay(evolve(moving.b1, admin_digest="sha256:" + "0" * 64, admin_image=image))
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, code)
    assert moving.said(old)["State"] == before


async def test_without_a_way_back_nothing_is_stopped(moving: Moving) -> None:
    """F33: an Admin that was started with `--rm` would be lost with its stop."""
    old = moving.begun(host={"AutoRemove": True, "RestartPolicy": {"Name": "no"}})
    before = moving.said(old)["State"]
    assert await walk(moving.updating()) is WalkEnd.ENDED
    assert (moving.run.code, moving.b1.error_code) == (Code.ROLLBACK_NOT_POSSIBLE, Code.ROLLBACK_NOT_POSSIBLE)
    assert moving.said(NAME)["State"] == before


async def test_a_stranger_under_the_name_for_the_set_aside_stays_and_the_old_admin_comes_back(moving: Moving) -> None:
    old = moving.begun()
    stranger = moving.api.run(ASIDE, {"Image": moving.images["old"], "Cmd": ["updater"], "Labels": {OF: "x"}})
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.CONTAINER_NAME_CONFLICT)
    assert moving.said(ASIDE)["Id"] == stranger
    assert moving.said(stranger)["State"]["Running"]


async def test_an_admin_that_somebody_has_changed_meanwhile_is_taken_back(moving: Moving) -> None:
    """F25: an unexplained difference."""
    old = moving.begun()

    async def changed(done: Done, *words: Any) -> Any:
        answer = await done(*words)
        moving.api.ask("POST", "networks/back/connect", {"Container": NAME})
        return answer

    assert await walk(moving.updating(around(moving, "start_successor", changed))) is WalkEnd.ENDED
    old_serves(moving, old, Code.REPLACEMENT_CONFIG_DRIFT)
    assert moving.run.log == ("Networks.back", "replacement_config_drift: Networks.back")


async def test_the_old_admin_serves_even_while_somebody_else_has_its_name(moving: Moving) -> None:
    """Its name alone is waited for; the walk ends when it is free."""
    old = moving.begun("unwell")
    stranger = ""

    async def robbed(done: Done, *words: Any) -> Any:
        nonlocal stranger
        if not stranger:
            stranger = moving.api.run(NAME, {"Image": moving.images["old"], "Cmd": ["updater"]})
            answer = await done(*words)
            assert answer == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=NAME)
            assert moving.said(old)["State"]["Running"]
            assert moving.said(stranger)["State"]["Running"]
            moving.api.remove(stranger)
            return answer
        return await done(*words)

    assert await walk(moving.updating(around(moving, "restore_predecessor", robbed))) is WalkEnd.ENDED
    old_serves(moving, old, Code.HEALTHCHECK_FAILED)


async def test_an_old_admin_that_somebody_has_removed_is_made_again_from_the_snapshot(moving: Moving) -> None:
    """F33: the way back reads the snapshot alone; it ends with the recorded image."""
    old = moving.begun("unwell")

    async def removed(done: Done, *words: Any) -> Any:
        moving.api.remove(old)
        return await done(*words)

    assert await walk(moving.updating(around(moving, "create_successor", removed))) is WalkEnd.ENDED
    old_serves(moving, moving.said(NAME)["Id"], Code.HEALTHCHECK_FAILED)


@pytest.mark.parametrize("act", ["fence", "set_aside", "create_successor", "verify_successor"])
async def test_an_admin_that_serves_again_takes_back_what_a_dead_updater_left(moving: Moving, act: str) -> None:
    """`replacement.md` 7.5, last row: this very Admin gets its own name and policy back."""
    old = moving.begun()
    await killed(moving, act)
    moving.api.ask("POST", f"containers/{NAME if act == 'verify_successor' else old}/stop", t="1")
    moving.api.ask("POST", f"containers/{old}/start")
    moving.api.ask("POST", f"containers/{moving.updater}/update", {"RestartPolicy": {"Name": "no"}})
    run = await bring_back(moving.updating(moving.mover(own=old)))
    assert run is not None
    assert (run.step, run.code) == (WalkStep.ENDED, Code.REPLACEMENT_UPDATER_FAILED)
    old_serves(moving, old, Code.REPLACEMENT_UPDATER_FAILED)
