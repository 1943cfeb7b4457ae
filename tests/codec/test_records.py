"""What stands in a record file is exactly a record, or it is named why not.

Source: `site.md` 4.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin import codec
from ems_admin.machines.records.reading import ReadFault
from ems_admin.machines.records.setup import (
    GuidedSetup,
)
from ems_admin.machines.records.transition import Mode, Transition
from tests.codec.faults import fault_of
from tests.codec.samples import sample
from tests.stores.records import ALL, ENDED_SETUP, MANIFEST, NATIVE, SETUP, TRANSITION

KINDS = sorted({type(record) for record in ALL}, key=lambda kind: kind.__name__)


def with_any(record: Any, **fields: Any) -> Any:
    """Give fields values that the type checker would not let pass."""
    return attrs.evolve(record, **fields)


def document_of(record: Any) -> Any:
    return json.loads(codec.encode(record))


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_what_is_written_is_read_back_as_the_same(record: Any) -> None:
    assert codec.decode(codec.encode(record), type(record)) == record


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_whatever_can_be_written_can_be_read(kind: type[Any], data: st.DataObject) -> None:
    record = data.draw(sample(kind))
    try:
        written = codec.encode(record)
    except codec.EncodeError:
        return  # it contradicts itself; that its decoder agrees is told below
    assert codec.decode(written, kind) == record


@pytest.mark.parametrize("kind", [GuidedSetup, Transition], ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_writer_and_reader_agree_on_contradictions(kind: type[Any], data: st.DataObject) -> None:
    record = data.draw(sample(kind))
    document = codec.unstructure(record)
    try:
        codec.encode(record)
        written = True
    except codec.EncodeError:
        written = False
    try:
        codec.decode(codec.pretty(document), kind)
        read = True
    except codec.DecodeError:
        read = False
    assert written == read


def test_a_record_is_readable_for_people() -> None:
    text = codec.encode(ENDED_SETUP).decode()
    assert text.startswith('{\n  "format_version": 2,\n  "workflow_id": "w')
    assert text.endswith('"\n}\n')
    assert '    "artifacts": [\n      {\n        "kind": "workflow_directory",' in text
    assert list(json.loads(text)) == [field.name for field in attrs.fields(GuidedSetup)]


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_every_key_must_be_there_and_no_other(record: Any) -> None:
    document = document_of(record)
    for key in document:
        lacking = {other: value for other, value in document.items() if other != key}
        assert fault_of(lacking, type(record)) == (ReadFault.WRONG_SHAPE, f"missing_field at /{key}")
    assert fault_of({**document, "a/b": 1}, type(record)) == (ReadFault.WRONG_SHAPE, "unknown_field at /a~1b")


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_no_value_is_made_to_fit(record: Any) -> None:
    for path, value in leaves(document_of(record)):
        for wrong in unlike(value):
            fault, _ = fault_of(replaced(document_of(record), path, wrong), type(record))
            assert fault in {ReadFault.WRONG_TYPE, ReadFault.UNSUPPORTED_FORMAT}, (path, value, wrong)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [leaf for key, item in inner for leaf in leaves(item, (*path, key))]
    return found if isinstance(value, dict | list) else [(path, value)]


def unlike(value: Any) -> list[Any]:
    """Give what a lenient decoder would take for `value`."""
    match value:
        case None:
            return []
        case bool():
            return [int(value), str(value), "yes"]
        case int():
            return [str(value), float(value), *([bool(value)] if value in {0, 1} else [])]
        case float():
            return [str(value), int(value)]
        case _:
            return [[value], {"value": value}, 5, True]


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


@pytest.mark.parametrize("record", [SETUP, TRANSITION, NATIVE, MANIFEST], ids=lambda record: type(record).__name__)
@pytest.mark.parametrize("step", [-1, 1, 40])
def test_another_format_is_named_and_never_guessed(record: Any, step: int) -> None:
    """F53."""
    document = document_of(record)
    key = next(iter(document))
    known = document[key]
    detail = f"seen {known + step}, highest known {known}"
    assert fault_of({key: known + step, "shape of its own": True}, type(record)) == (
        ReadFault.UNSUPPORTED_FORMAT, detail,
    )  # fmt: skip
    with pytest.raises(codec.EncodeError):
        codec.encode(attrs.evolve(record, **{key: known + step}))


def test_a_mode_of_nobody_is_named_when_the_rest_reads_well() -> None:
    strange = {**document_of(TRANSITION), "mode": "time_travel"}
    assert fault_of(strange, Transition) == (ReadFault.UNSUPPORTED_MODE, None)
    assert fault_of({**strange, "stage": "nowhere"}, Transition)[0] is ReadFault.UNSUPPORTED_MODE
    assert fault_of({**strange, "revision": 5}, Transition) == (ReadFault.WRONG_TYPE, "wrong_type at /revision")
    assert fault_of({**strange, "mode": 5}, Transition) == (ReadFault.WRONG_TYPE, "wrong_type at /mode")


def test_a_stage_of_nobody_is_named() -> None:
    assert fault_of({**document_of(TRANSITION), "stage": "nowhere"}, Transition) == (ReadFault.INVALID_STAGE, None)


@pytest.mark.parametrize(
    "text",
    ["2026-01-01T12:00:00", "2026-01-01T12:00:00+00:00", "2026-01-01 12:00:00Z", "2026-01-01T12:00:00.5Z",
     "2026-02-30T12:00:00Z", "2026-01-01T12:00:60Z", "2026-01-01T12:00:00z", "٢٠٢٦-01-01T12:00:00Z",
     "20260101T120000Z"],
)  # fmt: skip
def test_a_time_has_one_spelling(text: str) -> None:
    assert fault_of({**document_of(SETUP), "created_at": text}, GuidedSetup)[0] is ReadFault.WRONG_SHAPE


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 1, 1),  # noqa: DTZ001
        datetime(2026, 1, 1, microsecond=1, tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    ],
    ids=str,
)
def test_a_time_that_is_no_whole_second_in_utc_is_not_written(moment: datetime) -> None:
    with pytest.raises(codec.EncodeError):
        codec.encode(attrs.evolve(SETUP, created_at=moment))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda: attrs.evolve(TRANSITION, created_boottime=float("nan")),
        lambda: attrs.evolve(TRANSITION, created_boottime=5),
        lambda: with_any(TRANSITION, mode=str(Mode.FRESH_INSTALL)),
        lambda: attrs.evolve(TRANSITION, system_tag="\ud800"),
        lambda: attrs.evolve(TRANSITION, error_message="x" * 3000),
        lambda: attrs.evolve(NATIVE, services={f"s{n}": NATIVE.services["ems"] for n in range(300)}),
        lambda: attrs.evolve(SETUP, workflow_id="../escape"),
        lambda: with_any(SETUP, artifacts=SETUP.cleanup),
    ],
)
def test_a_record_that_would_not_read_back_is_not_written(spoil: Callable[[], Any]) -> None:
    with pytest.raises(codec.EncodeError):
        codec.encode(spoil())


def test_a_key_that_python_keeps_for_itself_has_another_name_in_the_file() -> None:
    mount = codec.unstructure(ALL[-3].services[0].mounts[0])
    assert mount == {"from": "config", "to": "/config", "read_only": True}
