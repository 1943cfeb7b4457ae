"""The dispatch of an Admin replacement: attempts to launch an updater, each durable before it is tried.

The state is that of the last attempt. A create is counted before it is made, so a crash between the two costs a try,
never a second updater. An engine that gives no answer settles nothing: the attempt stays intended.

Source: `replacement.md` 7.1, 7.3, 7.5; `faults.md` D9, F35, F37.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Beginning, Edge, Machine, Regions, Trigger, always, guard
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, UpdaterExit
from ems_admin.machines.records.words import last_words
from ems_admin.machines.replacement.attempts import KEPT, MOST_TRIES, DispatchState, last, settled, state_of

FORMAT: Final = 1


@frozen(kw_only=True)
class DispatchFacts:
    """The operation whose replacement is dispatched, and the digest of its immutable projection."""

    operation_id: str
    transition_identity: str


@frozen(kw_only=True)
class IntendFacts(DispatchFacts):
    """Somebody wants a launch."""

    after: int
    """The number of settled attempts that the caller saw when it was accepted: it asks for the next one."""
    container: str
    image: str | None


@frozen(kw_only=True)
class LaunchedFacts(DispatchFacts):
    """The updater of one attempt was found: it runs, or has run."""

    attempt: int


@frozen(kw_only=True)
class LaunchFailedFacts(LaunchedFacts):
    """The updater of one attempt is proven not to have come into being."""

    code: Code


@frozen(kw_only=True)
class UpdaterEndedFacts(LaunchedFacts):
    """What the engine says of the updater's end."""

    exit: UpdaterExit


BEGIN_DISPATCH: Final = Trigger("begin_dispatch", DispatchFacts)
INTEND: Final = Trigger("intend", IntendFacts)
LAUNCHED: Final = Trigger("launched", LaunchedFacts)
LAUNCH_FAILED: Final = Trigger("launch_failed", LaunchFailedFacts)
UPDATER_ENDED: Final = Trigger("updater_ended", UpdaterEndedFacts)


@guard(Code.INVALID_TRANSITION)
def predecessor_is_foreign(predecessor: Dispatch | None, facts: DispatchFacts) -> bool:
    """The record is of another operation, which the beginning of this one has proven to be over."""
    return predecessor is None or predecessor.operation_id != facts.operation_id


@guard(Code.TRANSITION_STAGE_COMMIT_UNPROVABLE)
def identity_is_exact(record: Dispatch, facts: DispatchFacts) -> bool:
    """Operation and identity are those for which the record was begun."""
    return (record.operation_id, record.transition_identity) == (facts.operation_id, facts.transition_identity)


@guard(Code.INVALID_TRANSITION)
def nobody_came_first(record: Dispatch, facts: IntendFacts) -> bool:
    """No attempt was settled since the caller was accepted; otherwise that one is its answer."""
    return settled(record, facts.operation_id) == facts.after


@guard(Code.REPLACEMENT_ATTEMPTS_EXHAUSTED)
def a_try_is_left(record: Dispatch, _facts: IntendFacts) -> bool:
    """The attempt has begun fewer creates than it may."""
    attempt = last(record)
    return attempt is None or attempt.tries < MOST_TRIES


@guard(Code.INVALID_TRANSITION)
def attempt_is_the_last(record: Dispatch, facts: LaunchedFacts) -> bool:
    """The outcome is that of the last attempt."""
    attempt = last(record)
    return attempt is not None and attempt.number == facts.attempt


@guard(Code.INVALID_TRANSITION)
def failure_is_recorded(record: Dispatch, facts: LaunchFailedFacts) -> bool:
    """The failure is the one on record."""
    attempt = last(record)
    return attempt is not None and attempt.code == facts.code


def begin(facts: DispatchFacts) -> Dispatch:
    """Create the record of an operation for which nothing has been tried."""
    return Dispatch(
        format_version=FORMAT,
        operation_id=facts.operation_id,
        transition_identity=facts.transition_identity,
        attempts=(),
    )


def open_attempt(record: Dispatch, facts: IntendFacts) -> Dispatch:
    """Note a new attempt and its first try. Numbers go on; the oldest attempts are forgotten."""
    attempt = Attempt(
        number=facts.after + 1,
        container=facts.container,
        image=facts.image,
        tries=1,
        outcome=Outcome.INTENDED,
        code=None,
        exit=None,
    )
    return evolve(record, attempts=(*record.attempts, attempt)[-KEPT:])


def try_again(record: Dispatch, _facts: IntendFacts) -> Dispatch:
    """Count another create of the attempt that is open."""
    *earlier, attempt = record.attempts
    return evolve(record, attempts=(*earlier, evolve(attempt, tries=attempt.tries + 1)))


def exhaust(record: Dispatch, _facts: IntendFacts) -> Dispatch:
    """Settle the attempt as failed: no try is left."""
    return _settle(record, Outcome.FAILED, Code.REPLACEMENT_ATTEMPTS_EXHAUSTED)


def launch(record: Dispatch, _facts: LaunchedFacts) -> Dispatch:
    """Settle the attempt as launched."""
    return _settle(record, Outcome.LAUNCHED, None)


def fail(record: Dispatch, facts: LaunchFailedFacts) -> Dispatch:
    """Settle the attempt as failed."""
    return _settle(record, Outcome.FAILED, facts.code)


def fill_in_exit(record: Dispatch, facts: UpdaterEndedFacts) -> Dispatch:
    """Keep the first word about the updater's end: the container may be gone when it is asked again."""
    *earlier, attempt = record.attempts
    return evolve(record, attempts=(*earlier, evolve(attempt, exit=attempt.exit or _kept(facts.exit))))


def _kept(end: UpdaterExit) -> UpdaterExit:
    return evolve(end, log=last_words(end.log))


def _settle(record: Dispatch, outcome: Outcome, code: Code | None) -> Dispatch:
    *earlier, attempt = record.attempts
    word = code.value if code else None
    return evolve(record, attempts=(*earlier, evolve(attempt, outcome=outcome, code=word)))


NONE, INTENDED = DispatchState.NONE, DispatchState.INTENDED
IS_LAUNCHED, IS_FAILED = DispatchState.LAUNCHED, DispatchState.FAILED

ASKED: Final = (identity_is_exact, nobody_came_first)
OF_THE_LAST: Final = (identity_is_exact, attempt_is_the_last)

ATTEMPT: Final = Machine[Dispatch, DispatchState](
    name="replacement_dispatch",
    states=DispatchState,
    reads=state_of,
    initial=(NONE,),
    codes=Code,
    edges=(
        Edge(INTEND, (NONE, IS_LAUNCHED, IS_FAILED), INTENDED, guards=ASKED, assigns=open_attempt),
        Edge(INTEND, INTENDED, INTENDED, guards=(*ASKED, a_try_is_left), assigns=try_again),
        Edge(
            INTEND,
            INTENDED,
            IS_FAILED,
            guards=ASKED,
            unless=(a_try_is_left,),
            assigns=exhaust,
            answers=Code.REPLACEMENT_ATTEMPTS_EXHAUSTED,
        ),
        Edge(LAUNCHED, INTENDED, IS_LAUNCHED, guards=OF_THE_LAST, assigns=launch),
        Edge(LAUNCHED, IS_LAUNCHED, IS_LAUNCHED, guards=OF_THE_LAST),
        Edge(LAUNCH_FAILED, INTENDED, IS_FAILED, guards=OF_THE_LAST, assigns=fail),
        Edge(LAUNCH_FAILED, IS_FAILED, IS_FAILED, guards=(*OF_THE_LAST, failure_is_recorded)),
        Edge(UPDATER_ENDED, IS_LAUNCHED, IS_LAUNCHED, guards=OF_THE_LAST, assigns=fill_in_exit),
    ),
    otherwise={
        LAUNCHED: Code.INVALID_TRANSITION,
        LAUNCH_FAILED: Code.INVALID_TRANSITION,
        UPDATER_ENDED: Code.INVALID_TRANSITION,
    },
)

REPLACEMENT_DISPATCH: Final = Regions[Dispatch](
    name="replacement_dispatch",
    begins=Beginning(
        BEGIN_DISPATCH, guards=(predecessor_is_foreign,), creates=begin, otherwise=Code.INVALID_TRANSITION
    ),
    absent=Code.REPLACEMENT_NOT_DISPATCHED,
    machines=(ATTEMPT,),
    # Which operation may replace which is a question of the facts: the guard of the beginning asks it.
    replaceable=always,
)
