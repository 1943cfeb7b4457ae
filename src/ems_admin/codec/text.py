"""From bytes to JSON and back, without the leniencies of the standard library.

Source: DESIGN 3; `faults.md` F03, F06, F07; `site.md` 4, canonical JSON.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from ems_admin.machines.records.reading import ReadFault

Json: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None
"""A value as JSON knows it."""

RECORD_LIMIT: Final = 65536
"""The most bytes that a record of the Admin may have."""

DEEPEST: Final = 64
"""How far values may lie inside each other: far beyond any record or config, far below what Python can still write."""

_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class TextError(Exception):
    """Bytes that are no acceptable JSON; `detail` is the offset of a bad byte, or a repeated key."""

    def __init__(self, fault: ReadFault, detail: str | None = None) -> None:
        """Carry the fault."""
        super().__init__(f"{fault}: {detail}" if detail else str(fault))
        self.fault = fault
        self.detail = detail


def parse(data: bytes, *, limit: int = RECORD_LIMIT, mark_allowed: bool = False) -> Json:
    """Read JSON text; `mark_allowed` is for files that people edit, whose editor may put a byte order mark first.

    Raises `TextError`.
    """
    if len(data) > limit:
        raise TextError(ReadFault.TOO_LARGE, str(len(data)))
    text = data.removeprefix(codecs.BOM_UTF8) if mark_allowed else data
    if not text.strip():
        raise TextError(ReadFault.EMPTY)
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        raise TextError(ReadFault.NOT_UTF8, str(error.start + len(data) - len(text))) from None
    if decoded.startswith("\ufeff"):
        raise TextError(ReadFault.NOT_JSON, "byte_order_mark")
    try:
        value: Json = _DECODER.decode(decoded)
    except (ValueError, RecursionError) as error:
        raise TextError(ReadFault.NOT_JSON, _position(error)) from None
    if text.count(b"[") + text.count(b"{") > DEEPEST and _is_too_deep(value):
        raise TextError(ReadFault.NOT_JSON, "too_deep")
    if _SURROGATE.search(text):
        _refuse_half_characters(value)
    return value


def pretty(value: Json) -> bytes:
    """Write JSON for people: indented by two, keys as they come, characters as they are, a newline at the end."""
    return f"{_indented(value, chr(10))}\n".encode()


def canonical(value: Json) -> bytes:
    """Write the one spelling that hashes are taken of (`site.md` 4): keys sorted, nothing between them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def pointer(path: Sequence[str | int]) -> str:
    """Spell a place in a document as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def _indented(value: Json, line: str) -> str:
    """Write one value, `line` being the break before its closing bracket.

    The standard library says the same several times slower, and every commit waits for it.
    """
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    inner = f"{line}  "
    if isinstance(value, dict) and value:
        members = [f"{_quoted(key)}: {_indented(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(members)}{line}}}"
    if isinstance(value, list) and value:
        return f"[{inner}{f',{inner}'.join([_indented(item, inner) for item in value])}{line}]"
    if isinstance(value, float):
        return float.__repr__(_checked(value))
    return int.__repr__(value) if isinstance(value, int) else _EMPTY[type(value)]


def _checked(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError(f"JSON has no {number}")
    return number


_quoted: Final = json.encoder.encode_basestring
_WORDS: Final = {None: "null", True: "true", False: "false"}
_EMPTY: Final = {dict: "{}", list: "[]"}


def _unique(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        raise TextError(ReadFault.DUPLICATE_KEYS, next(key for key in keys if keys.count(key) > 1)[:80])
    return made


def _finite(literal: str) -> float:
    number = float(literal)
    if not math.isfinite(number):
        raise ValueError(literal)  # 1e400: JSON can write it, no machine can hold it
    return number


def _no_such_number(literal: str) -> float:
    raise ValueError(literal)  # NaN and the infinities are no JSON


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_such_number)


def _is_too_deep(value: Json) -> bool:
    """Go down level by level, without recursion: what is read here is written, compared and shown by others."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        inner = (item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer))
        level = [item for item in inner if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _refuse_half_characters(value: Json) -> None:
    r"""Refuse `"\ud800"` alone: Python would hold it, and fail later when it is to be written."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise TextError(ReadFault.NOT_JSON, "half_character") from None


def _position(error: Exception) -> str | None:
    return str(error.pos) if isinstance(error, json.JSONDecodeError) else None
