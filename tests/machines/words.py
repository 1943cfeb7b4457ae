"""The words of a transcript, and the facts that they stand for.

-                    nothing (`None`)
yes, no              a boolean
12:30, 12:30:05      a time of the first day of 2026, UTC; a whole ISO time does as well
20m, 300s, 1h        a duration
a,b                  a tuple or a frozen set; `()` is the empty one
a:b                  a value of several fields, in their order (a time in it is written 1230); `{}` is an empty mapping
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin

import attrs

DAY: Final = "2026-01-01T"
UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours"}


def read(kind: type[Any], given: Mapping[str, str], own: Mapping[str, str]) -> Any:
    """Make facts of words. Others may be given as well, but a step names only facts that it has."""
    fields = {field.name: field for field in attrs.fields(attrs.resolve_types(kind))}
    if strangers := own.keys() - fields.keys():
        raise KeyError(kind.__name__, *sorted(strangers))
    words = {**given, **own}
    if untold := [n for n, field in fields.items() if n not in words and field.default is attrs.NOTHING]:
        raise KeyError(f"{kind.__name__} needs {', '.join(untold)}")
    return kind(**{name: value(field.type, words[name]) for name, field in fields.items() if name in words})


def value(kind: Any, word: str) -> Any:
    """Read one word as a value of its type."""
    if get_origin(kind) in {Union, types.UnionType}:
        if word == "-":
            return None
        return _first_that_fits([member for member in get_args(kind) if member is not type(None)], word)
    if get_origin(kind) in {tuple, frozenset}:
        member = get_args(kind)[0]
        return get_origin(kind)(value(member, item) for item in word.split(",") if word != "()")
    return _single(kind, word)


def spell(fact: Any) -> str:  # noqa: PLR0911  # one line a type reads best
    """Write a value as the word that stands for it."""
    match fact:
        case None:
            return "-"
        case bool():
            return "yes" if fact else "no"
        case StrEnum() | str() | int():
            return str(fact)
        case datetime():
            return fact.isoformat().removeprefix(DAY).removesuffix("+00:00")
        case timedelta():
            return f"{fact.total_seconds():g}s"
        case tuple() | frozenset():
            return ",".join(map(spell, sorted(fact) if isinstance(fact, frozenset) else fact)) or "()"
        case _ if attrs.has(type(fact)):
            return ":".join(spell(getattr(fact, field.name)) for field in attrs.fields(type(fact)))
        case _:
            return repr(fact)


def _single(kind: Any, word: str) -> Any:  # noqa: PLR0911  # the same
    if kind is bool:
        return {"yes": True, "no": False}[word]
    if kind in {int, float}:
        return kind(word)
    if kind is datetime:
        return datetime.fromisoformat(word if "T" in word else DAY + word).replace(tzinfo=UTC)
    if kind is timedelta:
        return timedelta(**{UNITS[word[-1]]: float(word[:-1])})
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(word)
    if get_origin(kind) is Mapping and word == "{}":
        return {}
    if isinstance(kind, type) and attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind))
        parts = word.split(":", len(fields) - 1)
        return kind(**{field.name: value(field.type, part) for field, part in zip(fields, parts, strict=True)})
    return word


def _first_that_fits(kinds: list[Any], word: str) -> Any:
    for kind in kinds[:-1]:
        try:
            return value(kind, word)
        except (ValueError, KeyError):
            continue
    return value(kinds[-1], word)
