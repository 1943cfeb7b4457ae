"""What a process has of its host: clocks, ids, locks and tasks, over asyncio.

Source: `workflows/ports/running.py`; `faults.md` D6.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog
from attrs import define, field, frozen

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")

_log: Final = structlog.get_logger(__name__)


@frozen
class HostClock:
    """The clocks of the kernel."""

    boot_id_file: Path = _BOOT_ID

    def now(self) -> datetime:
        """Tell the wall clock, in UTC, to the whole second."""
        return datetime.now(UTC).replace(microsecond=0)

    def boottime(self) -> float:
        """Tell the seconds since the host booted, suspended time included."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    def boot_id(self) -> str | None:
        """Name this boot of the host."""
        try:
            return self.boot_id_file.read_text(encoding="ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    async def sleep(self, duration: timedelta) -> None:
        """Let `duration` pass."""
        await asyncio.sleep(duration.total_seconds())


@frozen
class RandomIds:
    """Ids out of the kernel's randomness."""

    def operation(self) -> str:
        """Mint a uuid in hex."""
        return uuid.uuid4().hex

    def secret(self) -> str:
        """Mint 32 random bytes, url-safe."""
        return secrets.token_urlsafe(32)

    def short(self) -> str:
        """Mint 16 hex digits."""
        return secrets.token_hex(8)


@frozen
class ProcessLocks:
    """Locks by name within this process; whoever comes first is served first."""

    _locks: defaultdict[str, asyncio.Lock] = field(factory=lambda: defaultdict(asyncio.Lock), init=False)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        """Hold the lock called `name`."""
        async with self._locks[name]:
            yield


@frozen
class OwnedTask:
    """One piece of work, seen from outside."""

    _task: asyncio.Task[None]

    async def wait(self, limit: timedelta | None = None) -> bool:
        """Wait for the end, at most `limit`; a waiter that goes away stops nothing."""
        done, _ = await asyncio.wait({self._task}, timeout=None if limit is None else limit.total_seconds())
        return bool(done)

    def cancel(self) -> None:
        """Ask it to stop."""
        self._task.cancel()


@define
class OwnedTasks:
    """The owner of all work that outlives its request. Mutable: it knows what runs."""

    _running: set[asyncio.Task[None]] = field(factory=set, init=False)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> OwnedTask:
        """Start `work`; what it raises is logged, for nobody else would hear of it."""
        task = asyncio.get_running_loop().create_task(_heard(name, work), name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return OwnedTask(task)

    async def close(self, limit: timedelta) -> None:
        """Ask everything to stop, and wait for the ends; what is still at it after `limit` is named in the log."""
        running = set(self._running)
        for task in running:
            task.cancel()
        if running:
            _, left = await asyncio.wait(running, timeout=limit.total_seconds())
            for task in left:
                _log.error("task does not end", task=task.get_name())


async def _heard(name: str, work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except asyncio.CancelledError:
        _log.debug("task was stopped", task=name)
        raise
    except Exception:  # noqa: BLE001  # effect performance: its owner is here, and nobody else would hear of it
        _log.exception("task failed", task=name)
