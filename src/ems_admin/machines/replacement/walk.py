"""What happens on the walk of an updater, and what is noted of it.

Source: `replacement.md` 7.1, 7.4.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import evolve, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Trigger
from ems_admin.machines.records.replacement import Body, Run, Verified, WalkStep
from ems_admin.machines.records.words import last_words

FORMAT: Final = 1


@frozen(kw_only=True)
class RunFacts:
    """Which walk, and when."""

    now: datetime
    operation_id: str
    attempt: int


@frozen(kw_only=True)
class EnterFacts(RunFacts):
    """An updater wakes and finds its own walk (U1)."""

    surpassed: bool
    """Whether B1 has gone on behind the new Admin, which proved itself while nobody walked, or has begun anew there."""


@frozen(kw_only=True)
class OpenFacts(EnterFacts):
    """An updater wakes and finds no walk of its own (U1)."""

    container: str
    """Its own id."""
    last_attempt: int | None
    """By the dispatch record; `None` when there is none, or none readable."""
    waits_for_claim: bool
    """Whether B1 waits, unclaimed, for the Admin to be replaced."""


@frozen(kw_only=True)
class RefusedFacts(RunFacts):
    """B1 did not take the claim."""

    code: Code


@frozen(kw_only=True)
class SnapshotFacts(RunFacts):
    """All that a rollback will need, complete before anything is touched (U3)."""

    snapshot: str = field(repr=False)
    predecessor: Body


@frozen(kw_only=True)
class SuccessorFacts(RunFacts):
    """The new Admin exists (U7)."""

    successor: Body


@frozen(kw_only=True)
class VerifiedFacts(RunFacts):
    """The new Admin was seen healthy from outside, for as long as it takes (U9)."""

    published: bool


@frozen(kw_only=True)
class WalkFailureFacts(RunFacts):
    """What stopped the walk."""

    code: Code
    exit_code: int | None
    log: tuple[str, ...]
    """The last 20 lines, secrets masked."""


@frozen(kw_only=True)
class RolledBackFacts(RunFacts):
    """The old Admin runs again."""

    running_image_id: str | None
    """Of the Admin that runs under the old name; natively the digest of its program tree. `None`: not known."""


OPEN: Final = Trigger("open", OpenFacts)
ENTER: Final = Trigger("enter", EnterFacts)
CLAIM_TAKEN: Final = Trigger("claim_taken", RunFacts)
CLAIM_REFUSED: Final = Trigger("claim_refused", RefusedFacts)
SNAPSHOT_TAKEN: Final = Trigger("snapshot_taken", SnapshotFacts)
SUCCESSOR_CREATED: Final = Trigger("successor_created", SuccessorFacts)
SUCCESSOR_VERIFIED: Final = Trigger("successor_verified", VerifiedFacts)
WALK_FAILED: Final = Trigger("walk_failed", WalkFailureFacts)
PREDECESSOR_IS_BACK: Final = Trigger("predecessor_is_back", RolledBackFacts)
SUCCESSOR_WENT_ON: Final = Trigger("successor_went_on", RunFacts)
"""The new Admin is at its next operation, so nobody asks any more whether it works."""
END: Final = Trigger("end", RunFacts)


def begin(facts: OpenFacts) -> Run:
    """Open a walk, before the claim."""
    return Run(
        format_version=FORMAT,
        operation_id=facts.operation_id,
        attempt=facts.attempt,
        container=facts.container,
        entries=1,
        step=WalkStep.OPENED,
        step_at=facts.now,
        snapshot=None,
        predecessor=None,
        successor=None,
        verified_at=None,
        code=None,
        exit_code=None,
        log=(),
    )


def step(record: Run, facts: RunFacts) -> Run:
    """Note when the walk moved. A wall clock that was set back does not take the note back."""
    return evolve(record, step_at=max(record.step_at, facts.now))


def enter(record: Run, _facts: RunFacts) -> Run:
    """Count an entry. The time of the step stays: it says how long the walk has been there."""
    return evolve(record, entries=record.entries + 1)


def give_up(record: Run, facts: RunFacts) -> Run:
    """Count the entry that was one too many, and turn back."""
    return evolve(step(enter(record, facts), facts), code=Code.REPLACEMENT_UPDATER_FAILED.value)


def refuse(record: Run, facts: RefusedFacts) -> Run:
    """Note why B1 did not take the claim."""
    return evolve(step(record, facts), code=facts.code.value)


def keep_snapshot(record: Run, facts: SnapshotFacts) -> Run:
    """Keep what a rollback reads: it may ask nothing else."""
    return evolve(step(record, facts), snapshot=facts.snapshot, predecessor=facts.predecessor)


def know_successor(record: Run, facts: SuccessorFacts) -> Run:
    """Note the successor. One that had to be created anew takes the place of the one before."""
    return evolve(step(record, facts), successor=facts.successor)


def verify(record: Run, facts: VerifiedFacts) -> Run:
    """Note where and when the successor was seen healthy."""
    return evolve(step(record, facts), verified_at=Verified(at=facts.now, published=facts.published))


def fail(record: Run, facts: WalkFailureFacts) -> Run:
    """Note what stopped the walk."""
    return evolve(step(record, facts), code=facts.code.value, exit_code=facts.exit_code, log=last_words(facts.log))
