"""One schedule: everybody takes steps in an order that a seed decides, and now and then the power goes.

A step ends where a port is asked. Who waits for a lock or a job is passed over until it is free.
"""

from __future__ import annotations

from inspect import CORO_CREATED, getcoroutinestate
from random import Random
from typing import Final

from attrs import define, field

from ems_admin.workflows.ports.records import JournalEntry
from tests.exploration.edits.chain import begun, holds
from tests.exploration.edits.pages import CHANGES, Pages, pages
from tests.exploration.edits.people import AWAY, Told, edit, upgrade
from tests.exploration.edits.tab import Tab
from tests.memory.running import MemoryTask
from tests.memory.world import Blocked, Call, Durable
from tests.workflows.scene import Scene

CUTS: Final = 0.15
"""How often the power goes in a schedule."""
IN_SETUP: Final = 0.3
"""How often the tab has come as far as its preview when the others come."""
STAYS: Final = (0.0, 0.5, 0.9)
"""How likely the same one goes on: from step by step to almost one after the other."""
AHEAD: Final = (0, 30, 60)
"""Steps that somebody has taken before the others come."""
LATE: Final = 60
"""The durable step after which the power goes at the latest."""


@define
class Shuffle:
    """One schedule being run. Mutable: it gets on."""

    seed: int
    told: Told = field(factory=Told)
    journal: list[JournalEntry] = field(factory=list)
    waits: dict[int, str | int] = field(factory=dict)
    """By task the lock or job that it waits for, or the step at which it comes back."""
    durable: int = 0
    steps: int = 0
    switches: int = 0
    was_cut: bool = False
    chance: Random = field(init=False)
    pages: Pages = field(init=False)
    scene: Scene = field(init=False)
    cut_at: int | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.pages = pages(self.chance.choice(sorted(CHANGES)), in_setup=self.chance.random() < IN_SETUP)
        self.scene = self.pages.scene()
        self.cut_at = self.chance.randint(1, LATE) if self.chance.random() < CUTS else None

    def run(self) -> Shuffle:
        """Let everybody come to an end, and hold what is there against what they were told."""
        before = begun(self.scene)
        shown = None if self.pages.preview_id is None else (self.pages.preview_id, self.pages.revision)
        tab = Tab(self.scene, self.told, self.chance, self.pages.workflow_id, shown)
        people = self._people(tab)
        if self._together(people):
            self.was_cut = True
            self._restart(people)
            tab.scene = self.scene
            self._together(self._people(tab))
        self.journal += self.scene.site.journal.entries
        holds(self.scene, self.told, self.journal, before, cut=self.was_cut)
        return self

    def _people(self, tab: Tab) -> list[MemoryTask]:
        """Let everybody come with the page that they have. One of them comes first."""
        scene, told, chance, page = self.scene, self.told, self.chance, self.pages
        people = [
            MemoryTask("editor A", edit(scene, told, chance, "A", page)),
            MemoryTask("editor B", edit(scene, told, chance, "B", page)),
            MemoryTask("tab", tab.walk()),
            MemoryTask("upgrade", upgrade(scene, told, chance, "upgrade", page)),
        ]
        first = chance.choice(people)
        for _ in range(chance.choice(AHEAD)):
            if not first.ended and self.durable != self.cut_at and not self._waits(self.waits.get(id(first))):
                self._step(first)
        return people

    def _restart(self, people: list[MemoryTask]) -> None:
        """Take the power away: whoever was in the middle is gone, and nobody told them anything."""
        self.journal += self.scene.site.journal.entries
        gone = (*people, *self.scene.site.tasks.started)
        self.scene, self.cut_at = self.scene.restart(), None
        for task in gone:
            let_go(task)
        self.waits.clear()

    def _together(self, people: list[MemoryTask]) -> bool:
        """Let them step until all have come to an end; say whether the power went before that."""
        stay, last = self.chance.choice(STAYS), None
        while self.durable != self.cut_at and not all(task.ended for task in people):
            ready = self._ready(people)
            assert ready, "somebody waits for ever"
            if last is None or last not in ready or self.chance.random() >= stay:
                task = self.chance.choice(ready)
                self.switches += task is not last
                last = task
            self._step(last)
        return self.durable == self.cut_at

    def _step(self, task: MemoryTask) -> None:
        mark = task.step()
        self.steps += 1
        if task.error is not None:
            raise task.error
        self.waits.pop(id(task), None)
        if isinstance(mark, Blocked):
            self.waits[id(task)] = mark.name
        elif isinstance(mark, Durable):
            self.durable += 1
        elif isinstance(mark, Call) and mark.name.startswith(AWAY):
            self.waits[id(task)] = self.steps + int(mark.name.removeprefix(AWAY))

    def _ready(self, people: list[MemoryTask]) -> list[MemoryTask]:
        """List those who can take a step; who looks away comes back before everybody waits for ever."""
        there = [task for task in (*people, *self.scene.site.tasks.started) if not task.ended]
        ready = [task for task in there if not self._waits(self.waits.get(id(task)))]
        away = [task for task in there if isinstance(self.waits.get(id(task)), int)]
        return ready or away

    def _waits(self, on: str | int | None) -> bool:
        if on is None or isinstance(on, int):
            return on is not None and on > self.steps
        site = self.scene.site
        if on.startswith("task "):
            return any(not other.ended and on == f"task {other.name}" for other in site.tasks.started)
        return on in site.world.held or on in site.locks.held


def let_go(task: MemoryTask) -> None:
    """Drop the work of a process that is gone."""
    if not task.ended and getcoroutinestate(task.work) == CORO_CREATED:
        task.step()
    task.work.close()
