"""Locks between real processes, and what stands against having any.

Source: D7.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Present, ReadFault, Unreadable
from ems_admin.stores import atomic
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed, RefusalError
from tests.stores.records import TRANSITION

KNOWN_FILE_SYSTEMS = Path("/proc/filesystems").read_text(encoding="utf-8").split()


@pytest.fixture
def site(tmp_path: Path) -> SiteFiles:
    files = SiteFiles(admin_data=tmp_path / "admin")
    files.prepare()
    return files


@contextmanager
def holder(what: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start another process, and go on as soon as it holds its lock."""
    command = [sys.executable, "-m", "tests.stores.holder", what, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


async def refusal_of(site: SiteFiles, wait: float = 0.0) -> Refusal:
    with pytest.raises(RefusalError) as refused:
        async with site.transition.hold(wait):
            pytest.fail("it was held")
    return refused.value.refusal


async def test_a_live_holder_in_another_process_is_named_when_the_wait_is_over(site: SiteFiles) -> None:
    """F15."""
    with holder("record", site.admin_data) as process:
        begun = time.monotonic()
        refusal = await refusal_of(site, wait=0.3)
        assert time.monotonic() - begun >= 0.3
        assert refusal.code is Code.STATE_LOCK_BUSY
        assert refusal.more["record"] == "state/pending-transition.json"
        told = refusal.more["holder"]
        assert isinstance(told, dict)
        assert told["pid"] == process.pid
        assert datetime.fromisoformat(str(told["started_at"])) <= datetime.now(UTC)


async def test_the_first_try_after_the_holder_was_killed_succeeds(site: SiteFiles) -> None:
    """F15."""
    with holder("record", site.admin_data) as process:
        waiting = asyncio.create_task(commit(site))
        await asyncio.sleep(0)  # it has begun to wait
        assert not waiting.done()
        process.kill()
        process.wait()
        begun = time.monotonic()
        assert await waiting == Committed()
        assert time.monotonic() - begun < 5
    assert (site.admin_data / "state/.pending-transition.json.lock").exists()


async def commit(site: SiteFiles) -> object:
    async with site.transition.hold() as held:
        return await held.commit(TRANSITION)


async def busy(site: SiteFiles) -> bool:
    try:
        async with site.transition.hold(wait=0):
            return False
    except RefusalError:
        return True


async def test_callers_of_one_process_come_in_their_order(site: SiteFiles) -> None:
    order: list[int] = []

    async def caller(number: int) -> None:
        async with site.transition.hold() as held:
            order.append(number)
            await held.commit(TRANSITION)

    await asyncio.gather(*(caller(number) for number in range(20)))
    assert order == list(range(20))


async def test_a_cancelled_commit_is_awaited_to_its_end_and_the_lock_is_free_then(site: SiteFiles) -> None:
    for _ in range(50):
        task = asyncio.create_task(commit(site))
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not await busy(site)
        assert not list((site.admin_data / "state").glob(".*.tmp"))
    assert isinstance(await site.transition.read(), Present)


@pytest.mark.parametrize("number", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
async def test_a_file_system_without_locks_is_named_and_nothing_is_written(
    site: SiteFiles, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """F14."""

    def no_locks(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("portalocker.portalocker.LOCKER", no_locks)
    refusal = await refusal_of(site)
    assert refusal.code is Code.STATE_LOCK_UNAVAILABLE
    name, kind = str(refusal.detail).split(", ")
    assert name == errno.errorcode[number]
    assert kind in KNOWN_FILE_SYSTEMS
    assert not (site.admin_data / site.transition.name).exists()


def a_link(path: Path) -> None:
    path.symlink_to("elsewhere")


LOCK = "state/.pending-transition.json.lock"


@pytest.mark.parametrize("make", [a_link, os.mkfifo, Path.mkdir], ids=["link", "pipe", "folder"])
async def test_a_lock_file_that_is_no_file_is_unsafe(site: SiteFiles, make: Callable[[Path], None]) -> None:
    make(site.admin_data / LOCK)
    assert (await refusal_of(site)).code is Code.STATE_FILE_UNSAFE


@pytest.mark.parametrize("make", [a_link, os.mkfifo, Path.mkdir], ids=["link", "pipe", "folder"])
async def test_a_record_that_is_no_file_is_unreadable_and_never_replaced(
    site: SiteFiles, make: Callable[[Path], None]
) -> None:
    path = site.admin_data / site.transition.name
    make(path)
    kind = stat.S_IFMT(path.lstat().st_mode)
    async with site.transition.hold() as held:
        for reading in (await held.read(), await site.transition.read()):
            assert isinstance(reading, Unreadable)
            assert reading.fault is ReadFault.FILE_UNSAFE
        for outcome in (await held.commit(TRANSITION), await held.remove()):
            assert getattr(outcome, "code", None) is Code.STATE_FILE_UNSAFE
    assert stat.S_IFMT(path.lstat().st_mode) == kind


async def test_a_state_folder_that_is_a_link_is_unsafe_for_reading_and_writing(site: SiteFiles, tmp_path: Path) -> None:
    state = site.admin_data / "state"
    state.rename(tmp_path / "moved")
    state.symlink_to(tmp_path / "moved")
    assert (await refusal_of(site)).code is Code.STATE_DIRECTORY_UNSAFE
    assert await site.transition.read() == Unreadable(fault=ReadFault.DIRECTORY_UNSAFE)
    assert list((tmp_path / "moved").iterdir()) == []


async def test_a_kept_lock_file_without_a_holder_blocks_nobody(site: SiteFiles) -> None:
    """F42."""
    (site.admin_data / LOCK).write_text('{"pid": 1}')
    assert not await busy(site)


async def test_a_start_removes_what_a_kill_left_and_nothing_else(site: SiteFiles) -> None:
    """F42."""
    state = site.admin_data / "state"
    ours = [".pending-transition.json.0123abcd.tmp", "..admin-deployment.json.00000000.tmp"]
    others = [".pending-transition.json.0123abcz.tmp", ".other.json.0123abcd.tmp", "note.tmp"]
    for name in (*ours, *others):
        (state / name).write_text("x")
    assert await site.clear_leftovers() == ()
    left = {path.name for path in state.iterdir() if path.name.endswith(".tmp")}
    assert left == set(others)


async def test_a_leftover_that_stays_is_not_said_to_be_removed(site: SiteFiles) -> None:
    folder = site.admin_data / "state"
    gone, kept = ".pending-transition.json.0123abcd.tmp", ".pending-transition.json.4567abcd.tmp"
    (folder / gone).write_text("x")
    (folder / kept).mkdir()
    with site.transition.folder.opened() as at:
        assert atomic.clear_leftovers("pending-transition.json", at=at) == (gone,)
    assert (folder / kept).is_dir()
