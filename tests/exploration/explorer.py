"""Drive real workflows by hand: every interleaving of callers within a bound, and a power cut at every place.

Coroutines cannot be copied, so each schedule is run from its beginning. What has been reached already, in the same
state and with as many switches left, is not gone on with. A switch away from a caller that could have gone on is a
preemption, and their number is the bound, a fault counting as one; a switch at an end or before a held lock is free.
No switch is tried before a step that is in nobody's way: taken earlier or later, it leads to the same state.

A state is the durable world, what lives in memory, and for each caller everything that it has seen so far.
"""

# long because: a schedule, who is in whose way, and the search through them are one argument for completeness

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from attrs import define, field, frozen

from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError
from tests.exploration.fates import Fate
from tests.exploration.footprint import (
    HOST,
    Change,
    Footprint,
    Watch,
    WatchedFiles,
    unwatch,
    watch_house,
    watch_site,
)
from tests.memory.running import MemoryTask
from tests.memory.world import Blocked, Call, Durable, Mark
from tests.workflows.scene import PROCESSES, Scene

PREEMPTIONS: Final = int(os.environ.get("EXPLORE_PREEMPTIONS", "2"))
FAULTS: Final = int(os.environ.get("EXPLORE_FAULTS", "1"))
"""Bounds, which `make explore` lifts."""
SLEEP: Final = Call("sleep")
Act = Callable[[Scene], Coroutine[Any, Any, Any]]


@frozen
class Step:
    """Who is next, and what the world does to him."""

    index: int
    fate: Fate | None = None

    def __str__(self) -> str:
        return str(self.index) if self.fate is None else f"{self.index}:{self.fate.name}"


@define
class Thread:
    """One caller or worker. Mutable: it gets on."""

    name: str
    task: MemoryTask
    seen: int = 0
    """Everything that it has observed, as a hash."""
    mark: Mark | None = None
    asked: set[str] = field(factory=set)
    """What it has looked at since it slept last."""
    outdated: bool = False
    """Whether somebody has changed that since."""
    changes: list[Change] = field(factory=list)
    answer: list[Any] = field(factory=list)
    struck: list[str] = field(factory=list)
    """The fates that it met."""

    waited: bool = False
    """Whether it has handed its work over: what it still does then is little."""

    @property
    def phase(self) -> str:
        """Name it with how far it is."""
        return f"{self.name}, later" if self.waited else self.name

    @property
    def phases(self) -> tuple[str, ...]:
        """Name it with everything that it may still come to."""
        return (self.phase,) if self.waited else (self.name, f"{self.name}, later")

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

    def moved(self, run: Run) -> None:
        """Something has changed about the containers of the host."""

    def ended(self, run: Run) -> None:
        """Nobody has anything left to do."""

    def cut(self, run: Run) -> None:
        """The power goes here; called once for each durable world."""


@define
class Run:
    """One schedule being run. Mutable: that is what it does."""

    scene: Scene
    threads: list[Thread]
    watch: Watch = field(factory=Watch)
    files: WatchedFiles = field(init=False)
    host: int = field(init=False)
    """All that the engine keeps, as a hash."""
    schedule: list[Step] = field(factory=list)
    preemptions: int = 0
    faults: int = 0
    current: int | None = None
    stuck: set[int] = field(factory=set)
    """Who found a lock held, or sleeps until something comes about, and has seen nobody move since."""

    def __attrs_post_init__(self) -> None:
        self.files = watch_site(self.scene.site, self.watch)
        watch_house(self.scene.house, self.watch)
        self.host = self._look_at_host()
        self.scene.site.clock.stands = True

    def runnable(self) -> list[int]:
        """Those who can move."""
        return [i for i, thread in enumerate(self.threads) if not thread.task.ended and i not in self.stuck]

    def waiting(self) -> list[str]:
        """Name those who have not come to their end."""
        return [thread.name for thread in self.threads if not thread.task.ended]

    def step(self, step: Step) -> Footprint:
        """Let one go to its next place; give what it has looked at and changed on the way."""
        index, site = step.index, self.scene.site
        thread = self.threads[index]
        if self.current is not None and index != self.current and self.current in self.runnable():
            self.preemptions += 1
        if step.fate is not None:
            step.fate.strike(self.scene, thread.mark)
            thread.struck.append(step.fate.name)
            self.faults += 1
        before, site.ids.series = thread.mark, index + 1
        footprint = self.watch.begin()
        self.current, thread.mark = index, thread.task.step()
        self.watch.begin()
        if HOST in footprint.touched and (host := self._look_at_host()) != self.host:
            self.host = host
            footprint.write(HOST)
        self.schedule.append(step)
        thread.seen = hash(
            (thread.seen, footprint.seen, self._awaited(before), thread.mark, str(step), self._end(thread))
        )
        for task in site.tasks.started[len(self.threads) - len(self._callers) :]:
            self.threads.append(Thread(task.name, task))
        if thread.mark is None:
            footprint.write(f"end of {thread.name}")
        self._note_asked(index, footprint, woken=before == SLEEP)
        thread.waited = thread.waited or (isinstance(thread.mark, Blocked) and thread.mark.name.startswith("task "))
        self.stuck = {i for i in self.stuck if i != index and self._waits_on(self.threads[i], footprint)}
        rests = thread.mark == SLEEP and thread.asked and not thread.outdated
        if isinstance(thread.mark, Blocked) or rests:
            self.stuck.add(index)
        thread.changes += footprint.changes
        return footprint

    def key(self) -> int:
        """Tell this state from every other one."""
        site, house = self.scene.site, self.scene.house
        histories = tuple((thread.seen, thread.mark, thread.outdated) for thread in self.threads)
        memory = hash((house.work.running, tuple(house.intents.kept.values())))
        held = (frozenset(site.world.held), frozenset(site.locks.held), frozenset(site.world.blind))
        self.watch.begin()
        return hash((self.world(), held, memory, histories, self.current, frozenset(self.stuck), self.faults))

    def world(self) -> int:
        """Tell this durable world from every other one."""
        return hash((self.files.sum, frozenset(self.scene.site.world.folders), self.host))

    def _look_at_host(self) -> int:
        return hash(self.scene.site.world.host.picture())

    def _note_asked(self, index: int, footprint: Footprint, *, woken: bool) -> None:
        """Note what this one knows, and who of the others knows it no more."""
        thread = self.threads[index]
        if woken:
            thread.asked, thread.outdated = set(), False
        thread.asked = thread.asked | footprint.touched
        for other in self.threads:
            if other is not thread and not footprint.written.isdisjoint(other.asked):
                other.outdated = True

    def _waits_on(self, thread: Thread, footprint: Footprint) -> bool:
        """Say whether nothing has come about that this one waits for: a lock let go, or a change in what it asked."""
        if thread.mark == SLEEP:
            return not thread.outdated
        held = (*set.__iter__(self.scene.site.world.held), *set.__iter__(self.scene.site.locks.held))
        return thread.mark is not None and thread.mark.name in held

    @property
    def _callers(self) -> list[Thread]:
        return [thread for thread in self.threads if thread.name.startswith("caller")]

    def _awaited(self, mark: Mark | None) -> int:
        """Say what somebody learns from the end of the one that he has waited for."""
        if not isinstance(mark, Blocked) or not mark.name.startswith("task "):
            return 0
        name = mark.name.removeprefix("task ")
        return hash(tuple(other.seen for other in self.threads if other.name == name and other.task.ended))

    @staticmethod
    def _end(thread: Thread) -> str | None:
        return None if thread.task.error is None else repr(thread.task.error)

    def let_go(self) -> None:
        """Drop the process, work and all."""
        unwatch(self.scene.house, self.scene.site)
        for thread in self.threads:
            if inspect.getcoroutinestate(thread.task.work) == inspect.CORO_CREATED:
                thread.task.step()
            cut(thread.task.work)
        while PROCESSES:
            PROCESSES.pop().let_go()


@define
class Habits:
    """What callers and workers look at and change, as far as it has been seen. Mutable: more is seen on the way."""

    touched: dict[str, set[str]] = field(factory=dict)
    written: dict[str, set[str]] = field(factory=dict)
    """By name, cells of world and memory."""
    workers: dict[str, set[str]] = field(factory=dict)
    """By name, those that it lets go on by themselves."""

    def note(self, name: str, footprint: Footprint) -> None:
        self.touched.setdefault(name, set()).update(footprint.touched)
        self.written.setdefault(name, set()).update(footprint.written)

    def meet(self, footprint: Footprint, others: frozenset[str]) -> bool:
        """Say whether a step is in the way of anything that one of the others may still do."""
        return any(
            not footprint.written.isdisjoint(self.touched.get(name, ()))
            or not footprint.touched.isdisjoint(self.written.get(name, ()))
            for name in others
        )

    def still_to_come(self, run: Run, index: int) -> frozenset[str]:
        """Name everybody else who can still take a step, the workers that are not there yet among them."""
        there = {thread.name for thread in run.threads}
        left = [thread for i, thread in enumerate(run.threads) if i != index and not thread.task.ended]
        workers = (self.workers.get(thread.name, set()) - there for thread in left)
        return frozenset(phase for thread in left for phase in thread.phases).union(*workers)


@frozen
class LeftOut:
    """Switches before a step that has been in nobody's way so far."""

    footprint: Footprint
    others: frozenset[str]
    schedules: tuple[tuple[Step, ...], ...]


@define
class Explorer:
    """One exploration. Mutable: it counts, and it remembers."""

    begin: Callable[[], Scene]
    acts: tuple[Act, ...]
    watcher: Watcher
    fates: tuple[Fate, ...] = ()
    """What may become of a step, beside what usually does."""
    bound: int = PREEMPTIONS
    most_faults: int = FAULTS
    states: dict[int, int] = field(factory=dict)
    """The fewest preemptions with which a state was reached."""
    worlds: set[int] = field(factory=set)
    edges: int = 0
    schedules: int = 0
    habits: Habits = field(factory=Habits)
    left_out: list[LeftOut] = field(factory=list)

    def explore(self) -> Explorer:
        """Run every schedule within the bound. Raises `AssertionError` with the schedule that leads to the fault.

        Who is in whose way is found out as they go. A switch that was left out before a step that turns out to be in
        somebody's way is caught up on.
        """
        frontier: list[tuple[Step, ...]] = [()]
        while frontier:
            self._run(frontier.pop(), frontier)
            if not frontier:
                late = [left for left in self.left_out if self.habits.meet(left.footprint, left.others)]
                self.left_out = [left for left in self.left_out if left not in late] if late else self.left_out
                frontier.extend(schedule for left in late for schedule in left.schedules)
        return self

    def _run(self, prefix: tuple[Step, ...], frontier: list[tuple[Step, ...]]) -> None:
        run = self._start()
        try:
            self._follow(run, prefix, frontier)
        except AssertionError as fault:
            way = " ".join(map(str, run.schedule))
            raise AssertionError(f"{fault}\nafter the schedule {way}") from fault
        finally:
            run.let_go()
        self.schedules += 1

    def _start(self) -> Run:
        scene = self.begin()
        run = Run(scene, [])
        for number, act in enumerate(self.acts):
            thread = Thread(f"caller {number}", MemoryTask(f"caller {number}", _nothing()))
            thread.task.work.close()
            thread.task.work = _kept(act(scene), thread.answer)
            run.threads.append(thread)
        return run

    def _follow(self, run: Run, prefix: tuple[Step, ...], frontier: list[tuple[Step, ...]]) -> None:
        for step in prefix[:-1]:
            run.step(step)  # looked at before, by the schedule that this one leaves
        for step in prefix[-1:]:
            self._step(run, step)
        while runnable := run.runnable():
            key = run.key()
            if self.states.get(key, self.bound + 1) <= run.preemptions:
                return
            self.states[key] = run.preemptions
            goes_on = run.current if run.current in runnable else None
            chosen = runnable[0] if goes_on is None else goes_on
            spent = run.preemptions + run.faults
            before, left = tuple(run.schedule), goes_on is None or spent < self.bound
            aside = [other for other in runnable if other != chosen] if left else []
            switches = tuple((*before, step) for other in aside for step in self._steps(run, other))
            usual, *unusual = self._steps(run, chosen)
            frontier.extend((*before, step) for step in unusual)
            others = self.habits.still_to_come(run, chosen)
            footprint = self._step(run, usual)
            durable = footprint.changes or HOST in footprint.written
            if goes_on is None or durable or self.habits.meet(footprint, others):
                frontier.extend(switches)
            elif switches:
                self.left_out.append(LeftOut(footprint, others, switches))
        waiting = run.waiting()
        assert not waiting, f"{waiting} wait for one another"
        self.watcher.ended(run)

    def _steps(self, run: Run, index: int) -> list[Step]:
        """Give the next step of one, as it usually is and with everything else that may become of it."""
        mark = run.threads[index].mark
        if run.faults >= self.most_faults or mark is None:
            return [Step(index)]
        return [Step(index), *(Step(index, fate) for fate in self.fates if fate.meets(mark))]

    def _step(self, run: Run, step: Step) -> Footprint:
        self.edges += 1
        there, thread = len(run.threads), run.threads[step.index]
        phase = thread.phase
        footprint = run.step(step)
        self.habits.note(phase, footprint)
        for worker in run.threads[there:]:
            self.habits.workers.setdefault(thread.name, set()).add(worker.name)
        for change in footprint.changes:
            self.watcher.landed(run, thread, change)
        if HOST in footprint.written:
            self.watcher.moved(run)
        if footprint.changes or isinstance(thread.mark, Durable):
            world = run.world()
            if world not in self.worlds:
                self.worlds.add(world)
                self.watcher.cut(run)
            run.watch.begin()
        return footprint

    @property
    def bounds(self) -> str:
        """Say how far it went."""
        price = " for one of them each" if self.bound else ""
        faults = f", at most {self.most_faults} faults{price}" if self.fates else ""
        return f"at most {self.bound} preemptions{faults}"

    def __str__(self) -> str:
        return (
            f"{len(self.states)} states, {self.edges} edges, {self.schedules} schedules, "
            f"{len(self.worlds)} worlds cut, {self.bounds}"
        )


def cut(work: Coroutine[Any, Any, Any]) -> None:
    """Let nothing of it go on. What it would still do on its way out is not done either: the power is gone."""
    while inspect.getcoroutinestate(work) != inspect.CORO_CLOSED:
        with suppress(RuntimeError):
            work.close()


async def _kept(work: Coroutine[Any, Any, Any], answer: list[Any]) -> None:
    answer.append(await work)


async def _nothing() -> None:
    """Stand in until the work is there."""
