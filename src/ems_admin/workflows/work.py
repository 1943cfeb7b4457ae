"""The arbiter of running work: every claim of this process is one decision of the `work` machine.

Nothing here awaits, so a claim and the check before it are one step. Source: `site.md` 2 (*Running work*).
"""

from __future__ import annotations

from typing import TypeVar

from attrs import define, frozen

from ems_admin.machines.kernel import Refusal, Refused, Trigger
from ems_admin.machines.running.entries import (
    NO_WORK,
    RunningWork,
    WorkEntry,
    holder,
    is_ending,
    joined,
    name_holder,
    worker_active,
)
from ems_admin.machines.running.kinds import SETUP_MUTATIONS, WorkClass, WorkKind, class_of
from ems_admin.machines.work import (
    ADD_OPERATION,
    BEGIN_MUTATION,
    BEGIN_SIDE_WORK,
    BEGIN_TERMINATION,
    RELEASE,
    WORK,
    EndingFacts,
    ReleaseFacts,
    StepFacts,
    WorkFacts,
)
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.running import Clock, Events, Ids

F = TypeVar("F")


@frozen(kw_only=True)
class Claimed:
    """What came of asking: one's own entry, or the one that the very same request has begun already."""

    entry: WorkEntry
    joined: bool


@define(kw_only=True, eq=False)
class Arbiter:
    """Who may act right now. Mutable: it is the memory that a restart is meant to lose."""

    clock: Clock
    ids: Ids
    events: Events
    running: RunningWork = NO_WORK

    def begin(
        self,
        kind: WorkKind,
        *,
        workflow_id: str | None = None,
        operation_id: str | None = None,
        request_hash: str | None = None,
    ) -> Claimed:
        """Claim the site for a mutation, or a place aside. Raises `RefusalError` that names who is in the way."""
        entry = self._entry(kind, workflow_id, operation_id, request_hash)
        if same := joined(self.running, entry):
            return Claimed(entry=same, joined=True)
        if class_of(kind) is WorkClass.SIDE:
            self._move(BEGIN_SIDE_WORK, WorkFacts(entry=entry), aside=kind)
        else:
            self._move(BEGIN_MUTATION, WorkFacts(entry=entry))
        return Claimed(entry=entry, joined=False)

    def begin_termination(  # what is ended, and by whom
        self,
        kind: WorkKind,
        *,
        workflow_id: str | None = None,
        operation_id: str | None = None,
        expired: bool = False,
        turns: str | None = None,
    ) -> WorkEntry:
        """Claim the site to end something; `turns` is the caller's own entry, which becomes this one."""
        entry = self._entry(kind, workflow_id, operation_id, None)
        self._move(BEGIN_TERMINATION, EndingFacts(entry=entry, turns=turns, expired=expired))
        return entry

    def against(self, kind: WorkKind) -> Refusal | None:
        """Say what stands against beginning a mutation, and take nothing."""
        decision = WORK.decide(self.running, BEGIN_MUTATION, WorkFacts(entry=self._entry(kind, None, None, None)))
        return name_holder(decision.refusal, self.running) if isinstance(decision, Refused) else None

    def against_ending(self, kind: WorkKind, *, operation_id: str | None, expired: bool) -> Refusal | None:
        """Say what stands against ending something, and take nothing."""
        facts = EndingFacts(entry=self._entry(kind, None, operation_id, None), turns=None, expired=expired)
        decision = WORK.decide(self.running, BEGIN_TERMINATION, facts)
        return name_holder(decision.refusal, self.running) if isinstance(decision, Refused) else None

    def add_operation(self, entry: WorkEntry, operation_id: str) -> None:
        """Name the operation that the held work is now about."""
        self._move(ADD_OPERATION, StepFacts(entry_id=entry.id, operation_id=operation_id))

    def release(self, entry_id: str) -> None:
        """Let go, after success and failure alike; what has been let go stays so."""
        self._move(RELEASE, ReleaseFacts(entry_id=entry_id))

    def names(self, operation_id: str, *, but: str | None = None) -> bool:
        """Say whether running work names the operation; `but` leaves the caller's own entry out."""
        return worker_active(self.running, operation_id, but=but)

    def holds(self, entry_id: str) -> bool:
        """Say whether the entry is still there."""
        return any(entry.id == entry_id for entry in self.running.entries)

    @property
    def holder(self) -> WorkEntry | None:
        """The entry that holds the site."""
        return holder(self.running)

    @property
    def is_ending(self) -> bool:
        """Whether something is being ended."""
        return is_ending(self.running)

    @property
    def setup_mutation_runs(self) -> bool:
        """Whether a Setup can still commit something."""
        return any(entry.kind in SETUP_MUTATIONS for entry in self.running.entries)

    def _entry(
        self, kind: WorkKind, workflow_id: str | None, operation_id: str | None, request_hash: str | None
    ) -> WorkEntry:
        entry_id = self.ids.short()
        return WorkEntry(
            id=entry_id,
            kind=kind,
            workflow_id=workflow_id,
            operation_id=operation_id,
            started_at=self.clock.now(),
            request_hash=request_hash,
            job_id=entry_id,  # an entry and its job are one piece of work, and carry one id
        )

    def _move(self, trigger: Trigger[F], facts: F, *, aside: WorkKind | None = None) -> None:
        decision = WORK.decide(self.running, trigger, facts)
        if isinstance(decision, Refused):
            raise RefusalError(name_holder(decision.refusal, self.running, aside=aside))
        self.running = decision.record
        self.events.publish("work")
