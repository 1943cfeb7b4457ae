"""Values made of values: lists, sets, objects. Everything that does not fit is gathered before it is said."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Union, get_args, get_origin

import attrs
from cattrs import Converter

from ems_admin.codec.misfits import Misfit, MisfitError, MisfitKind
from ems_admin.codec.rules import FIELD_RULES
from ems_admin.codec.singles import WRONG_TYPE, WRONG_VALUE, Reader, Writer, member_writer


def is_optional(kind: Any) -> bool:
    """Say whether a type is `X | None`."""
    return get_origin(kind) in {Union, types.UnionType} and type(None) in get_args(kind) and len(get_args(kind)) == 2  # noqa: PLR2004


def _present(kind: Any) -> Any:
    return next(member for member in get_args(kind) if member is not type(None))


def optional_reader(converter: Converter, kind: Any) -> Reader:
    """Read null, or what the type is otherwise."""
    inner = _present(kind)
    hook = converter.get_structure_hook(inner)
    return lambda value, _: None if value is None else hook(value, inner)


def optional_writer(converter: Converter, kind: Any) -> Writer:
    """Write null, or what the type is otherwise."""
    hook = _writer(converter, _present(kind))
    return lambda value: None if value is None else hook(value)


def is_list(kind: Any) -> bool:
    """Say whether a type is a tuple or frozen set of one kind of member."""
    return get_origin(kind) in {tuple, frozenset} and len(_members(kind)) == 1


def _members(kind: Any) -> tuple[Any, ...]:
    return tuple(member for member in get_args(kind) if member is not Ellipsis)


def list_reader(converter: Converter, kind: Any) -> Reader:
    """Read a list; a set refuses a member that stands there twice."""
    collection: Any = get_origin(kind)
    (inner,) = _members(kind)
    hook = converter.get_structure_hook(inner)

    def read(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise MisfitError(WRONG_TYPE)
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
            raise MisfitError(WRONG_VALUE)  # a member of a set stands there twice
        return collected

    return read


def list_writer(converter: Converter, kind: Any) -> Writer:
    """Write a list; a set in order, so that equal sets are equal bytes."""
    (inner,) = _members(kind)
    hook = _writer(converter, inner)
    if get_origin(kind) is frozenset:
        return lambda value: sorted(hook(item) for item in value)
    return lambda value: [hook(item) for item in value]


def is_dict(kind: Any) -> bool:
    """Say whether a type maps texts to one kind of value."""
    return get_origin(kind) in {dict, Mapping} and get_args(kind)[0] is str


def dict_reader(converter: Converter, kind: Any) -> Reader:
    """Read an object whose keys are not known beforehand."""
    inner = get_args(kind)[1]
    hook = converter.get_structure_hook(inner)

    def read(value: Any, _: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise MisfitError(WRONG_TYPE)
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


def dict_writer(converter: Converter, kind: Any) -> Writer:
    """Write one."""
    hook = _writer(converter, get_args(kind)[1])
    return lambda value: {key: hook(item) for key, item in value.items()}


def value_reader(converter: Converter, kind: type[Any], *, stored: bool) -> Reader:
    """Read a frozen value: exactly its keys, each by its type and, in a record, by its rule."""
    fields = attrs.fields(attrs.resolve_types(kind))
    rules = FIELD_RULES.get(kind, {}) if stored else {}
    hooks = {
        key_of(field): (field.alias, converter.get_structure_hook(field.type), field.type, rules.get(field.name))
        for field in fields
    }
    needed = [key_of(field) for field in fields if stored or field.default is attrs.NOTHING]

    def read(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise MisfitError(WRONG_TYPE)
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


def value_writer(converter: Converter, kind: type[Any], *, stored: bool) -> Writer:
    """Write a frozen value, its keys in the order of its fields, after the same rules."""
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


def key_of(field: attrs.Attribute[Any]) -> str:
    """Name the key of a field: its own name, unless Python keeps that for itself (`from`)."""
    return str(field.metadata.get("key", field.name))


def _writer(converter: Converter, kind: Any) -> Writer:
    """Find the hook that writes a `kind`; a StrEnum is asked for here, for cattrs finds it as a text."""
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return member_writer(kind)
    hook: Writer = converter.get_unstructure_hook(kind)
    return hook
