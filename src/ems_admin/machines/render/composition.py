"""The page of the matrix: every row with what it declares, and a mark for the rows that were executed and hold."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from ems_admin.machines.composition.matrix import MATRIX
from ems_admin.machines.composition.row import KnownGood, Row, Verdict
from ems_admin.machines.render.markdown import codes, document, grid

PAGE: Final = "docs/transition-matrix.md"
HOLDS, FAILS = "✓", "✗"

GENERATED: Final = "<!-- Written by `make matrix` from src/ems_admin/machines/composition. Do not edit. -->"
INTRO: Final = (
    "Each authority has its own machine. This is what they come to together: a state to stand in, an act, and what "
    "becomes of the console, the operation, the files and the config. Every row is executed by a test of its number "
    "(`tests/matrix`), through the workflows themselves; rows 6 to 11 through a served site, rows 12 to 14 and 22 "
    "through an Admin that is killed and started again. A mark says that the row was executed and held."
)
LEGEND: Final = (
    "Beside its own claims, each row is asked the same questions: whether the live config is, byte for byte, what it "
    "was; whether the known-good build was left alone; whether a refusal changed nothing but what its code says; "
    "whether recovery can be reached; and whether a start that comes right after reads the same."
)
HEAD: Final = ("", "", "given", "when", "answer", "console", "operation", "files", "recovery", "page")
PARTS: Final = (
    ("From desk to desk", "1"),
    ("Sessions, pages and starts", "6"),
    ("Ends and failures", "15"),
    ("The config between two desks", "19"),
    ("Starts, success, cleanup and exclusion", "22"),
    ("", ""),
)


def matrix_page(held: AbstractSet[str]) -> str:
    """Show the whole matrix; `held` are the numbers of the rows that were executed and held."""
    return document(
        GENERATED,
        "# What the authorities come to together",
        INTRO,
        LEGEND,
        *(f"## {title}\n\n{grid(HEAD, (line(row, held) for row in rows))}" for title, rows in _parts()),
        f"{len(held)} of {len(MATRIX)} rows hold.",
    )


def line(row: Row, held: AbstractSet[str]) -> tuple[str, ...]:
    """Show one row."""
    before, after = (f"{owner}, {state}" for owner, state in zip(row.owners, row.states, strict=True))
    return (
        f"**{row.number}**",
        HOLDS if row.number in held else FAILS,
        row.given.words,
        row.when,
        answer(row),
        moves((before, after)),
        moves(row.operations),
        files(row),
        str(row.then.recovery),
        page_of(row),
    )


def files(row: Row) -> str:
    """Say what becomes of everything that is on disk."""
    then = row.then
    good = "" if then.known_good is KnownGood.UNTOUCHED else f"; known-good {then.known_good}"
    return f"{then.artifacts}; config {then.live_config}{good}"


def answer(row: Row) -> str:
    """Say what the act is answered with."""
    then = row.then
    if then.verdict is Verdict.ALLOWED:
        return str(then.verdict)
    return f"{then.verdict}: {codes(dict.fromkeys(then.codes))}"


def moves(ends: tuple[str, str]) -> str:
    """Show where something was and where it is then, once when it stays."""
    before, after = ends
    return str(before) if before == after else f"{before} → {after}"


def page_of(row: Row) -> str:
    """Say what the page shows, offers, and holds back."""
    parts = [row.then.view]
    if row.then.offers:
        parts.append(f"offers {codes(sorted(row.then.offers))}")
    if row.then.withholds:
        parts.append(f"holds back {codes(sorted(row.then.withholds))}")
    return "; ".join(parts)


def _parts() -> Iterator[tuple[str, tuple[Row, ...]]]:
    numbers = [row.number for row in MATRIX]
    for (title, first), (_, following) in pairwise(PARTS):
        end = numbers.index(following) if following else len(MATRIX)
        yield title, MATRIX[numbers.index(first) : end]
