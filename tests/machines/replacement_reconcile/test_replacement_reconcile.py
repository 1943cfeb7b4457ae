"""The tables of a replacement, held against verdicts that are written by hand from the specification."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from ems_admin.machines.kernel import Table
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome
from ems_admin.machines.replacement.attempts import updater_name
from ems_admin.machines.replacement.calling import DISPATCH_CALL, Asked, asked_of
from ems_admin.machines.replacement.launching import LAUNCH
from ems_admin.machines.replacement.reconciling import RECONCILE, TIDYING
from tests.machines.verdicts import questions, replay

HERE: Final = Path(__file__).parent
TOLD: Final[tuple[tuple[str, Table[Any, Any]], ...]] = (
    ("reconcile", RECONCILE),
    ("dispatch_call", DISPATCH_CALL),
    ("launch", LAUNCH),
    ("tidying", TIDYING),
)


@pytest.mark.parametrize(("name", "table"), TOLD)
def test_a_table_answers_as_it_is_written(name: str, table: Table[Any, Any]) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert replay(text, table.asks, lambda asked: str(table.classify(asked))) == text


@pytest.mark.parametrize(("name", "table"), TOLD)
def test_every_row_answers_some_written_question(name: str, table: Table[Any, Any]) -> None:
    asked = list(questions((HERE / f"{name}.txt").read_text(encoding="utf-8"), table.asks))
    used = {next(row for row in table.rows if row.fits(question)) for question in asked}
    assert [row for row in table.rows if row not in used] == []


def attempt(number: int, outcome: Outcome) -> Attempt:
    return Attempt(
        number=number,
        container=updater_name("op1", number),
        image=None,
        tries=1,
        outcome=outcome,
        code="container_name_conflict" if outcome is Outcome.FAILED else None,
        exit=None,
    )


def record(*attempts: Attempt) -> Dispatch:
    return Dispatch(format_version=1, operation_id="op1", transition_identity="i1", attempts=attempts)


FAILED, LAUNCHED, INTENDED = Outcome.FAILED, Outcome.LAUNCHED, Outcome.INTENDED


@pytest.mark.parametrize(
    ("dispatch", "after", "asked"),
    [
        (None, 0, Asked.NOT_BEGUN),
        (record(), 0, Asked.NOT_BEGUN),
        (record(attempt(1, INTENDED)), 0, Asked.INTENDED),
        (record(attempt(1, FAILED)), 0, Asked.FAILED),
        (record(attempt(1, FAILED)), 1, Asked.NOT_BEGUN),
        (record(attempt(1, FAILED), attempt(2, INTENDED)), 0, Asked.FAILED),
        (record(attempt(1, FAILED), attempt(2, INTENDED)), 1, Asked.INTENDED),
        (record(attempt(1, FAILED), attempt(2, LAUNCHED)), 1, Asked.LAUNCHED),
        (record(attempt(1, FAILED), attempt(2, LAUNCHED)), 2, Asked.NOT_BEGUN),
    ],
)
def test_a_caller_asks_for_the_attempt_after_those_that_it_saw_settled(
    dispatch: Dispatch | None, after: int, asked: Asked
) -> None:
    assert asked_of(dispatch, "op1", after) is asked


def test_the_attempts_of_another_operation_are_nobodys_answer() -> None:
    assert asked_of(record(attempt(1, LAUNCHED)), "op2", 0) is Asked.NOT_BEGUN
