"""JSON Schemas of request types, read from the types themselves: what is documented is what is decoded."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin

import attrs

PLAIN: Final[Mapping[Any, Mapping[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


def schema_of(kind: Any) -> dict[str, Any]:
    """Describe what the decoder takes for `kind`."""
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [str(member) for member in kind]}
    if attrs.has(kind):
        return _object(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in inner]}
    if origin is tuple:
        return {"type": "array", "items": schema_of(inner[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    raise TypeError(f"no schema for {kind}")


def _object(kind: type) -> dict[str, Any]:
    attrs.resolve_types(kind)
    fields = attrs.fields(kind)
    described: dict[str, Any] = {
        "type": "object",
        "properties": {field.name: schema_of(field.type) for field in fields},
        "additionalProperties": False,
    }
    required = [field.name for field in fields if field.default is attrs.NOTHING]
    return described | ({"required": required} if required else {})
