"""The audit journal: evidence, never authority. It is not flushed, and an append that fails fails nothing else.

Nobody waits for it either: lines are taken in the order of the calls and written a moment later, while whoever told
them goes on. Reading waits for what was taken before.

Equal refusals within ten seconds are one line. Its count is the only thing in a file that ever changes, and it is
written over in place, so that refusals cannot push transitions out of the files that are kept.
Source: `site.md` 1.7.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

import structlog
from attrs import define, field, frozen

from ems_admin.stores.disk import DISK
from ems_admin.stores.folders import Folder, UnsafeFileError, resolved
from ems_admin.stores.journal_lines import COUNT_KEY, MOST, count_spelled, last_number, lines_after, spelled
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.records import JournalEntry, JournalLine
from ems_admin.workflows.ports.running import Clock

FOLDER: Final = "state"
FILE: Final = "journal.jsonl"
ROTATE_AT: Final = 8 << 20
"""Bytes."""
KEPT: Final = 5
WINDOW: Final = timedelta(seconds=10)

_log: Final = structlog.get_logger(__name__)

_Alike = tuple[str, str, str | None, str | None]


@frozen(kw_only=True)
class _Taken:
    """A line that is to be written."""

    line: JournalLine
    time: datetime
    at: float
    """The boottime clock."""


@define
class _Refusal:
    """A refusal whose count may still grow. Mutable for that."""

    offset: int
    count: int
    until: float


@define(kw_only=True)
class JournalFile:
    """`state/journal.jsonl` and the five before it, written by the one process that owns the site.

    Mutable: it knows the last number, and which counts may still grow.
    """

    admin_data: Path = field(converter=resolved)
    clock: Clock
    threads: DiskThreads = DISK_THREADS
    rotate_at: int = ROTATE_AT
    _taken: deque[_Taken] = field(factory=deque, init=False, repr=False)
    _writing: asyncio.Task[None] | None = field(default=None, init=False, repr=False)
    _last: int | None = field(default=None, init=False)
    _recent: dict[_Alike, _Refusal] = field(factory=dict, init=False, repr=False)
    _writable: bool = field(default=True, init=False)

    @property
    def _folder(self) -> Folder:
        return Folder(str(self.admin_data), (FOLDER,))

    @property
    def writable(self) -> bool:
        """Whether the last line could be written."""
        return self._writable

    async def append(self, line: JournalLine) -> None:
        """Take a line and the time it was told; it is written in the order of the calls."""
        self._taken.append(_Taken(line=line, time=self.clock.now(), at=self.clock.boottime()))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_taken(), name="journal")

    async def settled(self) -> None:
        """Wait until every line that was taken is written, or could not be. Whoever closes a site does."""
        while self._writing is not None:
            await asyncio.wait({self._writing})

    async def after(self, sequence: int, limit: int = 200) -> tuple[JournalEntry, ...]:
        """Give the lines that follow `sequence`, oldest first; none of what cannot be read."""
        await self.settled()
        return await self.threads.run(partial(self._after, sequence, limit))

    async def latest(self, limit: int = 200) -> tuple[JournalEntry, ...]:
        """Give the newest lines, oldest first."""
        await self.settled()
        return await self.threads.run(partial(self._latest, limit))

    async def _write_taken(self) -> None:
        try:
            while self._taken:
                lines = tuple(self._taken)
                self._taken.clear()
                failure = await self.threads.run(partial(self._append_all, lines))
                if failure is not None and self._writable:
                    _log.error("the journal cannot be written", error=type(failure).__name__)
                self._writable = failure is None
        finally:
            self._writing = None

    def _append_all(self, lines: tuple[_Taken, ...]) -> Exception | None:
        """Say what stood against the last one; each is tried, for the next may be the one that fits."""
        failures = [self._try_to_append(taken) for taken in lines]
        return failures[-1]

    def _try_to_append(self, taken: _Taken) -> Exception | None:
        try:
            self._append(taken)
        except (OSError, TypeError, ValueError) as error:
            self._last = None  # part of the line may be there: what the file holds is looked up anew
            self._recent.clear()
            return error
        return None

    def _append(self, taken: _Taken) -> None:
        line = taken.line
        self._recent = {alike: refusal for alike, refusal in self._recent.items() if refusal.until > taken.at}
        alike = (line.machine, line.key, line.code, line.session)
        counted = line.code is not None and line.target is None
        with self._folder.opened() as at:
            with _opened(FILE, os.O_RDWR | os.O_CREAT, at=at) as file:
                if counted and self._counts_again(file, alike):
                    return
                start = self._write(file, taken, at)
                end = os.fstat(file).st_size
            if counted:
                self._recent[alike] = _Refusal(start, 1, taken.at + WINDOW.total_seconds())
            if end >= self.rotate_at:
                self._rotate(at)

    def _counts_again(self, file: int, alike: _Alike) -> bool:
        """Add one to the count of an equal refusal; not in a file from which somebody has taken its line away."""
        again = self._recent.get(alike)
        if again is None or again.count >= MOST:
            return False
        if os.pread(file, len(COUNT_KEY), again.offset - len(COUNT_KEY)) != COUNT_KEY:
            return False
        again.count += 1
        os.pwrite(file, count_spelled(again.count), again.offset)
        return True

    def _write(self, file: int, taken: _Taken, at: int) -> int:
        """Write a line, and say where its count begins."""
        if self._last is None:
            self._last = self._last_number(at)
        data = spelled(self._last + 1, taken.time, taken.line)
        end = os.fstat(file).st_size
        if end > 0 and os.pread(file, 1, end - 1) != b"\n":
            end += os.pwrite(file, b"\n", end)  # a torn line keeps to itself
        if os.pwrite(file, data, end) != len(data):
            raise OSError("part of a line")
        self._last += 1
        return end + data.index(COUNT_KEY) + len(COUNT_KEY)

    def _rotate(self, at: int) -> None:
        for number in range(KEPT - 1, -1, -1):
            with suppress(FileNotFoundError):
                DISK.replace(_numbered(number), _numbered(number + 1), at=at)
        self._recent.clear()

    def _last_number(self, at: int) -> int:
        with _all_opened(at) as files:
            numbers = (last_number(file) for file in reversed(files))
            return next((number for number in numbers if number is not None), 0)

    def _latest(self, limit: int) -> tuple[JournalEntry, ...]:
        try:
            with self._folder.opened() as at:
                last = self._last_number(at)
        except OSError:
            return ()
        return self._after(max(0, last - limit), limit)

    def _after(self, sequence: int, limit: int) -> tuple[JournalEntry, ...]:
        try:
            with self._folder.opened() as at, _all_opened(at) as files:
                newer = (file for file in files if (last_number(file) or 0) > sequence)
                return tuple(islice(chain.from_iterable(lines_after(file, sequence) for file in newer), limit))
        except OSError:
            return ()


@contextmanager
def _opened(name: str, flags: int, *, at: int) -> Iterator[int]:
    """Open a journal file, but nothing that leads elsewhere, waits or is no file. Raises `OSError`."""
    file = DISK.open(name, flags, at=at)
    try:
        if not DISK.is_regular(file):
            raise UnsafeFileError(errno.EINVAL, "no regular file")
        yield file
    finally:
        os.close(file)


@contextmanager
def _all_opened(at: int) -> Iterator[tuple[BinaryIO, ...]]:
    """Open what there is of the journal, oldest first. What is no file of ours is none of the journal."""
    with ExitStack() as stack:
        files: list[BinaryIO] = []
        for number in range(KEPT, -1, -1):
            with suppress(OSError):
                file = stack.enter_context(_opened(_numbered(number), os.O_RDONLY, at=at))
                files.append(stack.enter_context(os.fdopen(file, "rb", closefd=False)))
        yield tuple(files)


def _numbered(number: int) -> str:
    return f"{FILE}.{number}" if number else FILE
