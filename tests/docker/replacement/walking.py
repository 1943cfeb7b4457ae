"""What the tests of whole walks have in common: a hand with something around one of its acts, and how walks end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

import pytest
from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.machines.records.transition import Stage as At
from ems_admin.workflows.ports.replacement import Mover
from ems_admin.workflows.replacement.walking import walk
from tests.docker.replacement.moving import NAME, PORT, Moving, environment
from tests.stores.records import OPERATION

Done = Callable[..., Awaitable[Any]]


class Killed(BaseException):
    """The updater is gone. No `Exception`: nothing in the program may catch it."""


@define
class Around:
    """A hand with something around one of its acts."""

    mover: Any
    act: str
    way: Callable[..., Awaitable[Any]]

    def __getattr__(self, name: str) -> Done:
        done: Done = getattr(self.mover, name)
        return partial(self.way, done) if name == self.act else done


def around(moving: Moving, act: str, way: Callable[..., Awaitable[Any]]) -> Mover:
    """Give the updater's hand with something around one of its acts."""
    return cast("Mover", Around(moving.mover(), act, way))


async def then_killed(done: Done, *words: Any) -> Any:
    """Die right after the act: before anything could be noted of it."""
    await done(*words)
    raise Killed


async def act(moving: Moving, name: str, run: Run, **more: Any) -> Any:
    """Take one act with a hand of its own."""
    words = (run, moving.b1) if name in {"create_successor", "verify_successor"} else (run,)
    return await getattr(moving.mover(**more), name)(*words)


async def killed(moving: Moving, act: str) -> None:
    with pytest.raises(Killed):
        await walk(moving.updating(around(moving, act, then_killed)))


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
