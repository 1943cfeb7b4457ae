"""What a process runs with so that it passes the same places as the next one: nothing waits for threads or time."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, Final, TypeVar

from argon2 import PasswordHasher
from attrs import define, field, frozen

from ems_admin.stores.host import OwnedTasks
from ems_admin.stores.threads import DiskThreads
from tests.crashes.knife import Knife
from tests.memory.running import MemoryClock
from tests.memory.world import Mark

T = TypeVar("T")


class NoThreads(DiskThreads):
    """Calls that block do so here."""

    async def run(self, call: Callable[[], T]) -> T:
        return call()


HERE: Final = NoThreads()


class Unsalted(PasswordHasher):
    """Makes one hash of one password, and quickly."""

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return super().hash(password, salt=b"the same salt every time")


@define
class StandingClock(MemoryClock):
    """A clock that jumps over every wait. Mutable: that is time."""

    async def sleep(self, duration: timedelta) -> None:
        self.pass_time(duration)
        await asyncio.sleep(0)


@define
class HeardTasks(OwnedTasks):
    """Tasks whose errors are heard. Mutable: it knows what runs, and what was raised."""

    started: list[Any] = field(factory=list)
    errors: list[BaseException] = field(factory=list)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> Any:
        return super().start(name, self._heard(work))

    async def ended(self) -> None:
        """Wait until nothing runs any more."""
        while self._running:
            await asyncio.wait(set(self._running))
        if self.errors:
            raise self.errors[0]

    async def _heard(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BaseException as error:
            self.errors.append(error)
            raise


@frozen
class Straight:
    """A port in memory that is asked without anybody between: it stops at no place, and only tells them."""

    port: Any
    knife: Knife | None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.port, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **more: Any) -> Any:
            return self._through(found(*args, **more))

        return call

    def _through(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            while True:
                mark: Mark = self._one_step(work)
                if self.knife is not None:
                    self.knife.mark(mark)
        except StopIteration as end:
            result: T = end.value
            return result

    def _one_step(self, work: Coroutine[Any, Any, Any]) -> Any:
        if self.knife is None:
            return work.send(None)
        self.knife.elsewhere = True
        try:
            return work.send(None)
        finally:
            self.knife.elsewhere = False
