"""Every row of the matrix is executed, and holds (seed 000 3). A row without a play, or a play without a row, fails."""

from __future__ import annotations

import pytest

from ems_admin.machines.composition.matrix import BY_NUMBER, MATRIX
from ems_admin.machines.composition.row import Row
from tests.matrix import rows  # noqa: F401  # each of its modules tells its plays
from tests.matrix.judgement import judge
from tests.matrix.show import PLAYS, Theatre


def test_the_matrix_has_the_rows_that_people_know() -> None:
    assert " ".join(row.number for row in MATRIX) == (
        "1 2 3 4 5 5a 5b 6 7 8 9 10 11 12 13 14 15 16 16a 16b 16c 16d 17 18 18a 18b 18c "
        "19 20 21 21a 24 25 25a 22 22a 23 23a 23b 26 26a 26b 26c"
    )
    assert len(MATRIX) == 43


def test_every_row_is_played_and_nothing_else_is() -> None:
    assert sorted(PLAYS) == sorted(BY_NUMBER)


@pytest.mark.parametrize("row", MATRIX, ids=[row.number for row in MATRIX])
def test_row(row: Row, theatre: Theatre) -> None:
    """`seed 000` 2.1, 5, 5.2."""
    judge(row, PLAYS[row.number](theatre))
