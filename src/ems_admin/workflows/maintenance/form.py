"""The form of a config, made from the JSON Schema of its build: sections of fields with their words and limits.

The schema is what decides; the form only says how to ask. What cannot be drawn is edited as text. Pure.
Source: `site.md` 9 (Maintenance config); `http.md` 5.3 (config/schema).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from attrs import evolve, frozen

from ems_admin.machines.values.fingerprints import is_secret_like
from ems_admin.workflows.config.schema_nodes import conditions_of, node_of, properties_of

CREDENTIALS_REF: Final = "credentials_ref"
PASSWORD: Final = "password"  # noqa: S105  # the name of a field
DEEPEST: Final = 8
"""So deep goes a form. A schema that goes round in a circle would go on for ever."""

_UNIT: Final = re.compile(r"^(?P<label>.*\S)\s*\((?P<unit>[^()]{1,8})\)$")


class Kind(StrEnum):
    """How a field is drawn."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    SWITCH = "switch"
    CHOICE = "choice"
    LIST = "list"
    GROUP = "group"
    SECRET = "secret"  # noqa: S105  # a kind


PLAIN: Final = {"boolean": Kind.SWITCH, "integer": Kind.INTEGER, "number": Kind.NUMBER}


@frozen(kw_only=True)
class When:
    """A field that is there only while another one of the same group has one of these values."""

    key: str
    values: tuple[str, ...]


@frozen(kw_only=True)
class FormField:
    """One thing to be filled in."""

    key: str
    pointer: str
    """JSON pointer; inside a list, from the item on."""
    label: str
    kind: Kind
    required: bool
    help: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    """The value has to be greater than this."""
    unit: str | None = None
    choices: tuple[Any, ...] = ()
    pattern: str | None = None
    max_length: int | None = None
    """Characters of a text; items of a list."""
    min_length: int | None = None
    only_when: When | None = None
    fields: tuple[FormField, ...] = ()
    """The members of a group."""
    item: FormField | None = None
    """What each member of a list looks like."""
    keyed: bool = False
    """Whether the list is an object whose keys people choose themselves."""


@frozen(kw_only=True)
class FormSection:
    """Fields that belong together: one top part of the config."""

    key: str
    label: str
    help: str | None
    fields: tuple[FormField, ...]


def form_of(schema: Mapping[str, Any]) -> tuple[FormSection, ...]:
    """Make the form of a schema, in its own order. What has one value only is not asked for."""
    root = node_of(schema, schema)
    parts = (
        _field(schema, said, key, f"/{key}", required=key in root.get("required", ()), left=DEEPEST)
        for key, said in properties_of(root).items()
    )
    return tuple(
        FormSection(
            key=part.key,
            label=part.label,
            help=part.help,
            fields=part.fields if part.kind is Kind.GROUP else (part,),
        )
        for part in parts
        if part is not None
    )


def _field(  # noqa: PLR0913  # a place in the schema and one in the config
    schema: Mapping[str, Any], said: object, key: str, pointer: str, *, required: bool, left: int
) -> FormField | None:
    node = node_of(schema, said)
    kind = _kind(key, node)
    if kind is None or not left:
        return None
    label, unit = _label(key, node)
    return FormField(
        key=key,
        pointer=pointer,
        label=label,
        kind=kind,
        required=required,
        help=_text(node.get("description")),
        minimum=_number(node.get("minimum")),
        maximum=_number(node.get("maximum")),
        above=_number(node.get("exclusiveMinimum")),
        unit=unit,
        choices=tuple(node.get("enum", ())) if kind is Kind.CHOICE else (),
        pattern=_text(node.get("pattern")),
        max_length=node.get("maxItems" if kind is Kind.LIST else "maxLength"),
        min_length=node.get("minItems" if kind is Kind.LIST else "minLength"),
        fields=_members(schema, said, node, pointer, left) if kind is Kind.GROUP else (),
        item=_item(schema, node, left) if kind is Kind.LIST else None,
        keyed=kind is Kind.LIST and node.get("type") == "object",
    )


def _kind(key: str, node: Mapping[str, Any]) -> Kind | None:
    """Choose how a value is drawn; `None` for one that cannot be, or that has no choice."""
    if "const" in node or "enum" in node:
        return None if "const" in node else Kind.CHOICE
    said = node.get("type")
    if said == "string":
        return Kind.SECRET if is_secret_like(key) else Kind.TEXT
    if said == "object" and properties_of(node):
        return Kind.GROUP
    inner = {"object": "additionalProperties", "array": "items"}.get(str(said))
    if inner is not None:
        return Kind.LIST if isinstance(node.get(inner), Mapping) else None
    return PLAIN.get(str(said))


def _members(
    schema: Mapping[str, Any], said: object, node: Mapping[str, Any], pointer: str, left: int
) -> tuple[FormField, ...]:
    only = _only_when(schema, said, node)
    members: list[FormField] = []
    for key, inner in properties_of(node).items():
        if key == CREDENTIALS_REF:
            # Where a secret is kept is ours to know; people are asked for the secret itself, where it belongs.
            members.append(_password(pointer))
            continue
        needed = key in node.get("required", ())
        field = _field(schema, inner, key, f"{pointer}/{key}", required=needed, left=left - 1)
        if field is not None:
            members.append(_under(field, only.get(key)))
    return tuple(members)


def _item(schema: Mapping[str, Any], node: Mapping[str, Any], left: int) -> FormField | None:
    keyed = node.get("type") == "object"
    return _field(schema, node["additionalProperties" if keyed else "items"], "", "", required=True, left=left - 1)


def _only_when(schema: Mapping[str, Any], said: object, node: Mapping[str, Any]) -> Mapping[str, When]:
    """Read which members a condition takes away: `if` one field has a value, `then` or `else` another is none."""
    only: dict[str, When] = {}
    for condition in conditions_of(schema, said):
        tests = properties_of(condition["if"]) if isinstance(condition["if"], Mapping) else {}
        asked = [(key, test["const"]) for key, test in tests.items() if isinstance(test, Mapping) and "const" in test]
        if len(asked) != 1:
            continue
        key, value = asked[0]
        others = tuple(one for one in node_of(schema, properties_of(node).get(key)).get("enum", ()) if one != value)
        for branch, left in (("then", others), ("else", (value,))):
            for name, inner in properties_of(condition.get(branch) or {}).items():
                if inner is False:
                    only[name] = When(key=key, values=left)
    return only


def _password(pointer: str) -> FormField:
    return FormField(key=PASSWORD, pointer=f"{pointer}/{PASSWORD}", label="Password", kind=Kind.SECRET, required=False)


def _under(field: FormField, when: When | None) -> FormField:
    return field if when is None else evolve(field, only_when=when)


def _label(key: str, node: Mapping[str, Any]) -> tuple[str, str | None]:
    """Give the words for people, with the unit taken out of them."""
    title = _text(node.get("title")) or key.replace("_", " ").capitalize()
    found = _UNIT.fullmatch(title)
    return (found["label"], found["unit"]) if found else (title, None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
