"""Attempts as read: numbers that go on, a memory that ends, and one answer for everybody who came late."""

from __future__ import annotations

from typing import Final, TypeVar

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Accepted, Trigger
from ems_admin.machines.records.replacement import Dispatch, Outcome, UpdaterExit
from ems_admin.machines.replacement.attempts import answer_of, last, settled, updater_name
from ems_admin.machines.replacement_dispatch import (
    BEGIN_DISPATCH,
    INTEND,
    LAUNCH_FAILED,
    LAUNCHED,
    REPLACEMENT_DISPATCH,
    UPDATER_ENDED,
    DispatchFacts,
    IntendFacts,
    LaunchedFacts,
    LaunchFailedFacts,
    UpdaterEndedFacts,
)

F = TypeVar("F")

OP: Final = "op1"
ID: Final = "i1"


def took(record: Dispatch | None, trigger: Trigger[F], facts: F) -> Dispatch:
    decision = REPLACEMENT_DISPATCH.decide(record, trigger, facts)
    assert isinstance(decision, Accepted)
    return decision.record


def begun() -> Dispatch:
    return took(None, BEGIN_DISPATCH, DispatchFacts(operation_id=OP, transition_identity=ID))


def intended(record: Dispatch, after: int) -> Dispatch:
    name = updater_name(OP, after + 1)
    facts = IntendFacts(operation_id=OP, transition_identity=ID, after=after, container=name, image=None)
    return took(record, INTEND, facts)


def failed(record: Dispatch, attempt: int) -> Dispatch:
    code = Code.ADMIN_UPDATE_LAUNCH_FAILED
    facts = LaunchFailedFacts(operation_id=OP, transition_identity=ID, attempt=attempt, code=code)
    return took(record, LAUNCH_FAILED, facts)


def launched(record: Dispatch, attempt: int) -> Dispatch:
    return took(record, LAUNCHED, LaunchedFacts(operation_id=OP, transition_identity=ID, attempt=attempt))


def test_numbers_go_on_when_the_oldest_attempts_are_forgotten() -> None:
    """`replacement.md` 7.1."""
    record = begun()
    for after in range(20):
        record = failed(intended(record, after), after + 1)
    assert [attempt.number for attempt in record.attempts] == list(range(5, 21))
    assert settled(record, OP) == 20


def test_each_try_is_counted_before_it_is_made() -> None:
    """`replacement.md` 7.1."""
    record = intended(begun(), 0)
    assert [(a.number, a.tries) for a in record.attempts] == [(1, 1)]
    record = intended(intended(record, 0), 0)
    assert [(a.number, a.tries) for a in record.attempts] == [(1, 3)]


def test_an_intended_attempt_is_not_settled() -> None:
    record = intended(begun(), 0)
    assert settled(record, OP) == 0
    assert answer_of(record, OP, 0) is None
    assert settled(launched(record, 1), OP) == 1


def test_who_comes_late_is_answered_by_the_attempt_that_it_asked_for() -> None:
    record = launched(intended(failed(intended(begun(), 0), 1), 1), 2)
    first, second = answer_of(record, OP, 0), answer_of(record, OP, 1)
    assert first is not None
    assert (first.number, first.outcome, first.code) == (1, Outcome.FAILED, "admin_update_launch_failed")
    assert second is not None
    assert (second.number, second.outcome) == (2, Outcome.LAUNCHED)
    assert answer_of(record, OP, 2) is None


def test_the_attempts_of_another_operation_answer_nobody() -> None:
    record = launched(intended(begun(), 0), 1)
    assert settled(record, "op2") == 0
    assert answer_of(record, "op2", 0) is None
    assert answer_of(None, OP, 0) is None


def test_the_first_word_about_the_end_of_an_updater_is_kept() -> None:
    record = launched(intended(begun(), 0), 1)
    for code in (137, 0):
        ended = UpdaterExit(code=code, oom=code == 137, log=())
        facts = UpdaterEndedFacts(operation_id=OP, transition_identity=ID, attempt=1, exit=ended)
        record = took(record, UPDATER_ENDED, facts)
    attempt = last(record)
    assert attempt is not None
    assert attempt.exit == UpdaterExit(code=137, oom=True, log=())


def test_a_new_attempt_bears_a_new_name() -> None:
    assert updater_name(OP, 1) == "ems-admin-updater-op1-1"
    assert updater_name(OP, 2) == "ems-admin-updater-op1-2"
