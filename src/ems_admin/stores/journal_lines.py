"""The lines of a journal file: how one is spelled, and how those after a number are found.

Source: `site.md` 1.7.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Final

from attrs import field, frozen

from ems_admin import codec
from ems_admin.workflows.ports.records import JournalEntry, JournalLine

COUNT_KEY: Final = b'"count": '
MOST: Final = 999_999
"""What the place of the count has room for."""

_BLOCK: Final = 1 << 16


@frozen(kw_only=True)
class StoredLine:
    """One line as it lies in the file. The count stands second, where it is found without reading the rest."""

    sequence: int
    count: int
    time: datetime
    machine: str
    key: str
    trigger: str
    source: str | None = field(metadata={"key": "from"})
    target: str | None = field(metadata={"key": "to"})
    code: str | None
    operation_id: str | None
    workflow_id: str | None
    session: str | None
    detail: str | None


def spelled(sequence: int, time: datetime, line: JournalLine) -> bytes:
    """Spell a line, with room for its count to grow."""
    stored = StoredLine(
        sequence=sequence,
        count=1,
        time=time,
        machine=line.machine,
        key=line.key,
        trigger=line.trigger,
        source=line.source,
        target=line.target,
        code=line.code,
        operation_id=line.operation_id,
        workflow_id=line.workflow_id,
        session=line.session,
        detail=line.detail,
    )
    text = json.dumps(codec.unstructure(stored), ensure_ascii=False).encode()
    return text.replace(COUNT_KEY + b"1", COUNT_KEY + count_spelled(1), 1) + b"\n"


def count_spelled(count: int) -> bytes:
    """Spell a count so that a larger one takes no more room: JSON allows spaces before a number."""
    return f"{count:{len(str(MOST))}}".encode()


def last_number(file: BinaryIO) -> int | None:
    """Give the number of the last whole line, `None` when there is none."""
    end = file.seek(0, 2)
    file.seek(max(0, end - _BLOCK))
    lines = file.read().split(b"\n")
    return next((entry.sequence for line in reversed(lines) if (entry := _entry(line)) is not None), None)


def lines_after(file: BinaryIO, sequence: int) -> Iterator[JournalEntry]:
    """Give the whole lines whose numbers are larger."""
    _seek_near(file, sequence)
    for line in file:
        entry = _entry(line)
        if entry is not None and entry.sequence > sequence:
            yield entry


def _seek_near(file: BinaryIO, sequence: int) -> None:
    """Halve the file until what is left is quickly read; numbers only grow."""
    low, high = 0, file.seek(0, 2)
    while high - low > _BLOCK:
        middle = (low + high) // 2
        file.seek(middle)
        file.readline()  # the rest of the line that was hit
        entry = _entry(file.readline())
        if entry is None:
            break
        low, high = (middle, high) if entry.sequence <= sequence else (low, middle)
    file.seek(low)
    if low:
        file.readline()


def _entry(line: bytes) -> JournalEntry | None:
    """Read a line; a torn one is no line."""
    try:
        stored = codec.decode(line, StoredLine)
    except codec.DecodeError:
        return None
    told = JournalLine(
        machine=stored.machine,
        key=stored.key,
        trigger=stored.trigger,
        source=stored.source,
        target=stored.target,
        code=stored.code,
        operation_id=stored.operation_id,
        workflow_id=stored.workflow_id,
        session=stored.session,
        detail=stored.detail,
    )
    return JournalEntry(sequence=stored.sequence, time=stored.time, count=stored.count, line=told)
