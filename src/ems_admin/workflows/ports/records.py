"""Durable records: how they are held, read and committed, and what may truly be said of a commit.

Source: DESIGN 3; `faults.md` D5, F10, F14, F15.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeAlias, TypeVar

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Reading

R = TypeVar("R")


class RefusalError(Exception):
    """The one exception of the application: it carries a refusal out of a sequence of checks."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry `refusal`."""
        super().__init__(str(refusal.code))
        self.refusal = refusal


@frozen(kw_only=True)
class Committed:
    """Proved durable."""

    storage_unreliable: bool = False
    """The directory could not be flushed twice in a row; the bytes read back, and people are warned."""


@frozen(kw_only=True)
class NotCommitted:
    """Proved absent: nothing changed, a retry is safe."""

    code: Code
    detail: str | None = None


@frozen(kw_only=True)
class Unprovable:
    """Nobody can say. Nothing is performed and nothing is taken back on the strength of it."""

    code: Code = Code.STATE_COMMIT_UNPROVABLE


Commit: TypeAlias = Committed | NotCommitted | Unprovable


class HeldRecord(Protocol[R]):
    """A record under its own lock."""

    async def read(self) -> Reading[R]:
        """Read the record as it stands on disk."""
        ...

    async def commit(self, record: R) -> Commit:
        """Replace the record as a whole. Never raises for what the disk does: that is the outcome."""
        ...

    async def remove(self) -> Commit:
        """Take the record away; an absent one is `Committed`."""
        ...


class RecordStore(Protocol[R]):
    """One record file, or what stands for it."""

    @property
    def name(self) -> str:
        """The file's name relative to the Admin data."""
        ...

    def hold(self, wait: float = 10.0) -> AbstractAsyncContextManager[HeldRecord[R]]:
        """Hold the record's lock, waiting at most `wait` seconds for a live holder.

        Raises `RefusalError` with `state_lock_busy`, `state_lock_unavailable`, `state_directory_unsafe`,
        `state_file_unsafe` or `admin_data_not_writable`.
        """
        ...

    async def read(self) -> Reading[R]:
        """Read without the lock: a replaced file is seen whole, before or after."""
        ...


@frozen(kw_only=True)
class JournalLine:
    """One line of evidence. No secret, no absolute path."""

    machine: str
    key: str
    trigger: str
    source: str | None = None
    target: str | None = None
    code: str | None = None
    operation_id: str | None = None
    workflow_id: str | None = None
    session: str | None = None
    """Fingerprint of the session, never the session id."""
    detail: str | None = None


@frozen(kw_only=True)
class JournalEntry:
    """A line as it was appended."""

    sequence: int
    time: datetime
    count: int
    """How many equal refusals within ten seconds this line stands for."""
    line: JournalLine


class Journal(Protocol):
    """The append-only audit journal: evidence, never authority."""

    async def append(self, line: JournalLine) -> None:
        """Append; a failure raises the warning `journal_not_writable`, never an exception."""
        ...

    async def after(self, sequence: int, limit: int = 200) -> tuple[JournalEntry, ...]:
        """Give the lines that follow `sequence`, oldest first; torn lines are skipped."""
        ...

    async def latest(self, limit: int = 200) -> tuple[JournalEntry, ...]:
        """Give the newest lines, oldest first: where a page begins that knows nothing yet."""
        ...

    @property
    def writable(self) -> bool:
        """Whether the last append succeeded."""
        ...
