"""The one function that shows a value, and the words that several shapes share."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import singledispatch
from typing import Any

import attrs

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


def fields(value: Any) -> dict[str, Any]:
    """Show a frozen value under the names of its fields."""
    return {field.name: shown(getattr(value, field.name)) for field in attrs.fields(type(value))}


def told(code: StrEnum, detail: str | None = None) -> dict[str, Any]:
    """Show a code with its sentence, as it stands inside a larger answer."""
    return {"code": str(code), "message": sentence(Code(code)).message, "detail": detail}
