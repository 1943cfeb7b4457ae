"""Records into bytes and bytes into records. What one writes, the other reads, and nothing else.

Source: DESIGN 3; `site.md` 3 (read errors), 4; `faults.md` State files, F53.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import attrs

from ems_admin.codec.contradictions import contradiction
from ems_admin.codec.converter import strict
from ems_admin.codec.misfits import Misfit, MisfitError, MisfitKind
from ems_admin.codec.text import RECORD_LIMIT, Json, TextError, parse, pretty
from ems_admin.machines.records.build import Manifest, Stack
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.installed import NativeServices
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GeneratedMetadata, GuidedSetup
from ems_admin.machines.records.transition import STATE_VERSION, Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext

R = TypeVar("R")

FORMATS: Final[Mapping[type, int]] = {
    GuidedSetup: 2,
    GeneratedMetadata: 2,
    Transition: STATE_VERSION,
    UpgradeContext: 3,
    PendingAdminUpdate: 1,
    Dispatch: 1,
    Run: 1,
    ConfigCommit: 1,
    NativeServices: 1,
    CurrentAdmin: 1,
    Manifest: 1,
    Stack: 1,
}
"""The one format of each record that this program reads and writes.

A record that only one adapter knows says it at the field: `format_version: int = field(metadata={"format": 1})`.
"""

FORMAT_KEYS: Final[Mapping[type, str]] = {Transition: "state_version"}

PECULIAR: Final[Mapping[type, Mapping[str, ReadFault]]] = {
    Transition: {"mode": ReadFault.UNSUPPORTED_MODE, "stage": ReadFault.INVALID_STAGE}
}
"""Words that have a fault of their own when nobody knows them, in a record that reads well otherwise."""

_CONVERTER: Final = strict(stored=True)


class DecodeError(Exception):
    """Bytes that are no record of the wanted kind; `detail` is a place, an offset or a format number."""

    def __init__(self, fault: ReadFault, detail: str | None = None) -> None:
        """Carry the fault."""
        super().__init__(f"{fault}: {detail}" if detail else str(fault))
        self.fault = fault
        self.detail = detail


class EncodeError(Exception):
    """A record that its own decoder would refuse: a fault of the program, met before any byte is written."""


def decode(data: bytes, kind: type[R], *, limit: int = RECORD_LIMIT) -> R:
    """Read a record of `kind` out of the bytes of its file. Raises `DecodeError`."""
    try:
        value = parse(data, limit=limit)
    except TextError as error:
        raise DecodeError(error.fault, error.detail) from None
    return _structure(value, kind)


def encode(record: Any, *, limit: int = RECORD_LIMIT) -> bytes:
    """Write a record, readable for people and certain to be read back as the same. Raises `EncodeError`."""
    kind = type(record)
    try:
        data = pretty(_CONVERTER.unstructure(record, unstructure_as=kind))
    except Exception as error:  # the codec's door: whatever a hook raises, the record does not fit
        raise EncodeError(f"{kind.__name__}: {error}") from error
    if getattr(record, FORMAT_KEYS.get(kind, "format_version"), None) != _known_format(kind):
        raise EncodeError(f"{kind.__name__} is of another format")
    if (why := contradiction(record)) is not None:
        raise EncodeError(f"{kind.__name__}: {why[1]}")
    if len(data) > limit:
        raise EncodeError(f"{kind.__name__} is too large")
    return data


def _structure(value: Json, kind: type[R]) -> R:
    _refuse_other_formats(value, kind)
    try:
        record: R = _CONVERTER.structure(value, kind)
    except MisfitError as error:
        raise _named(error.misfits, kind) from None
    except Exception as error:  # the codec's door: never a record that nobody checked
        raise DecodeError(ReadFault.WRONG_SHAPE, type(error).__name__) from error
    if (why := contradiction(record)) is not None:
        raise DecodeError(*why)
    return record


def _refuse_other_formats(value: Json, kind: type) -> None:
    known = _known_format(kind)
    if known is None or not isinstance(value, dict):
        return
    seen = value.get(FORMAT_KEYS.get(kind, "format_version"))
    if type(seen) is int and seen != known:
        raise DecodeError(ReadFault.UNSUPPORTED_FORMAT, f"seen {seen}, highest known {known}")


def _known_format(kind: type) -> int | None:
    if kind in FORMATS or not attrs.has(kind):
        return FORMATS.get(kind)
    return next((field.metadata["format"] for field in attrs.fields(kind) if "format" in field.metadata), None)


def _named(misfits: tuple[Misfit, ...], kind: type) -> DecodeError:
    """Choose the fault. A peculiar word is named only when nothing else is wrong, the first one first."""
    peculiar = {(key,): fault for key, fault in PECULIAR.get(kind, {}).items()}
    ordinary = [m for m in misfits if m.kind is not MisfitKind.WRONG_VALUE or m.path not in peculiar]
    if not ordinary:
        return DecodeError(next(fault for path, fault in peculiar.items() if any(m.path == path for m in misfits)))
    # A repeatable choice: keys that do not belong or lack say most, then types, then values.
    order = (MisfitKind.UNKNOWN_FIELD, MisfitKind.MISSING_FIELD, MisfitKind.WRONG_TYPE, MisfitKind.WRONG_VALUE)
    first = min(ordinary, key=lambda misfit: order.index(misfit.kind))
    fault = ReadFault.WRONG_TYPE if first.kind is MisfitKind.WRONG_TYPE else ReadFault.WRONG_SHAPE
    return DecodeError(fault, f"{first.kind} at {first.pointer or '/'}"[:200])
