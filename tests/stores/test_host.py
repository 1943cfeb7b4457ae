"""Clocks, ids, locks and tasks of a real process."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ems_admin.stores.host import HostClock, OwnedTasks, ProcessLocks, RandomIds
from ems_admin.workflows.ports.running import Clock, Ids, Locks, Tasks

LIMIT = timedelta(seconds=10)


async def test_the_clocks_are_those_of_the_kernel() -> None:
    clock: Clock = HostClock()
    assert abs(datetime.now(UTC) - clock.now()) < timedelta(seconds=2)
    assert clock.now().microsecond == 0
    seconds = clock.boottime()
    await clock.sleep(timedelta(milliseconds=20))
    assert clock.boottime() - seconds >= 0.02
    assert re.fullmatch(r"[0-9a-f-]{36}", clock.boot_id() or "")


@pytest.mark.parametrize("data", [None, b"", b"\xff"], ids=["absent", "empty", "bytes"])
def test_a_boot_that_cannot_be_named_has_no_name(tmp_path: Path, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "boot_id").write_bytes(data)
    assert HostClock(tmp_path / "boot_id").boot_id() is None


def test_ids_have_the_shape_that_records_ask_for() -> None:
    ids: Ids = RandomIds()
    assert re.fullmatch(r"[0-9a-f]{32}", ids.operation())
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", ids.secret())
    assert re.fullmatch(r"[0-9a-f]{16}", ids.short())
    assert len({ids.secret() for _ in range(1000)}) == 1000


async def test_one_name_is_held_once_and_names_are_independent() -> None:
    locks: Locks = ProcessLocks()
    told: list[str] = []

    async def second() -> None:
        async with locks.hold("a"):
            told.append("second")

    async with locks.hold("a"), locks.hold("b"):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0)
        told.append("first")
    await waiting
    assert told == ["first", "second"]


async def test_work_goes_on_when_who_waits_for_it_goes_away() -> None:
    tasks: Tasks = OwnedTasks()
    go, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go.wait()
        done.set()

    task = tasks.start("work", work())
    assert not await task.wait(timedelta(0))
    waiter = asyncio.create_task(task.wait())
    await asyncio.sleep(0)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    go.set()
    assert await task.wait(LIMIT)
    assert done.is_set()


async def test_what_work_raises_is_logged_and_harms_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    async def work() -> None:
        raise ZeroDivisionError

    assert await OwnedTasks().start("careless", work()).wait(LIMIT)
    told = capsys.readouterr()
    assert "careless" in told.out + told.err
    assert "ZeroDivisionError" in told.out + told.err


async def test_closing_stops_everything_and_awaits_the_ends() -> None:
    tasks = OwnedTasks()
    ended: list[int] = []

    async def work(number: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(number)

    started = [tasks.start(f"work {number}", work(number)) for number in range(3)]
    await asyncio.sleep(0)
    await tasks.close(LIMIT)
    assert sorted(ended) == [0, 1, 2]
    assert all([await task.wait(timedelta(0)) for task in started])


async def test_a_cancelled_task_stops_at_its_next_await() -> None:
    async def work() -> None:
        await asyncio.Event().wait()

    task = OwnedTasks().start("work", work())
    await asyncio.sleep(0)
    task.cancel()
    assert await task.wait(LIMIT)
