"""How types become JSON and JSON becomes types. cattrs finds the hook for each type; none of its own is trusted.

Its own hooks coerce (`int("5")`), ignore extra keys and fill in defaults; these compare types and keys exactly.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin

import attrs
from cattrs import Converter

from ems_admin.codec.misfits import Misfit, MisfitError, MisfitKind
from ems_admin.codec.rules import FIELD_RULES

Hook = Callable[[Any, Any], Any]

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_WRONG_TYPE: Final = Misfit(MisfitKind.WRONG_TYPE)
_WRONG_VALUE: Final = Misfit(MisfitKind.WRONG_VALUE)


def strict(*, stored: bool) -> Converter:
    """Make a converter. A stored one knows no defaults and keeps the rules of records.

    The other one lets a field with a default be left out, and takes `5` for a float: a browser has one type of number
    and writes it that way.
    """
    converter = Converter(detailed_validation=False)
    for kind in (bool, int, float):
        converter.register_structure_hook(kind, _exactly(kind))
        converter.register_unstructure_hook(kind, _checked(kind))
    converter.register_structure_hook(str, _read_text)
    converter.register_unstructure_hook(str, _write_text)
    if not stored:
        converter.register_structure_hook(float, _any_number)
    converter.register_structure_hook(datetime, _read_time)
    converter.register_unstructure_hook(datetime, write_time)
    converter.register_structure_hook_factory(_is_optional, lambda kind: _optional_reader(converter, kind))
    converter.register_unstructure_hook_factory(_is_optional, lambda kind: _optional_writer(converter, kind))
    converter.register_structure_hook_factory(_is_list, lambda kind: _list_reader(converter, kind))
    converter.register_unstructure_hook_factory(_is_list, lambda kind: _list_writer(converter, kind))
    converter.register_structure_hook_factory(_is_dict, lambda kind: _dict_reader(converter, kind))
    converter.register_unstructure_hook_factory(_is_dict, lambda kind: _dict_writer(converter, kind))
    converter.register_structure_hook_factory(attrs.has, lambda kind: _value_reader(converter, kind, stored=stored))
    converter.register_unstructure_hook_factory(attrs.has, lambda kind: _value_writer(converter, kind, stored=stored))
    return converter


def key_of(field: attrs.Attribute[Any]) -> str:
    """Name the key of a field: its own name, unless Python keeps that for itself (`from`)."""
    return str(field.metadata.get("key", field.name))


def write_time(moment: datetime) -> str:
    """Write a time, in UTC to the whole second; anything else is a fault of the program."""
    if moment.utcoffset() != UTC.utcoffset(None) or moment.microsecond:
        raise ValueError(f"{moment.isoformat()} is no whole second in UTC")
    return f"{moment.isoformat()[:19]}Z"


# Single values


def _exactly(kind: type) -> Hook:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:  # not isinstance: True is an int there
            raise MisfitError(_WRONG_TYPE)
        return value

    return read


def _checked(kind: type) -> Callable[[Any], Any]:
    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return value

    return write


def _any_number(value: Any, _: Any) -> float:
    if type(value) not in {int, float}:
        raise MisfitError(_WRONG_TYPE)
    try:
        return float(value)
    except OverflowError:
        raise MisfitError(_WRONG_VALUE) from None


def _read_text(value: Any, kind: type[str]) -> str:
    """Read a text, or a member of a StrEnum: cattrs looks for hooks by class first, and finds those as texts."""
    if type(value) is not str:
        raise MisfitError(_WRONG_TYPE)
    if kind is str:
        return value
    try:
        return kind(value)
    except ValueError:
        raise MisfitError(_WRONG_VALUE) from None


def _write_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return str(value)


def _writer(converter: Converter, kind: Any) -> Callable[[Any], Any]:
    """Find the hook that writes a `kind`; a StrEnum is asked for here, for cattrs finds it as a text."""
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _member_writer(kind)
    hook: Callable[[Any], Any] = converter.get_unstructure_hook(kind)
    return hook


def _member_writer(kind: type[StrEnum]) -> Callable[[Any], Any]:
    def write(value: Any) -> str:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is no {kind.__name__}")
        return str(value)

    return write


def _read_time(value: Any, _: Any) -> datetime:
    if type(value) is not str:
        raise MisfitError(_WRONG_TYPE)
    if not _TIME.fullmatch(value):
        raise MisfitError(_WRONG_VALUE)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise MisfitError(_WRONG_VALUE) from None  # 30 February


# Values made of values


def _is_optional(kind: Any) -> bool:
    return get_origin(kind) in {Union, types.UnionType} and type(None) in get_args(kind) and len(get_args(kind)) == 2  # noqa: PLR2004


def _present(kind: Any) -> Any:
    return next(member for member in get_args(kind) if member is not type(None))


def _optional_reader(converter: Converter, kind: Any) -> Hook:
    inner = _present(kind)
    hook = converter.get_structure_hook(inner)
    return lambda value, _: None if value is None else hook(value, inner)


def _optional_writer(converter: Converter, kind: Any) -> Callable[[Any], Any]:
    hook = _writer(converter, _present(kind))
    return lambda value: None if value is None else hook(value)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in {tuple, frozenset} and len(_members(kind)) == 1


def _members(kind: Any) -> tuple[Any, ...]:
    return tuple(member for member in get_args(kind) if member is not Ellipsis)


def _list_reader(converter: Converter, kind: Any) -> Hook:
    collection: Any = get_origin(kind)
    (inner,) = _members(kind)
    hook = converter.get_structure_hook(inner)

    def read(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise MisfitError(_WRONG_TYPE)
        made: list[Any] = []
        misfits: list[Misfit] = []
        for position, item in enumerate(value):
            try:
                made.append(hook(item, inner))
            except MisfitError as error:
                misfits += (misfit.below(position) for misfit in error.misfits)
        if misfits:
            raise MisfitError(*misfits)
        collected = collection(made)
        if len(collected) != len(made):
            raise MisfitError(_WRONG_VALUE)  # a member of a set stands there twice
        return collected

    return read


def _list_writer(converter: Converter, kind: Any) -> Callable[[Any], Any]:
    (inner,) = _members(kind)
    hook = _writer(converter, inner)
    if get_origin(kind) is frozenset:
        return lambda value: sorted(hook(item) for item in value)
    return lambda value: [hook(item) for item in value]


def _is_dict(kind: Any) -> bool:
    return get_origin(kind) in {dict, Mapping} and get_args(kind)[0] is str


def _dict_reader(converter: Converter, kind: Any) -> Hook:
    inner = get_args(kind)[1]
    hook = converter.get_structure_hook(inner)

    def read(value: Any, _: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise MisfitError(_WRONG_TYPE)
        made: dict[str, Any] = {}
        misfits: list[Misfit] = []
        for key, item in value.items():
            try:
                made[key] = hook(item, inner)
            except MisfitError as error:
                misfits += (misfit.below(key) for misfit in error.misfits)
        if misfits:
            raise MisfitError(*misfits)
        return made

    return read


def _dict_writer(converter: Converter, kind: Any) -> Callable[[Any], Any]:
    hook = _writer(converter, get_args(kind)[1])
    return lambda value: {key: hook(item) for key, item in value.items()}


def _value_reader(converter: Converter, kind: type[Any], *, stored: bool) -> Hook:
    fields = attrs.fields(attrs.resolve_types(kind))
    rules = FIELD_RULES.get(kind, {}) if stored else {}
    hooks = {
        key_of(field): (field.alias, converter.get_structure_hook(field.type), field.type, rules.get(field.name))
        for field in fields
    }
    needed = [key_of(field) for field in fields if stored or field.default is attrs.NOTHING]

    def read(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise MisfitError(_WRONG_TYPE)
        made: dict[str, Any] = {}
        misfits = [Misfit(MisfitKind.MISSING_FIELD, (key,)) for key in needed if key not in value]
        for key, item in value.items():
            if key not in hooks:
                misfits.append(Misfit(MisfitKind.UNKNOWN_FIELD, (key,)))
                continue
            alias, hook, inner, rule = hooks[key]
            try:
                made[alias] = hook(item, inner)
            except MisfitError as error:
                misfits += (misfit.below(key) for misfit in error.misfits)
            else:
                if rule is not None and item is not None and not rule(made[alias]):
                    misfits.append(Misfit(MisfitKind.WRONG_VALUE, (key,)))
        if misfits:
            raise MisfitError(*misfits)
        return kind(**made)

    return read


def _value_writer(converter: Converter, kind: type[Any], *, stored: bool) -> Callable[[Any], Any]:
    fields = attrs.fields(attrs.resolve_types(kind))
    rules = FIELD_RULES.get(kind, {}) if stored else {}
    hooks = [(key_of(field), field.name, _writer(converter, field.type), rules.get(field.name)) for field in fields]

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not kind:
            raise TypeError(f"{type(value).__name__} is no {kind.__name__}")
        made: dict[str, Any] = {}
        for key, name, hook, rule in hooks:
            item = getattr(value, name)
            if rule is not None and item is not None and not rule(item):
                raise ValueError(f"{kind.__name__}.{name} breaks its rule")
            made[key] = hook(item)
        return made

    return write
