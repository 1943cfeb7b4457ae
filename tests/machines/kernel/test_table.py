"""A classification answers every question, by the first row that fits."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import pytest
from attrs import frozen

from ems_admin.machines.kernel import DeclarationError, Row, Table, row


class Sky(StrEnum):
    CLEAR = "clear"
    CLOUDY = "cloudy"


class Hour(StrEnum):
    DAY = "day"
    NIGHT = "night"


class Advice(StrEnum):
    SWIM = "swim"
    READ = "read"
    SLEEP = "sleep"


@frozen
class Weather:
    sky: Sky
    hour: Hour


def table(*rows: Row[Advice]) -> Table[Weather, Advice]:
    return Table(name="advice", asks=Weather, rows=rows)


ADVICE: Final = table(
    row(Advice.SLEEP, hour=Hour.NIGHT),
    row(Advice.SWIM, sky=Sky.CLEAR),
    row(Advice.READ),
)


def test_the_first_row_that_fits_answers() -> None:
    assert ADVICE.classify(Weather(Sky.CLEAR, Hour.NIGHT)) is Advice.SLEEP
    assert ADVICE.classify(Weather(Sky.CLEAR, Hour.DAY)) is Advice.SWIM
    assert ADVICE.classify(Weather(Sky.CLOUDY, Hour.DAY)) is Advice.READ


def test_a_cell_may_hold_several_members() -> None:
    either = table(row(Advice.SWIM, sky={Sky.CLEAR, Sky.CLOUDY}, hour=Hour.DAY), row(Advice.SLEEP))
    assert either.classify(Weather(Sky.CLOUDY, Hour.DAY)) is Advice.SWIM


def test_a_question_without_an_answer_fails_at_import() -> None:
    with pytest.raises(DeclarationError, match="advice: no row for cloudy, day"):
        table(row(Advice.SLEEP, hour=Hour.NIGHT), row(Advice.SWIM, sky=Sky.CLEAR))


def test_a_row_that_never_answers_fails_at_import() -> None:
    with pytest.raises(DeclarationError, match="advice: row 2 is dead"):
        table(row(Advice.READ), row(Advice.SWIM, sky=Sky.CLEAR))


@pytest.mark.parametrize(
    ("misfit", "fault"),
    [
        (row(Advice.SWIM, sky=Hour.DAY), "row 1 asks for what sky cannot hold"),
        (row(Advice.SWIM, wind=Sky.CLEAR), "row 1 asks for what wind cannot hold"),
    ],
    ids=["another_enum", "no_such_column"],
)
def test_a_row_that_asks_for_what_is_not_there_fails_at_import(misfit: Row[Advice], fault: str) -> None:
    with pytest.raises(DeclarationError, match=fault):
        table(misfit, row(Advice.READ))


def test_the_columns_are_the_fields_of_the_question() -> None:
    assert dict(ADVICE.columns) == {"sky": Sky, "hour": Hour}


def test_a_table_answers_in_the_words_of_one_enum() -> None:
    with pytest.raises(DeclarationError, match="its rows answer with more than one enum"):
        table(row(Advice.SWIM, sky=Sky.CLEAR), row(Sky.CLOUDY))  # type: ignore[arg-type]


def test_a_column_that_cannot_be_told_off_one_by_one_fails_at_import() -> None:
    @frozen
    class Measured:
        sky: Sky
        degrees: int

    with pytest.raises(DeclarationError, match="degrees is no column of an enum"):
        Table(name="advice", asks=Measured, rows=(row(Advice.SWIM),))
