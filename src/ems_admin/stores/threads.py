"""Threads for the calls that block on the disk, and for nothing else: whoever waits for a lock waits elsewhere.

The executor of the standard library would do, but each hand-over through it costs as much as half a commit.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, TypeVar

T = TypeVar("T")

_Work = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]


class DiskThreads:
    """A few threads, started when first needed.

    They hold nothing that a kill could harm, and so do not keep a process from ending. Mutable: it owns them.
    """

    def __init__(self, count: int = 4) -> None:
        """Be ready to start `count` threads."""
        self._count = count
        self._work: SimpleQueue[_Work] = SimpleQueue()
        self._started = False

    async def run(self, call: Callable[[], T]) -> T:
        """Run `call` to its end, and only then let a cancellation through: nobody leaves a commit half watched."""
        if not self._started:
            self._start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._work.put((call, loop, done))
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            await _end_of(done)
            raise

    def _start(self) -> None:
        self._started = True
        for number in range(self._count):
            threading.Thread(target=self._serve, name=f"disk-{number}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            call, loop, done = self._work.get()
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001  # it belongs to the caller, whatever it is
                _hand_over(loop, done.set_exception, error)
            else:
                _hand_over(loop, done.set_result, result)


def _hand_over(loop: asyncio.AbstractEventLoop, give: Callable[[Any], None], value: Any) -> None:
    try:
        loop.call_soon_threadsafe(give, value)
    except RuntimeError:  # the loop is closed: nobody asks any more
        return


async def _end_of(done: asyncio.Future[Any]) -> None:
    while not done.done():
        try:
            await asyncio.wait({done})
        except asyncio.CancelledError:  # asked once already; the end is still awaited
            continue
    if not done.cancelled():
        done.exception()  # it is the caller's no longer, and need not be complained about


DISK_THREADS: Final = DiskThreads()
"""Those of this process."""
