"""What is durable, what dies with the process, and the places at which a coroutine may be left or stopped for good."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

from attrs import define, field, frozen

from ems_admin.workflows.ports.records import Commit, Committed
from tests.memory.host import Host

T = TypeVar("T")


@frozen
class Call:
    """A port is about to be used: another caller may come first."""

    name: str


@frozen
class Durable:
    """A change has landed: the power may go here, and nothing after it has happened."""

    name: str


@frozen
class Blocked:
    """Somebody else holds this: there is no use in going on before it is free."""

    name: str


Mark = Call | Durable | Blocked


@frozen
class Step:
    """An await that stops once, and says where."""

    mark: Mark

    def __await__(self) -> Generator[Mark, None, None]:
        yield self.mark


@frozen(kw_only=True)
class Fault:
    """What the next commit of one file answers, and whether the bytes land all the same."""

    outcome: Commit
    lands: bool
    blinds: bool = False
    """Whether this process cannot read the file any more either."""
    lasting: bool = False
    """Whether it is there until it is cleared, and not for one commit alone."""


@define
class World:
    """A site in memory. Mutable: that is what it is for."""

    files: dict[str, bytes] = field(factory=dict)
    """Durable, by name below the Admin data or, with a leading `/`, below the install root."""
    folders: set[str] = field(factory=set)
    """Durable as well."""
    host: Host = field(factory=Host)
    """The engine's side: what it keeps outlives every process."""
    damaged: set[str] = field(factory=set)
    """Names of what lies there with owners or modes that are not its own."""
    held: set[str] = field(factory=set)
    """Locks, which die with the process."""
    faults: dict[str, Fault] = field(factory=dict)
    """By name of file; each is met once."""
    blind: set[str] = field(factory=set)
    """Files that this process cannot read; the next one can."""

    def after_power_cut(self) -> World:
        """Give the world as the next start finds it."""
        return World(files=dict(self.files), folders=set(self.folders), host=self.host.copy())

    async def change(self, name: str, data: bytes | None) -> Commit:
        """Write or remove a file as one durable change."""
        await Step(Call(f"commit {name}"))
        fault = self.faults.get(name)
        if fault is not None and not fault.lasting:
            del self.faults[name]
        if fault is not None and fault.blinds:
            self.blind.add(name)
        if fault is None or fault.lands:
            if data is None:
                self.files.pop(name, None)
            else:
                self.files[name] = data
            await Step(Durable(name))
        return Committed() if fault is None else fault.outcome


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run one coroutine alone to its end. Raises `RuntimeError` when it waits for somebody who never comes."""
    try:
        while True:
            mark = work.send(None)
            if isinstance(mark, Blocked):
                work.throw(RuntimeError(f"{mark.name} is never free"))
    except StopIteration as end:
        result: T = end.value
        return result


def drive_until(work: Coroutine[Any, Any, Any], mark: Mark) -> None:
    """Run until this place, and leave it there, as a power cut does."""
    while work.send(None) != mark:
        pass
