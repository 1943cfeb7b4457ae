"""Facts drawn at random, from so few words that rules often hold: a walk has to get somewhere."""

from __future__ import annotations

import types
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin

import attrs
from hypothesis import strategies as st

from ems_admin.machines.kernel import Trigger

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)

Step = tuple[Trigger[Any], Any]


def steps(*triggers: Trigger[Any]) -> st.SearchStrategy[Step]:
    """Draw one of the triggers, with facts."""
    return st.one_of(*(st.tuples(st.just(trigger), facts(trigger.facts)) for trigger in triggers))


def facts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Draw a value of an attrs class, field by field."""
    fields = attrs.fields(attrs.resolve_types(kind))
    return st.builds(kind, **{field.name: value(field.type) for field in fields})


def value(kind: Any) -> st.SearchStrategy[Any]:
    """Draw a value of one type."""
    if get_origin(kind) in {Union, types.UnionType}:
        (some,) = (member for member in get_args(kind) if member is not type(None))
        return st.one_of(value(some), value(some), value(some), st.none())
    if get_origin(kind) is tuple:
        return st.just(())
    return _single(kind)


def _single(kind: Any) -> st.SearchStrategy[Any]:  # noqa: PLR0911  # one line a type reads best
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(min_value=1, max_value=2)
    if kind is float:
        return st.just(100.0)
    if kind is datetime:
        # A wall clock may be set back, too.
        return st.integers(min_value=-90, max_value=90).map(lambda minutes: NOON + timedelta(minutes=minutes))
    if kind is str:
        return st.sampled_from("1" * 19 + "2")
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return st.sampled_from(list(kind))
    return facts(kind)
