"""What `/proc` says of a site, read without the engine's own eyes."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest


def marked(site: str) -> Iterator[tuple[str, int]]:
    """Give service and pid of every living process that carries the mark of a site."""
    prefix = f"EMS_ADMIN_CHILD={site}/".encode()
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with suppress(OSError):
                for variable in (place / "environ").read_bytes().split(b"\0"):
                    if variable.startswith(prefix):
                        yield variable.decode().split("/")[1], int(place.name)


def kill_marked(site: str) -> None:
    for _, pid in list(marked(site)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: not list(marked(site)))


def until(so: Callable[[], bool], limit: float = 20.0) -> None:
    deadline = time.monotonic() + limit
    while not so():
        if time.monotonic() > deadline:
            pytest.fail("it did not come about in time")
        time.sleep(0.02)  # between two looks, never instead of one


async def until_seen(so: Callable[[], bool], limit: float = 20.0) -> None:
    await asyncio.to_thread(until, so, limit)


def words_of(pid: int, what: str) -> list[str]:
    """Read the command line or the environment of a process."""
    return (Path("/proc") / str(pid) / what).read_bytes().decode().rstrip("\0").split("\0")


def directory_of(pid: int) -> Path:
    """Read in which directory a process works."""
    return (Path("/proc") / str(pid) / "cwd").readlink()
