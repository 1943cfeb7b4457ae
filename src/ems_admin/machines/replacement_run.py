"""The walk of the updater that replaces an Admin: how far it has come, so that any entry finds its place.

Until the successor is verified a failure, or a third entry, brings the old Admin back. From there on the walk only
goes forward. The updater alone writes this record.

Source: `replacement.md` 7.1, 7.4; `faults.md` F33, F35.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Beginning, Edge, Machine, Regions, Trigger, always, guard
from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.machines.replacement import walk

MOST_ENTRIES: Final = 2
"""Entries that may go on before the successor is verified. The third one rolls back."""


@guard(Code.INVALID_TRANSITION)
def no_walk_to_continue(predecessor: Run | None, facts: walk.OpenFacts) -> bool:
    """The record is not of this very attempt, whose walk would be continued."""
    return predecessor is None or (predecessor.operation_id, predecessor.attempt) != (
        facts.operation_id,
        facts.attempt,
    )


@guard(Code.ADMIN_UPDATE_NOT_RUNNABLE)
def updater_is_awaited(_predecessor: Run | None, facts: walk.OpenFacts) -> bool:
    """The attempt is the last one, and the operation waits unclaimed: this updater does not come late."""
    return facts.attempt == facts.last_attempt and facts.waits_for_claim


@guard(Code.OPERATION_MISMATCH)
def walk_is_exact(record: Run, facts: walk.RunFacts) -> bool:
    """The walk is that of this operation and attempt."""
    return (record.operation_id, record.attempt) == (facts.operation_id, facts.attempt)


@guard(Code.REPLACEMENT_UPDATER_FAILED)
def an_entry_is_left(record: Run, facts: walk.EnterFacts) -> bool:
    """The walk has not been entered too often without a verified successor, or the successor has proved itself."""
    return record.entries < MOST_ENTRIES or facts.surpassed


@guard(Code.INVALID_TRANSITION)
def successor_is_known(record: Run, _facts: walk.RunFacts) -> bool:
    """The successor that is verified has been noted when it was created."""
    return record.successor is not None


@guard(Code.IMAGE_DIGEST_MISMATCH)
def predecessor_runs_again(record: Run, facts: walk.RolledBackFacts) -> bool:
    """Exactly the image that was recorded runs again, or nothing had been touched yet."""
    if record.predecessor is None:
        return True
    return facts.running_image_id is not None and facts.running_image_id == record.predecessor.image_id


OPENED, CLAIMED, MOVING, VERIFIED = WalkStep.OPENED, WalkStep.CLAIMED, WalkStep.MOVING, WalkStep.VERIFIED
ROLLING_BACK, ROLLED_BACK = WalkStep.ROLLING_BACK, WalkStep.ROLLED_BACK
ENDED, REFUSED = WalkStep.ENDED, WalkStep.REFUSED

EXACT: Final = (walk_is_exact,)

WALK: Final = Machine[Run, WalkStep](
    name="replacement_run",
    states=WalkStep,
    reads=lambda record: record.step,
    writes=lambda record, step: evolve(record, step=step),
    initial=(OPENED,),
    final=(ENDED, REFUSED),
    codes=Code,
    edges=(
        *(
            Edge(walk.ENTER, place, place, guards=(walk_is_exact, an_entry_is_left), assigns=walk.enter)
            for place in (OPENED, CLAIMED, MOVING)
        ),
        Edge(
            walk.ENTER,
            (OPENED, CLAIMED, MOVING),
            ROLLING_BACK,
            guards=EXACT,
            unless=(an_entry_is_left,),
            assigns=walk.give_up,
            answers=Code.REPLACEMENT_UPDATER_FAILED,
        ),
        # Forward after the verification, and back after a failure, there is no turning round any more.
        *(
            Edge(walk.ENTER, place, place, guards=EXACT, assigns=walk.enter)
            for place in (VERIFIED, ROLLING_BACK, ROLLED_BACK)
        ),
        *(Edge(walk.ENTER, place, place, guards=EXACT) for place in (ENDED, REFUSED)),
        Edge(walk.CLAIM_TAKEN, OPENED, CLAIMED, guards=EXACT, assigns=walk.step),
        Edge(walk.CLAIM_TAKEN, CLAIMED, CLAIMED, guards=EXACT),
        Edge(walk.CLAIM_REFUSED, OPENED, REFUSED, guards=EXACT, assigns=walk.refuse),
        Edge(walk.SNAPSHOT_TAKEN, CLAIMED, MOVING, guards=EXACT, assigns=walk.keep_snapshot),
        Edge(walk.SUCCESSOR_CREATED, MOVING, MOVING, guards=EXACT, assigns=walk.know_successor),
        Edge(
            walk.SUCCESSOR_VERIFIED, MOVING, VERIFIED, guards=(walk_is_exact, successor_is_known), assigns=walk.verify
        ),
        Edge(walk.SUCCESSOR_WENT_ON, MOVING, VERIFIED, guards=(walk_is_exact, successor_is_known), assigns=walk.step),
        Edge(walk.WALK_FAILED, (CLAIMED, MOVING), ROLLING_BACK, guards=EXACT, assigns=walk.fail),
        *(Edge(walk.WALK_FAILED, place, place, guards=EXACT) for place in (ROLLING_BACK, ROLLED_BACK)),
        Edge(
            walk.PREDECESSOR_IS_BACK,
            ROLLING_BACK,
            ROLLED_BACK,
            guards=(walk_is_exact, predecessor_runs_again),
            assigns=walk.step,
        ),
        # The failure is marked in B1 between the two: an entry at `rolled_back` does it, one at `ended` need not.
        Edge(walk.END, (VERIFIED, ROLLED_BACK), ENDED, guards=EXACT, assigns=walk.step),
        Edge(walk.END, ENDED, ENDED, guards=EXACT),
    ),
    otherwise={
        walk.CLAIM_TAKEN: Code.INVALID_TRANSITION,
        walk.CLAIM_REFUSED: Code.INVALID_TRANSITION,
        walk.SNAPSHOT_TAKEN: Code.INVALID_TRANSITION,
        walk.SUCCESSOR_CREATED: Code.INVALID_TRANSITION,
        walk.SUCCESSOR_VERIFIED: Code.INVALID_TRANSITION,
        walk.SUCCESSOR_WENT_ON: Code.INVALID_TRANSITION,
        walk.WALK_FAILED: Code.INVALID_TRANSITION,
        walk.PREDECESSOR_IS_BACK: Code.INVALID_TRANSITION,
        walk.END: Code.INVALID_TRANSITION,
    },
)


def entry(record: Run | None, facts: walk.OpenFacts) -> Trigger[Any]:
    """Give what an updater does that wakes: it opens a walk, or goes on with the one of its own attempt."""
    return walk.OPEN if no_walk_to_continue.check(record, facts) else walk.ENTER


REPLACEMENT_RUN: Final = Regions[Run](
    name="replacement_run",
    begins=Beginning(
        walk.OPEN,
        guards=(no_walk_to_continue, updater_is_awaited),
        creates=walk.begin,
        otherwise=Code.INVALID_TRANSITION,
    ),
    absent=Code.ADMIN_UPDATE_NOT_RUNNABLE,
    machines=(WALK,),
    # An updater that is awaited replaces whatever walk is there: the guards of the beginning say which one is not.
    replaceable=always,
)
