"""The page of the matrix is what the rows declare, and its marks are what a run of the rows has found."""

from ems_admin.machines.composition.matrix import BY_NUMBER, MATRIX
from ems_admin.machines.render.composition import FAILS, HOLDS, PAGE, line, matrix_page
from tests.house.tracked import ROOT


def test_the_page_is_fresh_and_every_row_of_it_holds() -> None:
    """A row that fails makes the run of `test_rows.py` fail; here it is said that the page claims no more than that.

    `seed 000` 3.
    """
    assert (ROOT / PAGE).read_text(encoding="utf-8") == matrix_page(set(BY_NUMBER)), "run `make matrix`"


def test_a_row_that_was_not_executed_bears_no_mark() -> None:
    held = set(BY_NUMBER) - {"16a"}
    assert line(BY_NUMBER["16a"], held)[1] == FAILS
    assert {line(row, held)[1] for row in MATRIX if row.number != "16a"} == {HOLDS}
    assert f"{len(MATRIX) - 1} of {len(MATRIX)} rows hold." in matrix_page(held)


def test_every_row_stands_on_the_page_once_and_in_order() -> None:
    page = matrix_page(set())
    assert [found for found in page.splitlines() if found.startswith("| **")] == [
        "| " + " | ".join(line(row, set())) + " |" for row in MATRIX
    ]
