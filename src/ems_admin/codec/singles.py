"""Single values: compared by type, never made to fit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from ems_admin.codec.misfits import Misfit, MisfitError, MisfitKind

Reader = Callable[[Any, Any], Any]
Writer = Callable[[Any], Any]

WRONG_TYPE: Final = Misfit(MisfitKind.WRONG_TYPE)
WRONG_VALUE: Final = Misfit(MisfitKind.WRONG_VALUE)

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def exactly(kind: type) -> Reader:
    """Read a value of exactly this type."""

    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:  # not isinstance: True is an int there
            raise MisfitError(WRONG_TYPE)
        return value

    return read


def checked(kind: type) -> Writer:
    """Write a value of exactly this type; another one is a fault of the program."""

    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{value} is no number that JSON can hold")
        return value

    return write


def any_number(value: Any, _: Any) -> float:
    """Read any number as a float."""
    if type(value) not in {int, float}:
        raise MisfitError(WRONG_TYPE)
    try:
        return float(value)
    except OverflowError:
        raise MisfitError(WRONG_VALUE) from None


def read_text(value: Any, kind: type[str]) -> str:
    """Read a text, or a member of a StrEnum: cattrs looks for hooks by class first, and finds those as texts."""
    if type(value) is not str:
        raise MisfitError(WRONG_TYPE)
    if kind is str:
        return value
    try:
        return kind(value)
    except ValueError:
        raise MisfitError(WRONG_VALUE) from None


def write_text(value: Any) -> str:
    """Write a text."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return str(value)


def member_writer(kind: type[StrEnum]) -> Writer:
    """Write a member of exactly this StrEnum."""

    def write(value: Any) -> str:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return str(value)

    return write


def read_time(value: Any, _: Any) -> datetime:
    """Read a time in the one spelling there is."""
    if type(value) is not str:
        raise MisfitError(WRONG_TYPE)
    if not _TIME.fullmatch(value):
        raise MisfitError(WRONG_VALUE)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise MisfitError(WRONG_VALUE) from None  # 30 February


def write_time(moment: datetime) -> str:
    """Write a time, in UTC to the whole second; anything else is a fault of the program."""
    if moment.utcoffset() != UTC.utcoffset(None) or moment.microsecond:
        raise ValueError(f"{moment.isoformat()} is no whole second in UTC")
    return f"{moment.isoformat()[:19]}Z"
