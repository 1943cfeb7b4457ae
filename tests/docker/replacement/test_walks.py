"""The walk with real containers: every cut, every way back, and one Admin at the end (`replacement.md` 7.4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from attrs import define

from ems_admin.docker.labels import set_aside_name
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage as At
from ems_admin.workflows.replacement.updating import WalkEnd
from ems_admin.workflows.replacement.walking import walk
from tests.docker.replacement.moving import NAME, PORT, Moving, environment
from tests.stores.records import OPERATION

ASIDE = set_aside_name(NAME, OPERATION)
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
BACK = ("remove_successor", "restore_predecessor", "running_image", "retire")


class Killed(BaseException):
    """The updater is gone. No `Exception`: nothing in the program may catch it."""


@define
class Cut:
    """A hand whose updater is killed right after one of its acts: before anything could be noted of it."""

    mover: Any
    act: str

    def __getattr__(self, name: str) -> Callable[..., Any]:
        done = getattr(self.mover, name)
        return self.cut(done) if name == self.act else done

    def cut(self, done: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def act(*words: Any) -> Any:
            await done(*words)
            raise Killed

        return act


async def killed(moving: Moving, act: str) -> None:
    with pytest.raises(Killed):
        await walk(moving.updating(Cut(moving.mover(), act)))


def new_serves(moving: Moving) -> None:
    """One Admin, the new one, at the old name and address; B1 waits for it."""
    assert moving.admins() == {NAME: moving.images["good"]}
    said = moving.said(NAME)
    assert said["State"]["Running"]
    assert said["HostConfig"]["RestartPolicy"]["Name"] == "unless-stopped"
    assert said["NetworkSettings"]["Ports"]["8090/tcp"][0]["HostPort"] == str(PORT)
    assert environment(said)["EMS_ADMIN_STARTED_FOR"] == f"{OPERATION}-1"
    assert moving.place.admin_pin.read_text() == f"# mine\nEMS_ADMIN_IMAGE={moving.images['good']}\nTZ=UTC\n"
    assert (moving.run.step, moving.run.code) == (WalkStep.ENDED, None)
    assert (moving.b1.stage, moving.b1.error_code) == (At.ADMIN_RECONNECT_PENDING, None)
    updater_is_retired(moving)


def old_serves(moving: Moving, old: str, code: Code) -> None:
    """One Admin, the very container of before, as if nothing had been; B1 says why."""
    assert moving.admins() == {NAME: moving.images["old"]}
    said = moving.said(NAME)
    assert said["Id"] == old
    assert said["State"]["Running"]
    assert said["HostConfig"]["RestartPolicy"]["Name"] == "unless-stopped"
    assert moving.place.admin_pin.read_text() == "# mine\nEMS_ADMIN_IMAGE=ems-admin:old\nTZ=UTC\n"
    assert (moving.run.step, moving.run.code) == (WalkStep.ENDED, code)
    assert (moving.b1.stage, moving.b1.error_code) == (At.FAILED_RECOVERABLE, code)
    updater_is_retired(moving)


def updater_is_retired(moving: Moving) -> None:
    updater = moving.said(moving.updater)
    assert updater["HostConfig"]["RestartPolicy"]["Name"] == "no"
    assert updater["State"]["Running"], "it ends by itself, and is kept"


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


@pytest.mark.parametrize("act", BACK)
async def test_wherever_the_way_back_is_cut_the_old_admin_serves_in_the_end(moving: Moving, act: str) -> None:
    old = moving.begun("unwell")
    await killed(moving, act)
    assert await walk(moving.updating()) is WalkEnd.ENDED
    old_serves(moving, old, Code.HEALTHCHECK_FAILED)
