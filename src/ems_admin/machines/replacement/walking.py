"""Where a walk stands, and what is left of it; and whether B1 still wants what the updater does.

The run record tells no more than looking cannot find out: inside the move every step is taken again from the first one,
and one that is done already changes nothing. Source: `replacement.md` 7.4.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import SeamStep, Table, row
from ems_admin.machines.records.reading import Present, Reading
from ems_admin.machines.records.replacement import Dispatch, Run, WalkStep
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.machines.replacement import attempts
from ems_admin.machines.replacement.seams import WALK, WALK_BACK


class Touched(StrEnum):
    """Whether the walk has come to touch an Admin."""

    NOTHING = "nothing"
    """No snapshot was ever complete."""
    SOMETHING = "something"


class Reached(StrEnum):
    """The last step that is known to be done, by its name in the seam."""

    OPENED = "open_run"
    CLAIMED = "claim_operation"
    SNAPSHOT = "take_snapshot"
    VERIFIED = "verify_successor"
    FAILURE = "note_failure"
    UNTOUCHED = "restore_predecessor"
    """Nothing is to be taken back: the old Admin never stopped."""
    BACK = "note_back"
    OVER = "end_run"


@frozen
class Standing:
    """What the run record says."""

    step: WalkStep
    touched: Touched


WALK_ON: Final = Table[Standing, Reached](
    name="walk_on",
    asks=Standing,
    rows=(
        row(Reached.OPENED, step=WalkStep.OPENED),
        row(Reached.CLAIMED, step=WalkStep.CLAIMED),
        row(Reached.SNAPSHOT, step=WalkStep.MOVING),
        row(Reached.VERIFIED, step=WalkStep.VERIFIED),
        row(Reached.UNTOUCHED, step=WalkStep.ROLLING_BACK, touched=Touched.NOTHING),
        row(Reached.FAILURE, step=WalkStep.ROLLING_BACK),
        row(Reached.BACK, step=WalkStep.ROLLED_BACK),
        row(Reached.OVER),
    ),
)


class Heading(StrEnum):
    """Where a walk leads."""

    FORWARD = "forward"
    BACK = "back"
    OUT = "out"
    """Only the updater itself is left."""


@frozen(kw_only=True)
class Way:
    """What is left to do, in this order."""

    heading: Heading
    steps: tuple[SeamStep, ...]


WAYS: Final = {
    **{
        reached: Way(heading=Heading.FORWARD, steps=WALK.after(reached))
        for reached in (Reached.OPENED, Reached.CLAIMED, Reached.SNAPSHOT, Reached.VERIFIED)
    },
    **{
        reached: Way(heading=Heading.BACK, steps=WALK_BACK.after(reached))
        for reached in (Reached.FAILURE, Reached.UNTOUCHED, Reached.BACK)
    },
    Reached.OVER: Way(heading=Heading.OUT, steps=WALK.after(Reached.OVER)),
}


def reached(run: Run) -> Reached:
    """Say how far a walk has come, in what is left to do."""
    touched = Touched.NOTHING if run.predecessor is None else Touched.SOMETHING
    return WALK_ON.classify(Standing(run.step, touched))


def way_on(run: Run) -> Way:
    """Give what is left of a walk."""
    return WAYS[reached(run)]


class Seen(StrEnum):
    """Whom the operation on record belongs to."""

    OWN = "own"
    """It is the one of this updater, and no later attempt was made."""
    FOLLOWING = "following"
    """It is a later one, begun by the Admin that this walk has brought."""
    ANOTHER = "another"
    """Or none, or none readable."""


class Resumes(StrEnum):
    """Where a failed operation goes on."""

    AT_THE_ADMIN = "at_the_admin"
    """A retry hands it over once more."""
    LATER = "later"
    """Behind the replacement, or it has not failed."""


class Wish(StrEnum):
    """Whether B1 still waits for what the updater does."""

    STANDS = "stands"
    SURPASSED = "surpassed"
    """The new Admin proved itself while nobody walked, and B1 went on: it stays, and B1 is left alone."""
    OVER = "over"
    """The new Admin is at its next operation: it stays, and there is nothing left that B1 could tell of this walk."""
    WITHDRAWN = "withdrawn"
    """What was begun still ends in one Admin, the old one; B1 is left alone."""


@frozen
class Asked:
    """What B1 says."""

    operation: Seen
    stage: Stage
    resumes: Resumes


WISH: Final = Table[Asked, Wish](
    name="wish",
    asks=Asked,
    rows=(
        row(Wish.OVER, operation=Seen.FOLLOWING),
        row(Wish.WITHDRAWN, operation=Seen.ANOTHER),
        row(Wish.STANDS, stage=Stage.ADMIN_RECONNECT_PENDING),
        row(Wish.WITHDRAWN, stage={Stage.ADMIN_UPDATE_PENDING, Stage.CANCELLED}),
        row(Wish.WITHDRAWN, stage=Stage.FAILED_RECOVERABLE, resumes=Resumes.AT_THE_ADMIN),
        row(Wish.SURPASSED),
    ),
)


def wish(operation: Reading[Transition], run: Run, last: int | None) -> Wish:
    """Say what B1 wants of a walk; `last` is the attempt that was dispatched last, if known."""
    match operation:
        case Present(record=record):
            at_the_admin = record.resume_stage is Stage.ADMIN_UPDATE_PENDING
            resumes = Resumes.AT_THE_ADMIN if at_the_admin else Resumes.LATER
            return WISH.classify(Asked(_seen(record, run, last), record.stage, resumes))
        case _:
            return Wish.WITHDRAWN


def _seen(record: Transition, run: Run, last: int | None) -> Seen:
    if record.operation_id == run.operation_id:
        return Seen.OWN if last in {None, run.attempt} else Seen.ANOTHER
    began, brought = record.orchestrator_admin, run.successor
    if began is None or brought is None or brought.image_id is None:
        return Seen.ANOTHER
    # A container is noted by its image's id, a program by the digest of its tree.
    return Seen.FOLLOWING if brought.image_id in {began.image, began.digest} else Seen.ANOTHER


def last_attempt(dispatch: Reading[Dispatch], operation_id: str) -> int | None:
    """Give the number of the last attempt of an operation; `None` when there is none, or none readable."""
    match dispatch:
        case Present(record=record) if record.operation_id == operation_id and (attempt := attempts.last(record)):
            return attempt.number
        case _:
            return None


def waits_for_claim(operation: Reading[Transition], operation_id: str) -> bool:
    """Say whether B1 waits, unclaimed, for the Admin to be replaced."""
    match operation:
        case Present(record=record) if record.operation_id == operation_id:
            return record.stage is Stage.ADMIN_RECONNECT_PENDING and record.admin_update_claimed_at is None
        case _:
            return False
