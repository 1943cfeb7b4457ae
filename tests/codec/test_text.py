"""Bytes that are no JSON, each with its name, and the one way in which JSON is spelled for people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ems_admin import codec
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.records.setup import GuidedSetup
from tests.codec.faults import fault_of

TEXTS: dict[str, tuple[bytes, ReadFault, str | None]] = {
    "empty": (b"", ReadFault.EMPTY, None),
    "blank": (b" \n", ReadFault.EMPTY, None),
    "zeros after a power cut": (b"\0" * 512, ReadFault.NOT_JSON, "0"),
    "cut in the middle": (b'{"format_version": 2, "work', ReadFault.NOT_JSON, "22"),
    "too large": (b" " * 65537, ReadFault.TOO_LARGE, "65537"),
    "not utf-8": (b'{"a": "\xff"}', ReadFault.NOT_UTF8, "7"),
    "byte order mark": (b"\xef\xbb\xbf{}", ReadFault.NOT_JSON, "byte_order_mark"),
    "utf-16": ("{}".encode("utf-16"), ReadFault.NOT_UTF8, "0"),
    "a key twice": (b'{"a": 1, "a": 1}', ReadFault.DUPLICATE_KEYS, "a"),
    "a key twice, deep down": (b'{"a": [{"b": 1, "b": 2}]}', ReadFault.DUPLICATE_KEYS, "b"),
    "NaN": (b'{"a": NaN}', ReadFault.NOT_JSON, None),
    "infinity": (b'{"a": -Infinity}', ReadFault.NOT_JSON, None),
    "1e400": (b'{"a": 1e400}', ReadFault.NOT_JSON, None),
    "a number that nobody reads": (b'{"a": ' + b"9" * 5000 + b"}", ReadFault.NOT_JSON, None),
    "half a character": (b'{"a": "\\ud83d"}', ReadFault.NOT_JSON, "half_character"),
    "too deep": (b"[" * 60000, ReadFault.NOT_JSON, None),
    "a list": (b"[]", ReadFault.WRONG_TYPE, "wrong_type at /"),
    "null": (b"null", ReadFault.WRONG_TYPE, "wrong_type at /"),
}


@pytest.mark.parametrize(("data", "fault", "detail"), TEXTS.values(), ids=TEXTS.keys())
def test_each_way_to_be_no_record_has_its_name(data: bytes, fault: ReadFault, detail: str | None) -> None:
    assert fault_of(data, GuidedSetup) == (fault, detail)


@pytest.mark.parametrize(
    ("inner", "own"), [("", 0), ("1", 0), ("[]", 1), ('{"a": [1, 2]}', 2)], ids=["empty", "number", "list", "object"]
)
def test_what_can_be_read_can_be_written_however_deep_it_lies(inner: str, own: int) -> None:
    """F46, F47: a config that somebody else has written opens in every editor, or is told to be unreadable."""
    deepest = 64 - own
    value = codec.parse(f"{'[' * deepest}{inner}{']' * deepest}".encode())
    assert all(codec.parse(write(value)) == value for write in (codec.pretty, codec.canonical))
    assert codec.unstructure(value) == value
    with pytest.raises(codec.TextError) as refused:
        codec.parse(f"{'[' * (deepest + 1)}{inner}{']' * (deepest + 1)}".encode())
    assert (refused.value.fault, refused.value.detail) == (ReadFault.NOT_JSON, "too_deep")


def test_a_thousand_brackets_side_by_side_are_not_deep() -> None:
    assert codec.parse(b'{"a": [' + b"[]," * 999 + b"[]]}") == {"a": [[]] * 1000}


def test_a_whole_character_out_of_two_escapes_is_read() -> None:
    assert codec.parse(b'{"a": "\\ud83d\\udd0b"}') == {"a": "🔋"}


def test_a_mark_is_allowed_where_people_edit() -> None:
    assert codec.parse(b'\xef\xbb\xbf{"a": 1}', mark_allowed=True) == {"a": 1}
    with pytest.raises(codec.TextError) as refused:
        codec.parse(b'\xef\xbb\xbf{"a": "\xff"}', mark_allowed=True)
    assert (refused.value.fault, refused.value.detail) == (ReadFault.NOT_UTF8, "10")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
                    | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_the_readable_spelling_is_that_of_the_standard_library(value: Any) -> None:
    try:
        expected = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        with pytest.raises(UnicodeEncodeError):
            codec.pretty(value)
    else:
        assert codec.pretty(value) == expected


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_does_not_have_is_not_written(number: float) -> None:
    for write in (codec.pretty, codec.canonical):
        with pytest.raises(ValueError, match="JSON"):
            write({"a": [number]})
