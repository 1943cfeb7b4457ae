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


class _End(asyncio.Future[Any]):
    """The end of a call, which a cancellation does not bring about: the task that awaits it hears of one afterwards.

    `asyncio.shield` would give back the task and leave the call alone with its outcome.
    """

    def cancel(self, msg: Any = None) -> bool:  # noqa: ARG002  # the name is asyncio's
        """Decline. The task keeps the request in mind, and raises it when the call has ended."""
        return False


_Work = tuple[Callable[[], Any], asyncio.AbstractEventLoop, _End]


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
        end = _End(loop=loop)
        self._work.put((call, loop, end))
        result: T = await end
        return result

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


DISK_THREADS: Final = DiskThreads()
"""Those of this process."""
