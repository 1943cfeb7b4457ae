"""JSON Schemas of answers, read from what shows them: a handler says what it grants, `shown` says in which shape.

A value with a shape of its own is described by what its function is declared to return; any other frozen value by its
fields. So an answer and its description cannot drift apart without a test that sees it. Source: `http.md` 5.1, 5.4.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs
from attrs import define, field

from ems_admin.http.route import File, Granted, Route, Stream
from ems_admin.http.schemas import PLAIN
from ems_admin.http.shown.shape import Like, shown

Schema = dict[str, Any]
MARKS: Final = (Required, NotRequired)
MAPPINGS: Final = (dict, Mapping)
SEQUENCES: Final = (tuple, list)


@define
class Answers:
    """Describes answers, and keeps each shape once under its name. Mutable: it collects them."""

    shapes: dict[str, Schema] = field(factory=dict)
    named: dict[str, type] = field(factory=dict)

    def of_route(self, route: Route) -> Schema | None:
        """Describe what a route grants; `None` for bytes and streams."""
        granted = get_type_hints(route.call, include_extras=True)["return"]
        if granted in (File, Stream):
            return None
        if get_origin(granted) is not Granted:
            raise TypeError(f"{route.method} {route.path} does not say what it grants")
        (kind,) = get_args(granted)
        return self._saying_ok(self.of(kind))

    def _saying_ok(self, schema: Schema) -> Schema:
        """Add the one field that every answer has."""
        if "anyOf" in schema:
            return {"anyOf": [self._saying_ok(one) for one in schema["anyOf"]]}
        if "$ref" in schema:
            return self._saying_ok(self.shapes[schema["$ref"].rpartition("/")[2]])
        properties = {"ok": {"type": "boolean"}} | schema.get("properties", {})
        return {**schema, "properties": properties, "required": sorted({"ok", *schema.get("required", ())})}

    def of(self, kind: Any) -> Schema:
        """Describe the shown form of `kind`."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._said(inner[1])
        if kind in PLAIN:
            return dict(PLAIN[kind])
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in inner]}
        if (origin or kind) in SEQUENCES:
            return {"type": "array", "items": self.of(inner[0]) if inner else {}}
        if (origin or kind) in MAPPINGS:
            return {"type": "object", "additionalProperties": self.of(inner[1]) if inner else {}}
        if isinstance(kind, type):
            return self._of_class(kind)
        raise TypeError(f"no shape for {kind}")

    def _of_class(self, kind: type) -> Schema:
        if kind is datetime:
            return {"type": "string"}
        if issubclass(kind, StrEnum):
            return {"type": "string", "enum": [str(member) for member in kind]}
        if self.named.setdefault(kind.__name__, kind) is not kind:
            raise TypeError(f"two shapes are called {kind.__name__}")
        if kind.__name__ not in self.shapes:
            self.shapes[kind.__name__] = {}  # first the name, so that a shape may speak of itself
            self.shapes[kind.__name__] = self._shape(kind)
        return {"$ref": f"#/components/schemas/{kind.__name__}"}

    def _shape(self, kind: type) -> Schema:
        if is_typeddict(kind):
            return self._words(kind)
        if kind in shown.registry:
            said = get_type_hints(shown.registry[kind], include_extras=True)["return"]
            return self.of(said)
        if attrs.has(kind):
            return self._fields(kind, {})
        raise TypeError(f"no shape for {kind}")

    def _said(self, meant: object) -> Schema:
        """Read a note beside a type: the value that is shown there, or what its shape is like."""
        if not isinstance(meant, Like):
            return self.of(meant)
        described = self._fields(meant.kind, meant.but)
        if meant.leaves_out_null:
            described["required"] = []
        if meant.flat is None:
            return described
        inner = self._fields(get_type_hints(meant.kind, include_extras=True)[meant.flat], {})
        outer = {name: schema for name, schema in described["properties"].items() if name != meant.flat}
        return {
            **described,
            "properties": {**inner["properties"], **outer},
            "required": [*inner["required"], *outer],
        }

    def _fields(self, kind: type, but: Mapping[str, Any]) -> Schema:
        attrs.resolve_types(kind)
        named = {field.name: field.type for field in attrs.fields(kind)} | dict(but)
        named = {name: inner for name, inner in named.items() if inner is not None}
        return _object({name: self.of(inner) for name, inner in named.items()}, required=list(named))

    def _words(self, kind: Any) -> Schema:
        # Read from the hints: the sets of keys of the class itself are wrong where annotations are deferred.
        hints = get_type_hints(kind, include_extras=True)
        required = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
        if not kind.__total__:
            required = [name for name, hint in hints.items() if get_origin(hint) is Required]
        said = {name: get_args(hint)[0] if get_origin(hint) in MARKS else hint for name, hint in hints.items()}
        described = _object({name: self.of(hint) for name, hint in said.items()}, required=required)
        return {**described, "additionalProperties": not kind.__total__}


def _object(properties: Mapping[str, Schema], *, required: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": sorted(required),
        "additionalProperties": False,
    }
