"""The matrix: 43 rows, in the order in which people know them. A number that stands twice fails at import.

Source: `seed 000` 3; `site.md` 2 (Composition).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ems_admin.machines.composition.config import PREVIEWS, WRITES
from ems_admin.machines.composition.endings import ENDINGS
from ems_admin.machines.composition.exclusion import CLAIMS, CLEANUPS, STARTS
from ems_admin.machines.composition.navigation import NAVIGATION
from ems_admin.machines.composition.row import Row
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

if len(BY_NUMBER) != len(MATRIX):
    raise DeclarationError("matrix", ["a number stands twice"])
