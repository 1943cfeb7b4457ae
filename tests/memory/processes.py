"""The processes of a host in memory: each runs in its container, is stepped by hand, and dies with it.

An Admin that is killed takes no updater with it, and an updater stops an Admin in the middle of whatever that does.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeAlias

from attrs import define, field, frozen

from ems_admin.machines.records.reading import Present
from ems_admin.machines.replacement.walking import Heading, way_on
from ems_admin.workflows.replacement.walking import walk
from tests.memory.host import KILLED, Container, Doing, Kind
from tests.memory.native import MemoryNative
from tests.memory.replacing import updating
from tests.memory.running import MemoryClock, MemoryTask
from tests.memory.site import MemorySite
from tests.memory.world import Mark, World

Program: TypeAlias = Callable[[Container], Coroutine[Any, Any, int]]
"""What a container of one kind runs whenever it is started; gives its exit code."""


@frozen
class Updater:
    """The program of every updater: the walk of its attempt."""

    world: World
    clock: MemoryClock

    async def __call__(self, container: Container) -> int:
        site = MemorySite(world=self.world, clock=self.clock)
        end = await walk(updating(site, container.id, container.operation_id, container.attempt))
        return end.exit_code


@frozen
class Entrance:
    """The program of whoever starts the site natively: an open walk is finished first."""

    world: World
    clock: MemoryClock

    async def __call__(self, container: Container) -> int:
        site = MemorySite(world=self.world, clock=self.clock)
        match await site.run.read():
            case Present(record=run) if way_on(run).heading is not Heading.OUT:
                if not any(found.runs for found in self.world.host.updaters(run.operation_id)):
                    container.operation_id, container.attempt = run.operation_id, run.attempt
                    await walk(updating(site, container.id, run.operation_id, run.attempt))
        await MemoryNative(world=self.world, me=container.id).serve()
        return 0


@define
class Process:
    """One of them: it begins when it is stepped for the first time. Mutable: it gets on."""

    name: str
    begin: Callable[[], Coroutine[Any, Any, int | None]]
    task: MemoryTask | None = None
    exit_code: int = 0

    def step(self) -> Mark | None:
        if self.task is None:
            self.task = MemoryTask(self.name, self._to_the_end())
        mark = self.task.step()
        self.exit_code = 1 if self.task.error else self.exit_code
        return mark

    @property
    def ended(self) -> bool:
        return self.task is not None and self.task.ended

    def cut(self) -> None:
        """Let nothing of it go on; the locks that it holds are free."""
        if self.task is not None:
            self.task.work.close()

    async def _to_the_end(self) -> None:
        self.exit_code = await self.begin() or 0


@define
class Processes:
    """All that runs on a host. Mutable: processes come and go."""

    world: World
    clock: MemoryClock = field(factory=MemoryClock)
    programs: Mapping[Kind, Program] = field()
    """An Admin has none unless it is given one here, or attached."""
    live: dict[str, Process] = field(factory=dict, init=False)
    """By id of the container."""

    @programs.default
    def _updaters_walk(self) -> Mapping[Kind, Program]:
        return {
            Kind.UPDATER: Updater(self.world, self.clock),
            Kind.ENTRANCE: Entrance(self.world, self.clock),
        }

    def __attrs_post_init__(self) -> None:
        self.settle()

    def attach(self, container: str, begin: Callable[[], Coroutine[Any, Any, int | None]]) -> None:
        """Let a running container run this; whoever stops the container cuts it."""
        self._cut(container)
        self.live[container] = Process(container, begin)

    def settle(self) -> None:
        """Cut what has lost its container, and begin what was started."""
        containers = self.world.host.containers
        for gone in [name for name in self.live if name not in containers or not containers[name].runs]:
            self._cut(gone)
        for container in containers.values():
            program = self.programs.get(container.kind)
            if container.runs and program is not None and container.id not in self.live:
                self.live[container.id] = Process(container.id, partial(program, container))

    def step(self, container: str) -> Mark | None:
        """Let one process go to its next place; `None` when it has ended. Raises what the process raised."""
        process = self.live[container]
        mark = process.step()
        if process.ended:
            self._note_end(container, process.exit_code)
            if process.task and process.task.error:
                raise process.task.error
        self.settle()
        return mark

    def run(self, container: str) -> list[Mark]:
        """Let one process go on to its end, and give the places that it passed."""
        passed: list[Mark] = []
        process = self.live[container]
        while self.live.get(container) is process and (mark := self.step(container)) is not None:
            passed.append(mark)
        return passed

    def crash(self, container: str) -> None:
        """Kill one process from inside: the engine may start its container again."""
        self._cut(container)
        self._note_end(container, KILLED)
        self.settle()

    def stop(self, container: str) -> None:
        """Stop one container by hand: nothing but a hand starts it again."""
        self.world.host.stop(self.world.host.containers[container])
        self.settle()

    def start(self, container: str) -> None:
        """Start one container by hand."""
        self.world.host.start(self.world.host.containers[container])
        self.settle()

    def enter(self) -> str:
        """Let somebody start the site natively; give the name of the process."""
        name = f"entrance-{len(self.world.host.containers)}"
        self.world.host.containers[name] = Container(
            id=name, name=name, kind=Kind.ENTRANCE, image="", doing=Doing.RUNNING, restarts_by_itself=False
        )
        self.settle()
        return name

    def reboot(self) -> None:
        """Cut the power of the host. Boottime begins anew, and with it the boot id.

        Natively nothing runs then until somebody enters.
        """
        for name in list(self.live):
            self._cut(name)
        self.world.held.clear()
        self.world.host.reboot()
        self.clock.boot = f"boot-{self.world.host.boots}"
        self.clock.seconds = 0.0
        self.settle()

    def _note_end(self, container: str, exit_code: int) -> None:
        self.live.pop(container, None)
        found = self.world.host.containers.get(container)
        if found is not None and found.runs:
            self.world.host.ended(found, exit_code)
        self.settle()

    def _cut(self, container: str) -> None:
        process = self.live.pop(container, None)
        if process is not None:
            process.cut()
