"""What one step of a caller looks at and changes: the measure of what can commute, and of what a caller has seen.

The world in memory is watched where it is kept, so nothing is guessed from the name of a call. Two steps whose
footprints do not meet can be taken in either order, and lead to one state.
"""

# long because: everything that can be looked at or changed is watched here, so that nothing is left out unseen

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Self

from attrs import define, field, frozen

from ems_admin.machines.setup_intent import SetupIntent
from ems_admin.workflows.house import House
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Job, Jobs
from ems_admin.workflows.work import Arbiter
from tests.memory.host import Host
from tests.memory.site import MemorySite
from tests.memory.world import World

NAMES = "the names of all files"
HOST = "host"


@frozen
class Change:
    """One durable change: which file, from what to what; `None` is absence."""

    name: str
    before: bytes | None
    after: bytes | None


@define(eq=False)
class Footprint:
    """One step. Mutable: it is filled while the step is taken."""

    seen: int = 0
    """Every value that was looked at, as a hash."""
    touched: set[str] = field(factory=set)
    written: set[str] = field(factory=set)
    changes: list[Change] = field(factory=list)

    def look(self, cell: str, value: object) -> None:
        self.touched.add(cell)
        self.seen = hash((self.seen, cell, value))

    def write(self, cell: str) -> None:
        self.touched.add(cell)
        self.written.add(cell)


@define
class Watch:
    """Where the steps of one schedule are watched. Mutable: each step has a footprint of its own."""

    print: Footprint = field(factory=Footprint)

    def begin(self) -> Footprint:
        """Begin a step."""
        self.print = Footprint()
        return self.print


class WatchedFiles(dict[str, bytes]):
    """The files of a world, with a running sum that tells one world from another."""

    def __init__(self, files: dict[str, bytes], watch: Watch) -> None:
        super().__init__(files)
        self.watch = watch
        self.sum = 0
        for item in files.items():
            self.sum ^= hash(item)

    def __getitem__(self, name: str) -> bytes:
        data = super().__getitem__(name)
        self.watch.print.look(name, data)
        return data

    def get(self, name: str, default: Any = None) -> Any:
        data = super().get(name, default)
        self.watch.print.look(name, data)
        return data

    def __contains__(self, name: object) -> bool:
        there = super().__contains__(name)
        self.watch.print.look(str(name), there)
        return there

    def __iter__(self) -> Iterator[str]:
        self.watch.print.look(NAMES, frozenset(super().keys()))
        return super().__iter__()

    def keys(self) -> KeysView[str]:  # type: ignore[override]  # views of a copy
        return self.plain().keys()

    def items(self) -> ItemsView[str, bytes]:  # type: ignore[override]  # views of a copy
        return self.plain().items()

    def values(self) -> ValuesView[bytes]:  # type: ignore[override]  # views of a copy
        return self.plain().values()

    def plain(self) -> dict[str, bytes]:
        """Give a copy that is not watched; the look at everything is noted."""
        self.watch.print.look(NAMES, self.sum)
        return {name: super(WatchedFiles, self).__getitem__(name) for name in super().__iter__()}

    def __setitem__(self, name: str, data: bytes) -> None:
        self._change(name, data)
        super().__setitem__(name, data)

    def __delitem__(self, name: str) -> None:
        self._change(name, None)
        super().__delitem__(name)

    def pop(self, name: str, *default: Any) -> Any:
        if super().__contains__(name):
            self._change(name, None)
        else:
            self.watch.print.look(name, None)
        return super().pop(name, *default)

    def _change(self, name: str, after: bytes | None) -> None:
        before = super().get(name)
        if before == after:
            return
        for data in (before, after):
            if data is not None:
                self.sum ^= hash((name, data))
        self.watch.print.write(name)
        if before is None or after is None:
            self.watch.print.write(NAMES)
        self.watch.print.changes.append(Change(name, before, after))


class WatchedSet(set[str]):
    """Locks that are held, or folders that exist."""

    def __init__(self, what: str, members: AbstractSet[str], watch: Watch) -> None:
        super().__init__(members)
        self.what, self.watch = what, watch

    def __contains__(self, name: object) -> bool:
        there = super().__contains__(name)
        self.watch.print.look(f"{self.what} {name}", there)
        return there

    def __ge__(self, other: AbstractSet[object]) -> bool:
        there = super().__ge__(other)
        self.watch.print.look(self.what, there)
        return there

    def __ior__(self, other: AbstractSet[Any]) -> Self:  # type: ignore[override,misc]  # only strings are put in
        self.watch.print.write(self.what)
        self.update(other)
        return self

    def add(self, name: str) -> None:
        self.watch.print.write(f"{self.what} {name}")
        super().add(name)

    def discard(self, name: object) -> None:
        self.watch.print.write(f"{self.what} {name}")
        super().discard(name)


WATCHES: dict[int, Watch] = {}
"""By arbiter, intents or jobs: these are slotted values of the program itself, with no room for a watch."""


# The slots below the properties that watch them.
_RUNNING: Any = vars(Arbiter)["running"]
_KEPT: Any = vars(Intents)["kept"]
_JOBS: Any = vars(Jobs)["jobs"]
_HOST: Any = vars(World)["host"]


class WatchedArbiter(Arbiter):
    """Running work, each look at it noted."""

    __slots__ = ()

    @property
    def running(self) -> Any:
        value = _RUNNING.__get__(self)
        if watch := WATCHES.get(id(self)):
            watch.print.look("work", value)
        return value

    @running.setter
    def running(self, value: Any) -> None:
        if watch := WATCHES.get(id(self)):
            watch.print.write("work")
        _RUNNING.__set__(self, value)


class WatchedIntents(Intents):
    """Confirmations: whoever looks at them may be about to spend one."""

    __slots__ = ()

    @property
    def kept(self) -> dict[str, SetupIntent]:
        value: dict[str, SetupIntent] = _KEPT.__get__(self)
        if watch := WATCHES.get(id(self)):
            watch.print.look("intents", tuple(value.values()))
            watch.print.write("intents")
        return value

    @kept.setter
    def kept(self, value: dict[str, SetupIntent]) -> None:
        if watch := WATCHES.get(id(self)):
            watch.print.write("intents")
        _KEPT.__set__(self, value)


class WatchedJobs(Jobs):
    """Jobs: whoever looks at them may be about to open one."""

    __slots__ = ()

    @property
    def jobs(self) -> tuple[Job, ...]:
        value: tuple[Job, ...] = _JOBS.__get__(self)
        if watch := WATCHES.get(id(self)):
            watch.print.look("jobs", tuple((job.id, job.status) for job in value))
        return value

    @jobs.setter
    def jobs(self, value: tuple[Job, ...]) -> None:
        if watch := WATCHES.get(id(self)):
            watch.print.write("jobs")
        _JOBS.__set__(self, value)


def watch_house(house: House, watch: Watch) -> None:
    """Note from here on what is looked at in the memory of this process."""
    for part, watched in ((house.work, WatchedArbiter), (house.intents, WatchedIntents), (house.jobs, WatchedJobs)):
        part.__class__ = watched  # the same slots, and others hold this very object
        WATCHES[id(part)] = watch


class WatchedWorld(World):
    """A world whose host is looked at as a whole."""

    __slots__ = ()

    @property
    def host(self) -> Host:
        value: Host = _HOST.__get__(self)
        if watch := WATCHES.get(id(self)):
            watch.print.look(HOST, value.picture())
        return value

    @host.setter
    def host(self, value: Host) -> None:
        _HOST.__set__(self, value)


def watch_site(site: MemorySite, watch: Watch) -> WatchedFiles:
    """Note from here on what is looked at in the world, and what is changed there."""
    files = WatchedFiles(site.world.files, watch)
    site.world.__class__ = WatchedWorld  # the same slots
    WATCHES[id(site.world)] = watch
    site.world.files = files
    site.world.held = WatchedSet("held", site.world.held, watch)
    site.world.folders = WatchedSet("folders", site.world.folders, watch)
    site.locks.held = WatchedSet("lock", site.locks.held, watch)
    return files


def unwatch(house: House, site: MemorySite) -> None:
    """Forget a process that is over: its place in memory is soon another one's."""
    for part in (house.work, house.intents, house.jobs, site.world):
        WATCHES.pop(id(part), None)
