"""What does not fit where a value was expected, and where."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.codec.text import pointer
from ems_admin.machines.codes import Code


class MisfitKind(StrEnum):
    """How a value fails to be what was expected."""

    WRONG_TYPE = "wrong_type"
    WRONG_VALUE = "wrong_value"
    """Of the right type, but none of the allowed."""
    UNKNOWN_FIELD = "unknown_field"
    MISSING_FIELD = "missing_field"


CODES: Final = {
    MisfitKind.WRONG_TYPE: Code.MALFORMED_BODY,
    MisfitKind.MISSING_FIELD: Code.MALFORMED_BODY,
    MisfitKind.WRONG_VALUE: Code.UNSUPPORTED_VALUE,
    MisfitKind.UNKNOWN_FIELD: Code.UNSUPPORTED_FIELD,
}


@frozen
class Misfit:
    """One thing that does not fit."""

    kind: MisfitKind
    path: tuple[str | int, ...] = ()

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON pointer."""
        return pointer(self.path)

    @property
    def code(self) -> Code:
        """What a request that carries it is answered."""
        return CODES[self.kind]

    def below(self, part: str | int) -> Misfit:
        """Say the same from one level higher."""
        return evolve(self, path=(part, *self.path))


class MisfitError(Exception):
    """Everything that does not fit, in the order of the document's type."""

    def __init__(self, *misfits: Misfit) -> None:
        """Carry at least one misfit."""
        super().__init__(", ".join(f"{m.kind} at {m.pointer or '/'}" for m in misfits))
        self.misfits = misfits

    @property
    def code(self) -> Code:
        """What a request is answered: a field that nobody knows first, for it tells most about the caller."""
        codes = [misfit.code for misfit in self.misfits]
        return next((c for c in (Code.UNSUPPORTED_FIELD, Code.MALFORMED_BODY) if c in codes), codes[0])
