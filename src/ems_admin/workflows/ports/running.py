"""What a process has while it runs: clocks, ids, locks, tasks, hints for open pages.

They are ports so that the explorer in the tests can step the very same coroutines by hand.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Any, Protocol


class Clock(Protocol):
    """Time. The wall clock is for display and for other boots; durations come from the boottime clock."""

    def now(self) -> datetime:
        """Tell the wall clock, in UTC, to the whole second."""
        ...

    def boottime(self) -> float:
        """Tell the seconds since the host booted, suspended time included."""
        ...

    def boot_id(self) -> str | None:
        """Name this boot of the host; `None` when that cannot be read."""
        ...

    async def sleep(self, duration: timedelta) -> None:
        """Let `duration` pass."""
        ...


class Ids(Protocol):
    """Where everything comes from that is not the same twice."""

    def operation(self) -> str:
        """Mint a uuid in hex."""
        ...

    def secret(self) -> str:
        """Mint 32 random bytes, url-safe."""
        ...

    def short(self) -> str:
        """Mint 16 hex digits, for jobs and commits."""
        ...


class Locks(Protocol):
    """In-process locks by name; none is re-entrant."""

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Hold the lock called `name`, waiting for it."""
        ...


class Task(Protocol):
    """Work that goes on after its caller has been answered."""

    async def wait(self, limit: timedelta | None = None) -> bool:
        """Wait for the end, at most `limit`; say whether it has ended."""
        ...

    def cancel(self) -> None:
        """Ask it to stop at its next port call."""
        ...


class Tasks(Protocol):
    """The owner of all such work: it awaits every task, and logs what one raises."""

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> Task:
        """Start `work`."""
        ...


class Events(Protocol):
    """Hints for open pages: something of this topic has changed. Who misses one polls and loses nothing."""

    def publish(self, topic: str) -> None:
        """Say so."""
        ...
