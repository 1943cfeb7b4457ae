"""Codes that nothing can say yet, by the part of the program that is still to come and will say them."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code

LATER: Final[dict[str, frozenset[Code]]] = {
    "the second factor": frozenset({Code.SECOND_FACTOR_REQUIRED, Code.SECOND_FACTOR_INVALID}),
    "operations of a fleet": frozenset({Code.OPERATION_PAYLOAD_MISMATCH, Code.OPERATION_SEALED}),
}
"""One that is produced all the same fails the run too: it no longer belongs here."""
