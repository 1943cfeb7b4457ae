"""Walking a JSON Schema by the parts of a config: what is said of one value, references followed and parts joined.

Only what says how a value looks is read; conditions (`if`, `oneOf`, `not`) are left to the validator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

Json = dict[str, Any]

REFERENCES: Final = 16
"""So many references in a row lead nowhere: they go round in a circle."""


def node_of(schema: Mapping[str, Any], said: object) -> Json:
    """Join what is said of a value in its own place, by its `$ref` and by its `allOf`; the nearest word counts."""
    joined = _followed(schema, said, REFERENCES)
    joined.pop("$ref", None)
    joined.pop("allOf", None)
    return joined


def properties_of(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give what is said of the members of an object by name."""
    members = node.get("properties")
    return members if isinstance(members, Mapping) else {}


def _followed(schema: Mapping[str, Any], said: object, left: int) -> Json:
    if not isinstance(said, Mapping) or not left:
        return {}
    joined: Json = {}
    for part in said["allOf"] if isinstance(said.get("allOf"), list) else ():
        joined = _joined(joined, _followed(schema, part, left - 1))
    if isinstance(reference := said.get("$ref"), str):
        joined = _joined(joined, _followed(schema, _at(schema, reference), left - 1))
    return _joined(joined, said)


def _joined(far: Mapping[str, Any], near: Mapping[str, Any]) -> Json:
    members = {**properties_of(far), **properties_of(near)}
    required = [
        *far.get("required", ()),
        *(name for name in near.get("required", ()) if name not in far.get("required", ())),
    ]
    joined = {**far, **near}
    if members:
        joined["properties"] = members
    if required:
        joined["required"] = required
    return joined


def _at(schema: Mapping[str, Any], reference: str) -> object:
    """Find what a reference into this very schema names; nothing for any other."""
    found: object = schema
    if not reference.startswith("#"):
        return None
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def conditions_of(schema: Mapping[str, Any], said: object) -> tuple[Mapping[str, Any], ...]:
    """List what is said of a value only under a condition (`if`, `then`, `else`), wherever that stands."""
    return tuple(_conditions(schema, said, REFERENCES))


def _conditions(schema: Mapping[str, Any], said: object, left: int) -> Iterator[Mapping[str, Any]]:
    if not isinstance(said, Mapping) or not left:
        return
    if "if" in said:
        yield said
    for part in said["allOf"] if isinstance(said.get("allOf"), list) else ():
        yield from _conditions(schema, part, left - 1)
    if isinstance(reference := said.get("$ref"), str):
        yield from _conditions(schema, _at(schema, reference), left - 1)
