"""Processes and event loops that dispatch the same operation at once, with the site lock switched off.

What they share is what two Admins of one site would share: the folder with the records, and the engine.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Final

from attrs import evolve, frozen

from ems_admin.composition.options import Options
from ems_admin.composition.parts import compose
from ems_admin.docker.replacement.launcher import DockerLauncher
from ems_admin.machines.replacement_dispatch import INTEND
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement.dispatch import dispatch
from tests.memory.records import MemoryJournal

MEET: Final = 60.0
"""Seconds in which all callers have to be there."""


@frozen(kw_only=True)
class Lane:
    """One site, and the container in which all its Admins believe to be."""

    options: Options
    admin: str


@frozen
class Seat:
    """Where a caller sits: one event loop in a thread of its own."""

    process: int
    lane: int


@frozen
class Order:
    """What every caller of a lane asks for."""

    after: int
    retrying: bool


@frozen
class Answer:
    """What one caller was told: a stage, or the code of a refusal."""

    said: str
    launched: bool
    """This caller has promised the attempt, so it was the one that launched it."""


def compose_house(lane: Lane, files: SiteFiles) -> House:
    """Compose the house of one process, with a journal of its own: the file has one writer."""
    clock = HostClock()
    parts = asyncio.run(compose(lane.options, files, clock, instance=""))
    journal = MemoryJournal(clock)
    records = authorities(files, journal=journal, events=Hints(), warn=lambda _code: None)
    launcher = parts.house.launcher
    assert isinstance(launcher, DockerLauncher)
    return evolve(parts.house, records=records, journal=journal, launcher=evolve(launcher, own=lane.admin))


@frozen
class _Caller:
    """One caller, who does as he is told."""

    name: str
    lane: Lane
    orders: Connection
    together: Barrier
    """For all of one lane."""

    def run(self) -> None:
        """Answer every order."""
        house = compose_house(self.lane, SiteFiles(admin_data=self.lane.options.admin_data))
        with asyncio.Runner() as runner:
            self.orders.send(None)
            while (order := self.orders.recv()) is not None:
                self.orders.send(runner.run(self._call(house, order)))

    async def _call(self, house: House, order: Order) -> Answer:
        caller = Caller(session=self.name, token=None, scope=Scope.OWNER)
        transition = await house.records.transition.current()
        assert transition is not None, "the operation is laid before it is called for"
        journal = house.journal
        assert isinstance(journal, MemoryJournal)
        told = len(journal.entries)
        self.together.wait(MEET)  # nothing else runs in this loop
        try:
            reported = await dispatch(house, caller, transition, after=order.after, retrying=order.retrying)
            said = reported.stage.value
        except RefusalError as refused:
            said = str(refused.refusal.code)
        mine = [entry.line.trigger for entry in journal.entries[told:]]
        return Answer(said, launched=INTEND.name in mine)


def _process(callers: list[_Caller]) -> None:
    threads = [threading.Thread(target=caller.run) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@frozen
class Callers:
    """All callers of one lane, wherever they sit."""

    pipes: tuple[Connection, ...]

    def all_ask(self, order: Order) -> list[Answer]:
        """Let everybody ask at once, and give what each was told."""
        for pipe in self.pipes:
            pipe.send(order)
        return [pipe.recv() for pipe in self.pipes]


@contextmanager
def callers(lanes: tuple[Lane, ...], seats: tuple[Seat, ...]) -> Iterator[list[Callers]]:
    """Start the processes, give the callers of each lane, and end them."""
    spawning = multiprocessing.get_context("spawn")
    sizes = Counter(seat.lane for seat in seats)
    together = [spawning.Barrier(sizes[lane]) for lane in range(len(lanes))]
    pipes = [spawning.Pipe() for _ in seats]
    seated = [
        _Caller(f"{number}", lanes[seat.lane], far, together[seat.lane])
        for number, (seat, (_, far)) in enumerate(zip(seats, pipes, strict=True))
    ]
    processes = [
        spawning.Process(
            target=_process,
            args=([one for one, seat in zip(seated, seats, strict=True) if seat.process == process],),
        )
        for process in sorted({seat.process for seat in seats})
    ]
    for process in processes:
        process.start()
    try:
        for near, _ in pipes:
            assert near.poll(MEET), "a process does not come up"
            near.recv()
        yield [
            Callers(tuple(near for seat, (near, _) in zip(seats, pipes, strict=True) if seat.lane == lane))
            for lane in range(len(lanes))
        ]
    finally:
        for near, far in pipes:
            near.send(None)
            far.close()
        for process in processes:
            process.join(MEET)
            process.kill()
            process.join()
        for near, _ in pipes:
            near.close()
