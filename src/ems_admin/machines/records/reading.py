"""What reading a record may find. Absent, empty and unreadable are three different things.

Source: `faults.md`, State files; `site.md` 3, read errors.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

R = TypeVar("R")


class ReadFault(StrEnum):
    """Why a file that is there cannot be used."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    NOT_UTF8 = "not_utf8"
    NOT_JSON = "not_json"
    DUPLICATE_KEYS = "duplicate_keys"
    WRONG_TYPE = "wrong_type"
    WRONG_SHAPE = "wrong_shape"
    UNSUPPORTED_FORMAT = "unsupported_format"
    UNSUPPORTED_MODE = "unsupported_mode"
    """B1 alone: the record reads well, but its mode is nobody's."""
    INVALID_STAGE = "invalid_stage"
    """B1 alone."""
    TAMPERED = "tampered"
    """Fields that contradict each other, such as failure fields that do not fit the stage."""
    FILE_UNSAFE = "file_unsafe"
    """A link, or no regular file."""
    DIRECTORY_UNSAFE = "directory_unsafe"
    NOT_PERMITTED = "not_permitted"
    IO_ERROR = "io_error"


@frozen
class Absent:
    """There is no such file. Only this means "none"."""


@frozen(kw_only=True)
class Present(Generic[R]):
    """A record that its own decoder accepts."""

    record: R
    sha256: str
    """Of the bytes as they are."""


@frozen(kw_only=True)
class Unreadable:
    """A file that is there and cannot be used. Nothing is concluded from it, and nothing overwrites it."""

    fault: ReadFault
    detail: str | None = None
    """The offset of a bad byte, the format number seen …; no path, no text of the operating system."""
    sha256: str | None = None
    """Of the bytes, when they could be read at all."""


Reading: TypeAlias = Absent | Present[R] | Unreadable
