"""The one function that shows a value, and the words that several shapes share."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import singledispatch
from typing import Any, TypedDict

import attrs
from attrs import field, frozen

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.refusals import sentence


@singledispatch
def shown(value: Any) -> Any:
    """Give `value` as JSON. Values without a shape of their own are shown field by field."""
    if attrs.has(type(value)):
        return fields(value)
    return codec.unstructure(value)


@shown.register
def _mapping(value: Mapping) -> Any:  # type: ignore[type-arg]  # registered by its bare type
    return {str(key): shown(inner) for key, inner in value.items()}


@shown.register(tuple)
@shown.register(list)
def _sequence(value: tuple[Any, ...] | list[Any]) -> Any:
    return [shown(inner) for inner in value]


@frozen(kw_only=True)
class Like:
    """A shape described by another one, beside the return type of the function that makes it (`http/answers.py`)."""

    kind: type
    flat: str | None = None
    """The field whose own fields stand among the others."""
    but: Mapping[str, Any] = field(factory=dict)
    """Fields that are shown otherwise, or besides."""
    leaves_out_null: bool = False


class Told(TypedDict):
    """A code as it stands inside a larger answer."""

    code: str
    message: str
    detail: str | None


def fields(value: Any) -> dict[str, Any]:
    """Show a frozen value under the names of its fields."""
    return {field.name: shown(getattr(value, field.name)) for field in attrs.fields(type(value))}


def told(code: StrEnum, detail: str | None = None) -> Told:
    """Show a code with its sentence, as it stands inside a larger answer."""
    return {"code": str(code), "message": sentence(Code(code)).message, "detail": detail}
