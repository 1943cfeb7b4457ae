"""The audit journal: evidence, never authority. It is not flushed, and an append that fails fails nothing else.

Nobody waits for it either: lines are taken in the order of the calls and written a moment later, while whoever told
them goes on. Reading waits for what was taken before.

Equal refusals within ten seconds are one line. Its count is the only thing in a file that ever changes, and it is
written over in place, so that refusals cannot push transitions out of the files that are kept.
Source: `site.md` 1.7.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final

import structlog
from attrs import define, field, frozen

from ems_admin.stores.disk import RECORD_MODE
from ems_admin.stores.folders import resolved
from ems_admin.stores.journal_lines import COUNT_KEY, MOST, count_spelled, last_number, lines_after, spelled
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.records import JournalEntry, JournalLine
from ems_admin.workflows.ports.running import Clock

FILE: Final = Path("state/journal.jsonl")
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
        with _opened(self.admin_data / FILE) as file:
            again = self._recent.get(alike)
            if line.code and line.target is None and again is not None and again.count < MOST:
                again.count += 1
                os.pwrite(file, count_spelled(again.count), again.offset)
                return
            end = self._write(file, taken, alike)
        if end >= self.rotate_at:
            self._rotate()

    def _write(self, file: int, taken: _Taken, alike: _Alike) -> int:
        if self._last is None:
            self._last = self._last_number()
        data = spelled(self._last + 1, taken.time, taken.line)
        end = os.fstat(file).st_size
        if end > 0 and os.pread(file, 1, end - 1) != b"\n":
            end += os.pwrite(file, b"\n", end)  # a torn line keeps to itself
        if os.pwrite(file, data, end) != len(data):
            raise OSError("part of a line")
        self._last += 1
        offset, until = end + data.index(COUNT_KEY) + len(COUNT_KEY), taken.at + WINDOW.total_seconds()
        self._recent[alike] = _Refusal(offset, 1, until)
        return end + len(data)

    def _rotate(self) -> None:
        path = self.admin_data / FILE
        for number in range(KEPT - 1, 0, -1):
            if (older := _numbered(path, number)).exists():
                older.replace(_numbered(path, number + 1))
        path.replace(_numbered(path, 1))
        self._recent.clear()

    def _last_number(self) -> int:
        numbers = (last_number(path) for path in reversed(self._files()))
        return next((number for number in numbers if number is not None), 0)

    def _files(self) -> tuple[Path, ...]:
        path = self.admin_data / FILE
        files = (*(_numbered(path, number) for number in range(KEPT, 0, -1)), path)
        return tuple(file for file in files if file.exists())

    def _after(self, sequence: int, limit: int) -> tuple[JournalEntry, ...]:
        newer = (path for path in self._files() if (last_number(path) or 0) > sequence)
        try:
            return tuple(islice(chain.from_iterable(lines_after(path, sequence) for path in newer), limit))
        except OSError:
            return ()


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, RECORD_MODE)
    try:
        yield file
    finally:
        os.close(file)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")
