"""The matrix: 43 rows, in the order in which people know them. A row that contradicts itself fails at import.

Source: `seed 000` 3; `site.md` 2 (Composition).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ems_admin.machines.composition.config import PREVIEWS, WRITES
from ems_admin.machines.composition.endings import ENDINGS
from ems_admin.machines.composition.exclusion import CLAIMS, CLEANUPS, STARTS
from ems_admin.machines.composition.navigation import NAVIGATION
from ems_admin.machines.composition.row import Row, Verdict
from ems_admin.machines.composition.sessions import SESSIONS
from ems_admin.machines.kernel import DeclarationError

MATRIX: Final[tuple[Row, ...]] = (
    *NAVIGATION,
    *SESSIONS,
    *ENDINGS,
    *WRITES,
    *PREVIEWS,
    *STARTS,
    *CLEANUPS,
    *CLAIMS,
)

BY_NUMBER: Final[Mapping[str, Row]] = {row.number: row for row in MATRIX}


def faults() -> Iterator[str]:
    """Name what no row may be: told twice, answered against its verdict, or offering what it holds back."""
    if len(BY_NUMBER) != len(MATRIX):
        yield "a number stands twice"
    for row in MATRIX:
        if (row.then.verdict is Verdict.ALLOWED) == bool(row.then.codes):
            yield f"row {row.number} is {row.then.verdict}, and {'has' if row.then.codes else 'has no'} codes"
        if both := row.then.offers & row.then.withholds:
            yield f"row {row.number} offers and holds back {', '.join(sorted(both))}"


if found := list(faults()):
    raise DeclarationError("matrix", found)
