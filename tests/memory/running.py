"""Clock, ids, locks and tasks in memory: time stands until it is moved, ids are counted, tasks wait to be stepped."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import define, field, frozen

from tests.memory.world import Blocked, Call, Mark, Step


@define
class MemoryClock:
    """Clocks that go together when time passes. Mutable: that is time."""

    wall: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)
    seconds: float = 1000.0
    boot: str | None = "boot-1"
    stands: bool = False
    """Whether waiting takes no time: then it lasts until somebody else has moved."""

    def now(self) -> datetime:
        return self.wall.replace(microsecond=0)

    def boottime(self) -> float:
        return self.seconds

    def boot_id(self) -> str | None:
        return self.boot

    async def sleep(self, duration: timedelta) -> None:
        await Step(Call("sleep"))
        if not self.stands:
            self.pass_time(duration)

    def pass_time(self, duration: timedelta) -> None:
        """Let both clocks go on."""
        self.wall += duration
        self.seconds += duration.total_seconds()


@define
class MemoryIds:
    """Ids that can be told apart and come again in the next run. Mutable: it counts."""

    count: int = 0
    series: int = 0
    """Whose ids they are, so that those of one caller do not hang on how far another one is; 0 is anybody."""
    counts: dict[int, int] = field(factory=dict)

    def operation(self) -> str:
        return f"{self._next():032x}"

    def secret(self) -> str:
        return f"{self._next():_>43}"

    def short(self) -> str:
        return f"{self._next():016x}"

    def _next(self) -> int:
        if self.series == 0:
            self.count += 1
            return self.count
        self.counts[self.series] = self.counts.get(self.series, 0) + 1
        return self.series * 100_000 + self.count * 100 + self.counts[self.series]


@define
class MemoryLocks:
    """Locks of one process. Mutable: it knows what is held."""

    held: set[str] = field(factory=set)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        await Step(Call(f"lock {name}"))
        while name in self.held:
            await Step(Blocked(name))
        self.held.add(name)
        try:
            yield
        finally:
            self.held.discard(name)


@define
class MemoryTask:
    """Work that goes on when it is stepped. Mutable: it gets on."""

    name: str
    work: Coroutine[Any, Any, None]
    ended: bool = False
    error: BaseException | None = None
    stopping: bool = False

    def step(self) -> Mark | None:
        """Go to the next place; `None` at the end. What the work raises is kept for who asks."""
        try:
            mark: Mark = self.work.throw(Stopped()) if self.stopping else self.work.send(None)
        except StopIteration:
            self.ended = True
        except BaseException as error:  # noqa: BLE001  # a cut in the middle is a result as well
            self.ended, self.error = True, error
        else:
            return mark
        return None

    async def wait(self, limit: timedelta | None = None) -> bool:
        while not self.ended:
            await Step(Blocked(f"task {self.name}"))
            if limit is not None:
                return self.ended
        return True

    def cancel(self) -> None:
        self.stopping = True


class Stopped(BaseException):
    """What a cancelled task is given at its next port call; like a real one no `Exception`."""


@frozen
class MemoryTasks:
    """All tasks that were started, in order; whoever steps the world steps them too."""

    started: list[MemoryTask] = field(factory=list)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> MemoryTask:
        task = MemoryTask(name, work)
        self.started.append(task)
        return task

    @property
    def running(self) -> tuple[MemoryTask, ...]:
        """Those that have not ended."""
        return tuple(task for task in self.started if not task.ended)


@frozen
class MemoryEvents:
    """Hints that were published."""

    topics: list[str] = field(factory=list)

    def publish(self, topic: str) -> None:
        self.topics.append(topic)
