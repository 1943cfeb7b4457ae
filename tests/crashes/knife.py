"""What a process does to its disk, call by call; and the knife that ends it for good right before one of them.

The calls are taken where every way to the disk ends, so no store can write past them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from ems_admin.stores.records import sha256
from ems_admin.workflows.ports.records import JournalLine
from tests.crashes.ground import Ground
from tests.memory.records import MemoryJournal
from tests.memory.world import Durable, Mark

CREATES: Final = os.O_CREAT | os.O_EXCL
ALL_BITS: Final = 0o7777


@frozen
class Event:
    """One place in the life of a process, where it can be cut."""

    act: str
    name: str
    more: str = ""
    """Of a replacement the SHA-256 of the new bytes, of a line of the journal the trigger."""
    source: str = ""
    """Of a replacement the name that the bytes had before."""


@define
class Knife:
    """Counts what a process does. Mutable: it counts."""

    ground: Ground
    dying: Callable[[], None]
    """Saves what is another process's."""
    cut_at: int | None = None
    """The number of the event that does not happen any more."""
    events: list[Event] = field(factory=list)
    elsewhere: bool = False
    """Whether another process is at work: its own writes are not ours."""

    def passes(self, act: str, name: str, more: str = "", source: str = "") -> None:
        """Come to a place; it may be the last one."""
        if self.elsewhere:
            return
        if len(self.events) == self.cut_at:
            self.dying()
            os.kill(os.getpid(), signal.SIGKILL)
        self.events.append(Event(act, name, more, source))

    def mark(self, mark: Mark) -> None:
        """Come to a place at which the engine is asked, or at which it has done something."""
        self.passes("done" if isinstance(mark, Durable) else "asked", mark.name)

    def attach(self) -> None:
        """Stand before every call that changes the disk, for the rest of this process."""
        for name in ("unlink", "rmdir", "mkdir"):
            setattr(os, name, self._before(name, getattr(os, name)))
        real_open, real_replace, real_fsync, real_chmod = os.open, os.replace, os.fsync, os.chmod

        def opens(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            if flags & CREATES == CREATES:
                self.passes("create", self._named(path, dir_fd))
            return real_open(path, flags, mode, dir_fd=dir_fd)

        def replaces(src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
            data = Path(self._path(src, src_dir_fd)).read_bytes()
            self.passes("replace", self._named(dst, dst_dir_fd), sha256(data), self._named(src, src_dir_fd))
            real_replace(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

        def flushes(file: int) -> None:
            self.passes("flush", self._named(f"/proc/self/fd/{file}", None))
            real_fsync(file)

        def permits(path: Any, mode: int) -> None:
            if Path(path).stat().st_mode & ALL_BITS != mode:
                self.passes("chmod", self._named(path, None))
            real_chmod(path, mode)

        os.open, os.replace, os.fsync, os.chmod = opens, replaces, flushes, permits  # type: ignore[assignment]

    def _before(self, act: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def cut(path: Any, *args: Any, dir_fd: int | None = None) -> Any:
            if (act == "mkdir") is not os.path.lexists(self._path(path, dir_fd)):  # it changes something
                self.passes(act, self._named(path, dir_fd))
            return real(path, *args, dir_fd=dir_fd)

        return cut

    def _named(self, path: Any, at: int | None) -> str:
        return self.ground.name(self._path(path, at))

    def _path(self, path: Any, at: int | None) -> str:
        found = Path(path)
        if at is not None:
            found = Path(f"/proc/self/fd/{at}").readlink() / found
        return str(found.readlink() if found.is_relative_to("/proc/self/fd") else found)


@define
class WatchedJournal(MemoryJournal):
    """The journal, whose lines say which trigger has just become durable. Mutable: it grows."""

    knife: Knife | None = None

    async def append(self, line: JournalLine) -> None:
        await super().append(line)
        if self.knife is not None and line.code is None:
            self.knife.passes("told", line.machine, line.trigger)
