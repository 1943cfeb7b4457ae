"""Drive real workflows by hand: every interleaving of two callers within a bound, and a power cut at every place.

Coroutines cannot be copied, so each schedule is run from its beginning. What has been reached already, in the same
state and with as many switches left, is not gone on with. A switch away from a caller that could have gone on is a
preemption, and their number is the bound; a switch at an end or before a held lock is free.

A state is the durable world, what lives in memory, and for each caller everything that it has seen so far.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from attrs import define, field, frozen

from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.running import MemoryTask
from tests.memory.world import Blocked, Call, Durable, Mark
from tests.workflows.scene import PROCESSES, Scene

SHARED = ("read state/", "read /config", "commit ", "hold ", "lock ", "engine start", "remove ", "task ")
"""Before these a switch can matter: they touch what another caller can change. Whatever else is asked never changes."""
Act = Callable[[Scene], Coroutine[Any, Any, Any]]


@frozen
class Change:
    """One durable change: which file, from what to what; `None` is absence."""

    name: str
    before: bytes | None
    after: bytes | None


@define
class Thread:
    """One caller or worker. Mutable: it gets on."""

    name: str
    task: MemoryTask
    seen: int = 0
    """Everything that it has observed, as a hash."""
    mark: Mark | None = None
    changes: list[Change] = field(factory=list)
    answer: list[Any] = field(factory=list)

    @property
    def refusal(self) -> Refusal | None:
        """What it was refused with."""
        error = self.task.error
        if error is not None and not isinstance(error, RefusalError):
            raise error
        return error.refusal if error is not None else None


class Watcher:
    """Who looks at every state that is reached. Each method raises `AssertionError` for one that must not be."""

    def landed(self, run: Run, thread: Thread, change: Change) -> None:
        """A change has just become durable."""

    def ended(self, run: Run) -> None:
        """Nobody has anything left to do."""

    def cut(self, run: Run) -> None:
        """The power goes here; called once for each durable world."""


@define
class Run:
    """One schedule being run. Mutable: that is what it does."""

    scene: Scene
    threads: list[Thread]
    schedule: list[int] = field(factory=list)
    preemptions: int = 0
    current: int | None = None
    stuck: set[int] = field(factory=set)
    """Who found a lock held, or sleeps until something comes about, and has seen nobody move since."""

    def runnable(self) -> list[int]:
        """Those who can move."""
        return [i for i, thread in enumerate(self.threads) if not thread.task.ended and i not in self.stuck]

    def may_be_left(self, index: int) -> bool:
        """Say whether it makes a difference to leave this one here."""
        mark = self.threads[index].mark
        return isinstance(mark, Call) and mark.name.startswith(SHARED)

    def step(self, index: int) -> Change | None:
        """Let one go to its next place; give the change that has landed there."""
        thread, before = self.threads[index], dict(self.scene.site.world.files)
        if self.current is not None and index != self.current and self.current in self.runnable():
            self.preemptions += 1
        observed = self._observed(thread.mark)
        self.current, thread.mark = index, thread.task.step()
        self.schedule.append(index)
        thread.seen = hash((thread.seen, observed, thread.mark))
        for task in self.scene.site.tasks.started[len(self.threads) - len(self._callers) :]:
            self.threads.append(Thread(task.name, task))
        waits = isinstance(thread.mark, Blocked) or thread.mark == Call("sleep")
        self.stuck = {*self.stuck, index} if waits else set()
        if not isinstance(thread.mark, Durable):
            return None
        changes = changed(before, self.scene.site.world.files)
        thread.changes += changes
        return changes[0] if changes else Change(thread.mark.name, None, None)

    def key(self) -> int:
        """Tell this state from every other one."""
        site = self.scene.site
        histories = tuple((thread.seen, thread.mark, thread.task.ended) for thread in self.threads)
        return hash(
            (self._world(), frozenset(site.world.held), frozenset(site.locks.held), self._memory(), histories)
        ) ^ hash((self.current, frozenset(self.stuck)))

    @property
    def _callers(self) -> list[Thread]:
        return [thread for thread in self.threads if thread.name.startswith("caller")]

    def _observed(self, mark: Mark | None) -> int:
        """Say what a caller sees in going on from here: one file where it reads one, the world where it looks at it."""
        files, name = self.scene.site.world.files, mark.name if mark else ""
        kinds = tuple(entry.kind for entry in self.scene.house.work.running.entries)
        if name.startswith("read "):
            return hash((files.get(name.removeprefix("read ")), kinds))
        looks = not name.startswith(("commit ", "hold ", "lock ")) and not isinstance(mark, Durable | Blocked)
        return hash((self._world() if looks else 0, kinds))

    def _world(self) -> int:
        world = self.scene.site.world
        return hash((frozenset(world.files.items()), frozenset(world.folders)))

    def _memory(self) -> int:
        house = self.scene.house
        return hash((house.work.running, tuple(house.intents.kept.values()), self.scene.site.ids.count))


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[Change]:
    """Compare two worlds."""
    names = [name for name in {*before, *after} if before.get(name) != after.get(name)]
    return [Change(name, before.get(name), after.get(name)) for name in sorted(names)]


@define
class Explorer:
    """One exploration. Mutable: it counts, and it remembers."""

    begin: Callable[[], Scene]
    acts: tuple[Act, ...]
    watcher: Watcher
    bound: int = 2
    states: dict[int, int] = field(factory=dict)
    """The fewest preemptions with which a state was reached."""
    worlds: set[int] = field(factory=set)
    edges: int = 0
    schedules: int = 0

    def explore(self) -> Explorer:
        """Run every schedule within the bound. Raises `AssertionError` with the schedule that leads to the fault."""
        frontier: list[tuple[int, ...]] = [()]
        while frontier:
            prefix = frontier.pop()
            run = self._start()
            try:
                self._follow(run, prefix, frontier)
            except AssertionError as fault:
                way = " ".join(map(str, run.schedule))
                raise AssertionError(f"{fault}\nafter the schedule {way}") from fault
            finally:
                for thread in run.threads:
                    if inspect.getcoroutinestate(thread.task.work) == inspect.CORO_CREATED:
                        thread.task.step()
                    thread.task.work.close()
                while PROCESSES:
                    PROCESSES.pop().let_go()
            self.schedules += 1
        return self

    def _start(self) -> Run:
        scene = self.begin()
        run = Run(scene, [])
        for number, act in enumerate(self.acts):
            thread = Thread(f"caller {number}", MemoryTask(f"caller {number}", _nothing()))
            thread.task.work.close()
            thread.task.work = _kept(act(scene), thread.answer)
            run.threads.append(thread)
        return run

    def _follow(self, run: Run, prefix: tuple[int, ...], frontier: list[tuple[int, ...]]) -> None:
        for index in prefix[:-1]:
            run.step(index)  # looked at before, by the schedule that this one leaves
        for index in prefix[-1:]:
            self._step(run, index)
        while runnable := run.runnable():
            key = run.key()
            if self.states.get(key, self.bound + 1) <= run.preemptions:
                return
            self.states[key] = run.preemptions
            goes_on = run.current if run.current in runnable else None
            chosen = runnable[0] if goes_on is None else goes_on
            if goes_on is None or (run.preemptions < self.bound and run.may_be_left(goes_on)):
                frontier.extend((*run.schedule, other) for other in runnable if other != chosen)
            self._step(run, chosen)
        waiting = [thread.name for thread in run.threads if not thread.task.ended]
        assert not waiting, f"{waiting} wait for one another"
        self.watcher.ended(run)

    def _step(self, run: Run, index: int) -> None:
        self.edges += 1
        change = run.step(index)
        if change is None:
            return
        self.watcher.landed(run, run.threads[index], change)
        world = run._world()
        if world not in self.worlds:
            self.worlds.add(world)
            self.watcher.cut(run)

    def __str__(self) -> str:
        return (
            f"{len(self.states)} states, {self.edges} edges, {self.schedules} schedules, "
            f"{len(self.worlds)} worlds cut, at most {self.bound} preemptions"
        )


async def _kept(work: Coroutine[Any, Any, Any], answer: list[Any]) -> None:
    answer.append(await work)


async def _nothing() -> None:
    """Stand in until the work is there."""
