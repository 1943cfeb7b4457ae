"""Bodies of requests into values, values into answers."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from ems_admin.codec.converter import strict
from ems_admin.codec.text import Json

R = TypeVar("R")

_CONVERTER: Final = strict(stored=False)


def structure(value: Json, kind: type[R]) -> R:
    """Make a value of a body.

    A field that has a default may be left out; nothing else is lenient. Raises `MisfitError`, which names the place of
    every misfit as a JSON pointer and the one code to answer.
    """
    made: R = _CONVERTER.structure(value, kind)
    return made


def unstructure(value: Any) -> Json:
    """Make JSON of any frozen value, collection or single value that answers are built of."""
    made: Json = _CONVERTER.unstructure(value)
    return made
