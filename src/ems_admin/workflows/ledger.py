"""One authority at work: its machines decide, its store commits, the journal is told.

This is the only way to change a durable record. What may be said of the outcome is what the store proved, never what
an exception suggested.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Answered, Decision, Effect, Refusal, Refused, Regions, Trigger
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.workflows.caller import THE_HOUSE, Caller
from ems_admin.workflows.ports.records import (
    Commit,
    Committed,
    HeldRecord,
    Journal,
    NotCommitted,
    RecordStore,
    RefusalError,
    Unprovable,
)
from ems_admin.workflows.ports.running import Events
from ems_admin.workflows.telling import Telling

R = TypeVar("R")
F = TypeVar("F")


@frozen(kw_only=True)
class Settled(Generic[R]):
    """Decided and durable. The effects may now be performed."""

    record: R
    effects: tuple[Effect, ...]


@frozen(kw_only=True)
class Denied:
    """Refused. `moved` tells that the refusal was committed with a changed record."""

    refusal: Refusal
    moved: bool


Attempted: TypeAlias = Settled[R] | Denied | NotCommitted | Unprovable


@frozen(kw_only=True)
class _Tried(Generic[R]):
    """One step as it was decided, and what the store said of it; nothing was to be committed of a refusal."""

    before: R | None
    trigger: Trigger[Any]
    decision: Decision[R]
    outcome: Commit | None


@frozen(kw_only=True, eq=False)
class Ledger(Generic[R]):
    """A record, the machines that speak about it, and the store that keeps it."""

    regions: Regions[R]
    store: RecordStore[R]
    journal: Journal
    events: Events
    key: Callable[[R], str]
    """The record's own id, for the journal."""
    unreadable: Callable[[Unreadable], Refusal]
    """What every trigger answers while the record cannot be read."""
    write_failed: Code | None = None
    """The code of a commit that is proved absent, where the record has one of its own."""
    warn: Callable[[Code], None] = lambda _code: None

    @property
    def telling(self) -> Telling[R]:
        """What the journal and the open pages are told."""
        return Telling(regions=self.regions, journal=self.journal, events=self.events, key=self.key)

    async def read(self) -> Reading[R]:
        """Read the record as it stands."""
        return await self.store.read()

    async def current(self) -> R | None:
        """Read the record; `None` only when there is none. Raises `RefusalError` when it cannot be read."""
        return self._known(await self.store.read())

    async def decide(self, trigger: Trigger[F], facts: F, by: Caller = THE_HOUSE) -> R:
        """Make one durable step and give the record. Raises `RefusalError` for everything else."""
        return self.settled(await self.attempt(trigger, facts, by))

    def settled(self, attempted: Attempted[R]) -> R:
        """Give the record of a step that became durable. Raises `RefusalError` for everything else."""
        match attempted:
            case Settled(record=record):
                return record
            case Denied(refusal=refusal):
                raise RefusalError(refusal)
            case outcome:
                raise RefusalError(self.refusal_of(outcome))

    async def told(self, trigger: Trigger[F], facts: F, by: Caller = THE_HOUSE) -> Settled[R] | Denied:
        """Make one step whose refusal is part of the story. Raises `RefusalError` when nothing became durable."""
        match await self.attempt(trigger, facts, by):
            case Settled() | Denied() as outcome:
                return outcome
            case outcome:
                raise RefusalError(self.refusal_of(outcome))

    async def attempt(self, trigger: Trigger[F], facts: F, by: Caller = THE_HOUSE) -> Attempted[R]:
        """Decide under the record's lock and commit what was decided.

        Raises `RefusalError` only when the lock cannot be had or the record cannot be read.
        """
        async with self.store.hold() as held:
            tried = await self._try(held, trigger, facts)
        return await self._told(tried, by)

    @asynccontextmanager
    async def hold(self, wait: float = 10.0) -> AsyncIterator[HeldLedger[R]]:
        """Hold the record over several steps: for the dispatch lock, which is held over engine calls.

        Raises `RefusalError` when the lock cannot be had within `wait` seconds.
        """
        async with self.store.hold(wait) as held:
            yield HeldLedger(ledger=self, held=held)

    async def _try(self, held: HeldRecord[R], trigger: Trigger[F], facts: F) -> _Tried[R]:
        before = self._known(await held.read())
        decision = self.regions.decide(before, trigger, facts)
        outcome = None if isinstance(decision, Refused) else await self._commit(held, before, decision.record)
        return _Tried(before=before, trigger=trigger, decision=decision, outcome=outcome)

    async def _told(self, tried: _Tried[R], by: Caller) -> Attempted[R]:
        before, trigger, decision, outcome = tried.before, tried.trigger, tried.decision, tried.outcome
        if isinstance(decision, Refused):
            await self.telling.refusal(before, trigger, decision.refusal, by)
            return Denied(refusal=decision.refusal, moved=False)
        if isinstance(outcome, NotCommitted | Unprovable):
            await self.telling.refusal(before, trigger, self.refusal_of(outcome), by)
            return outcome
        await self.telling.step(before, trigger, decision, by)
        if isinstance(decision, Answered):
            return Denied(refusal=decision.refusal, moved=True)
        return Settled(record=decision.record, effects=decision.effects)

    async def remove(self, *, only: Callable[[R], bool], by: Caller = THE_HOUSE) -> bool:
        """Take the record away if it is the one that `only` accepts; say whether it was. Raises `RefusalError`."""
        async with self.store.hold() as held:
            record = self._known(await held.read())
            if record is None or not only(record):
                return False
            outcome = await held.remove()
        if not isinstance(outcome, Committed):
            raise RefusalError(self.refusal_of(outcome))
        await self.telling.cleared(record, by)
        return True

    def refusal_of(self, outcome: NotCommitted | Unprovable) -> Refusal:
        """Name an outcome that is no success."""
        match outcome:
            case NotCommitted(code=code, detail=detail):
                # A full disk has the record's own code; a directory that nobody may write keeps the code of its cure.
                own = self.write_failed if code is Code.STATE_WRITE_FAILED else None
                return Refusal(own or code, detail=detail)
            case Unprovable(code=code):
                return Refusal(code)

    def _known(self, reading: Reading[R]) -> R | None:
        match reading:
            case Absent():
                return None
            case Present(record=record):
                return record
            case Unreadable():
                raise RefusalError(self.unreadable(reading))

    async def _commit(self, held: HeldRecord[R], before: R | None, after: R) -> Commit:
        if after == before:
            return Committed()  # an edge that assigns nothing has nothing to make durable
        outcome = await held.commit(after)
        if isinstance(outcome, Committed) and outcome.storage_unreliable:
            self.warn(Code.STORAGE_UNRELIABLE)
        return outcome


@frozen(kw_only=True, eq=False)
class HeldLedger(Generic[R]):
    """A record whose lock is held: every step is decided and committed under it."""

    ledger: Ledger[R]
    held: HeldRecord[R]

    async def read(self) -> Reading[R]:
        """Read the record as it stands."""
        return await self.held.read()

    async def attempt(self, trigger: Trigger[F], facts: F, by: Caller = THE_HOUSE) -> Attempted[R]:
        """Decide and commit. Raises `RefusalError` only when the record cannot be read."""
        tried = await self.ledger._try(self.held, trigger, facts)  # noqa: SLF001  # one authority, held or not
        return await self.ledger._told(tried, by)  # noqa: SLF001

    async def decide(self, trigger: Trigger[F], facts: F, by: Caller = THE_HOUSE) -> R:
        """Make one durable step and give the record. Raises `RefusalError` for everything else."""
        return self.ledger.settled(await self.attempt(trigger, facts, by))
