"""The walk with real processes: every cut, every way back, and one Admin at the end (`replacement.md` 7.4, 7.8)."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from attrs import define, evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage as At
from ems_admin.native import programs
from ems_admin.stores.host import HostClock
from ems_admin.stores.site_lock import SiteOwner, site_lock
from ems_admin.workflows.replacement.rollback import bring_back
from ems_admin.workflows.replacement.updating import WalkEnd
from ems_admin.workflows.replacement.walking import walk
from tests.native.replacement.stage import NEW, OLD, OPERATION, Stage

CUTS = (
    ("stop_predecessor", "before"),
    ("stop_predecessor", "after"),
    ("create_successor", "after"),
    ("start_successor", "after"),
    ("verify_successor", "after"),
    ("name_successor", "before"),
)
"""Before an act is after the one before it, unless something is noted in between."""
CUTS_BACK = (
    ("remove_successor", "before"),
    ("remove_successor", "after"),
    ("restore_predecessor", "after"),
    ("running_image", "after"),
)


class Killed(BaseException):
    """The updater is gone. No `Exception`: nothing in the program may catch it."""


@define
class Cut:
    """A hand whose updater is killed before or after one of its acts."""

    mover: Any
    act: str
    moment: str

    def __getattr__(self, name: str) -> Callable[..., Any]:
        done = getattr(self.mover, name)
        return self.cut(done) if name == self.act else done

    def cut(self, done: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def act(*words: Any) -> Any:
            if self.moment == "before":
                raise Killed
            await done(*words)
            raise Killed

        return act


async def killed(stage: Stage, act: str, moment: str) -> None:
    with pytest.raises(Killed):
        await walk(stage.updating(Cut(stage.mover(), act, moment)))
    stage.reap()


def new_serves(stage: Stage) -> None:
    """One Admin, the new one, named by the pointer; B1 waits for it."""
    health = stage.health()
    assert health is not None
    assert (health["build_id"], health["started_for"]) == (NEW, f"{OPERATION}-1")
    assert stage.running() == [NEW]
    assert stage.pointed == (NEW, OLD)
    assert (stage.run.step, stage.run.code) == (WalkStep.ENDED, None)
    assert (stage.transition.stage, stage.transition.error_code) == (At.ADMIN_RECONNECT_PENDING, None)


def old_serves(stage: Stage, code: Code) -> None:
    """One Admin, the old one, as if nothing had been; B1 says why."""
    health = stage.health()
    assert health is not None
    assert (health["build_id"], health["started_for"]) == (OLD, None)
    assert stage.running() == [OLD]
    assert stage.pointed is None
    assert (stage.run.step, stage.run.code) == (WalkStep.ENDED, code)
    assert (stage.transition.stage, stage.transition.error_code) == (At.FAILED_RECOVERABLE, code)


async def test_the_new_admin_takes_the_address_of_the_old_one(stage: Stage) -> None:
    stage.begun()
    assert await walk(stage.updating()) is WalkEnd.ENDED
    new_serves(stage)
    assert stage.run.verified_at is not None


@pytest.mark.parametrize(("act", "moment"), CUTS)
async def test_wherever_the_updater_is_killed_the_next_entry_ends_with_the_new_admin(
    stage: Stage, act: str, moment: str
) -> None:
    stage.begun()
    await killed(stage, act, moment)
    assert await walk(stage.updating()) is WalkEnd.ENDED
    new_serves(stage)


@pytest.mark.parametrize("act", ["stop_predecessor", "start_successor", "name_successor"])
async def test_after_a_loss_of_power_the_next_entry_ends_with_the_new_admin(stage: Stage, act: str) -> None:
    stage.begun()
    await killed(stage, act, "after")
    stage.power_cut()
    assert await walk(stage.updating()) is WalkEnd.ENDED
    new_serves(stage)


async def test_the_third_entry_before_the_verification_brings_the_old_admin_back(stage: Stage) -> None:
    stage.begun()
    await killed(stage, "verify_successor", "before")
    await killed(stage, "verify_successor", "before")
    assert await walk(stage.updating()) is WalkEnd.ENDED
    old_serves(stage, Code.REPLACEMENT_UPDATER_FAILED)


async def test_an_admin_that_exits_at_once_is_started_three_times_and_the_old_one_comes_back(stage: Stage) -> None:
    """F34; its last words are kept, its secrets are not."""
    stage.begun("exits")
    assert await walk(stage.updating()) is WalkEnd.ENDED
    old_serves(stage, Code.REPLACEMENT_START_FAILED)
    assert stage.run.exit_code == 7
    assert stage.run.log[-1] == "no such table: devices, password=***"
    assert stage.place.log("admin").read_text().count("no such table") == 3


@pytest.mark.parametrize(("act", "moment"), CUTS_BACK)
async def test_wherever_the_way_back_is_cut_the_old_admin_serves_in_the_end(
    stage: Stage, act: str, moment: str
) -> None:
    stage.begun("unwell")
    await killed(stage, act, moment)
    assert await walk(stage.updating()) is WalkEnd.ENDED
    old_serves(stage, Code.HEALTHCHECK_FAILED)


async def test_an_old_admin_that_does_not_end_is_killed(stage: Stage) -> None:
    stage.begun(old="stubborn")
    assert await walk(stage.updating()) is WalkEnd.ENDED
    new_serves(stage)


async def test_a_program_that_was_changed_is_never_switched_to(stage: Stage) -> None:
    """F21: found out right before the first destructive step; the old Admin is the same process."""
    before = stage.begun()
    root = stage.place.program(NEW, "programs/admin")
    (root / "ems_admin" / "__main__.py").write_text("print('hello')")
    assert await walk(stage.updating()) is WalkEnd.ENDED
    old_serves(stage, Code.IMAGE_DIGEST_MISMATCH)
    assert stage.admins_running() == [(OLD, before.pid)]


async def test_without_a_way_back_nothing_is_stopped(stage: Stage) -> None:
    """F33: `rollback_not_possible`."""
    before = stage.begun()
    stage.place.program(OLD, "programs/admin").rename(stage.root / "gone")
    assert await walk(stage.updating()) is WalkEnd.ENDED
    assert stage.run.code == Code.ROLLBACK_NOT_POSSIBLE
    assert stage.transition.error_code == Code.ROLLBACK_NOT_POSSIBLE
    assert [pid for _, pid in stage.admins_running()] == [before.pid]


async def test_a_stranger_who_owns_the_site_is_not_stopped(stage: Stage) -> None:
    """Whoever holds the site lock keeps it: the walk turns round, and leaves the one Admin that runs alone."""
    before = stage.begun()
    told = evolve(before, pid=before.pid, start_ticks=before.start_ticks - 1)  # somebody else with that pid
    mover = evolve(stage.mover(), told=told)
    walking = asyncio.ensure_future(walk(stage.updating(mover)))
    deadline = asyncio.get_running_loop().time() + 20
    while stage.run_code() != Code.SITE_LOCKED:
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.05)  # between two looks
    walking.cancel()
    assert [pid for _, pid in stage.admins_running()] == [before.pid]
    assert stage.pointed is None


async def test_rolled_back_is_said_only_of_the_tree_that_really_runs(stage: Stage) -> None:
    stage.begun("unwell")
    await killed(stage, "running_image", "before")
    assert await stage.mover().running_image(stage.run) == programs.digest(stage.place.program(OLD, "programs/admin"))


async def test_an_admin_that_serves_again_takes_back_what_a_dead_updater_left_without_starting_another(
    stage: Stage,
) -> None:
    """`replacement.md` 7.5, last row: the Admin of last resort is this very process."""
    before = stage.begun()
    await killed(stage, "create_successor", "after")
    owner = SiteOwner(instance="0", container=None, process=os.getpid(), started_at=HostClock().now())
    with site_lock(stage.place.admin_data, owner):
        mover = evolve(stage.mover(), told=None, own=before.digest)
        run = await bring_back(stage.updating(mover))
        assert run is not None
        assert (run.step, run.code) == (WalkStep.ENDED, Code.REPLACEMENT_UPDATER_FAILED)
        assert (stage.pointed, stage.running()) == (None, [])
    assert stage.transition.error_code == Code.REPLACEMENT_UPDATER_FAILED
