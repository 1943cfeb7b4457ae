"""Records at random: every type by its fields, every field by its rule where it has one."""

from __future__ import annotations

import types
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin

import attrs
from hypothesis import strategies as st

from ems_admin.codec import rules
from ems_admin.codec.records import FORMAT_KEYS, FORMATS
from ems_admin.machines.records.transition import RESUME_PATH

_HEX: Final = "0123456789abcdef"
_URL: Final = "abcXYZ019_-"

SPELLED: Final[dict[Any, st.SearchStrategy[Any]]] = {
    rules.OPERATION: st.text(_HEX, min_size=32, max_size=32),
    rules.WORKFLOW: st.text(_URL, min_size=43, max_size=43),
    rules.OPAQUE: st.text(_URL, min_size=1, max_size=64),
    rules.TAG: st.sampled_from(("v1.0.0", "1.2.3-rc.1", "dev_2026")),
    rules.BUILD: st.sampled_from(("b", "2026.01-abc")),
    rules.REVISION: st.text(_HEX, min_size=40, max_size=40),
    rules.SHA256: st.text(_HEX, min_size=64, max_size=64),
    rules.DIGEST: st.text(_HEX, min_size=64, max_size=64).map("sha256:{}".format),
    rules.FINGERPRINT: st.text(_HEX, min_size=64, max_size=64).map("sha256:{}".format),
    rules.TEXT: st.text(min_size=1, max_size=20).filter(lambda text: "\0" not in text),
    rules.is_relative_path: st.sampled_from(("data", "programs/ems", "ä/🔋")),
    rules.is_finite: st.floats(0, 1e12),
}


def sample(kind: Any) -> st.SearchStrategy[Any]:
    """Draw a value of any type that records are made of."""
    if attrs.has(kind):
        known = FORMATS.get(kind)
        fields = {
            field.name: st.just(known)
            if known is not None and field.name == FORMAT_KEYS.get(kind, "format_version")
            else _field(kind, field)
            for field in attrs.fields(attrs.resolve_types(kind))
        }
        return st.builds(kind, **fields)
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return st.none() | sample(next(member for member in get_args(kind) if member is not type(None)))
    if origin is tuple:
        return st.lists(sample(get_args(kind)[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(_TEXT, sample(get_args(kind)[1]), max_size=3)
    if issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    return SINGLE[kind]


_TEXT: Final = st.text(st.characters(codec="utf-8"), max_size=30)

SINGLE: Final[dict[Any, st.SearchStrategy[Any]]] = {
    bool: st.booleans(),
    int: st.integers(0, 60000),
    float: st.floats(0, 1e12),
    str: _TEXT,
    datetime: st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0)),
}


def _field(kind: Any, field: attrs.Attribute[Any]) -> st.SearchStrategy[Any]:
    rule = rules.FIELD_RULES.get(kind, {}).get(field.name)
    if rule is None:
        return sample(field.type)
    fallback = st.just(RESUME_PATH) if field.name == "resume_path" else sample(field.type)
    ruled = SPELLED.get(rule, fallback).filter(lambda value: value is None or rule(value))
    return st.none() | ruled if type(None) in get_args(field.type) else ruled
