"""The audit journal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import attrs
import pytest

from ems_admin.stores.journal import JournalFile
from ems_admin.workflows.ports.records import JournalLine
from tests.memory.running import MemoryClock

MOVED = JournalLine(
    machine="guided_setup", key="B0", trigger="link", source="active", target="active", workflow_id="Küche"
)
REFUSED = JournalLine(machine="guided_setup", key="B0", trigger="link", code="expired", session="abc")


@pytest.fixture
def clock() -> MemoryClock:
    return MemoryClock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    return tmp_path


def journal_in(folder: Path, clock: MemoryClock, rotate_at: int = 8 << 20) -> JournalFile:
    return JournalFile(admin_data=folder, clock=clock, rotate_at=rotate_at)


async def test_lines_are_numbered_and_found_by_their_number(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    for _ in range(5):
        await journal.append(MOVED)
    entries = await journal.after(2)
    assert [entry.sequence for entry in entries] == [3, 4, 5]
    assert {entry.line for entry in entries} == {MOVED}
    assert {(entry.time, entry.count) for entry in entries} == {(clock.wall, 1)}
    assert [entry.sequence for entry in await journal.after(0, limit=2)] == [1, 2]


async def test_who_knows_nothing_yet_begins_with_the_newest_lines(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    assert await journal.latest() == ()
    for _ in range(5):
        await journal.append(MOVED)
    assert [entry.sequence for entry in await journal.latest(limit=2)] == [4, 5]
    assert [entry.sequence for entry in await journal.latest()] == [1, 2, 3, 4, 5]


async def test_each_line_is_json_that_other_programs_read(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    await journal.settled()
    line = json.loads((folder / "state/journal.jsonl").read_text(encoding="utf-8"))
    assert line["from"] == "active"
    assert (line["sequence"], line["count"], line["workflow_id"]) == (1, 1, "Küche")


async def test_equal_refusals_within_ten_seconds_are_one_line_with_a_count(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    for _ in range(1200):
        await journal.append(REFUSED)
    await journal.append(MOVED)
    await journal.append(attrs.evolve(REFUSED, session="other"))
    await journal.append(REFUSED)
    counts = [(entry.line.code, entry.line.session, entry.count) for entry in await journal.after(0)]
    assert counts == [("expired", "abc", 1201), (None, None, 1), ("expired", "other", 1)]
    clock.pass_time(timedelta(seconds=10))
    await journal.append(REFUSED)
    assert [entry.count for entry in await journal.after(0)] == [1201, 1, 1, 1]


async def test_transitions_are_never_counted_together(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    answering = attrs.evolve(REFUSED, source="bound", target="none")
    for line in (MOVED, MOVED, answering, answering):
        await journal.append(line)
    assert [entry.count for entry in await journal.after(0)] == [1, 1, 1, 1]


async def test_a_new_process_goes_on_counting(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    await journal.settled()
    again = journal_in(folder, clock)
    await again.append(REFUSED)
    assert [entry.sequence for entry in await again.after(0)] == [1, 2]


@pytest.mark.parametrize("torn", [b'{"sequence": 3, "co', b"\xff\xfe", b"\0" * 40], ids=["cut", "bytes", "zeros"])
async def test_a_torn_last_line_is_skipped_and_spoils_no_other(folder: Path, clock: MemoryClock, torn: bytes) -> None:
    journal = journal_in(folder, clock)
    for _ in range(2):
        await journal.append(MOVED)
    await journal.settled()
    with (folder / "state/journal.jsonl").open("ab") as file:
        file.write(torn)
    again = journal_in(folder, clock)
    assert [entry.sequence for entry in await again.after(0)] == [1, 2]
    await again.append(REFUSED)
    await again.append(REFUSED)
    assert [(entry.sequence, entry.count) for entry in await again.after(0)] == [(1, 1), (2, 1), (3, 2)]


async def test_five_old_files_are_kept_and_numbers_go_on_through_them(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock, rotate_at=20_000)
    for _ in range(1000):
        await journal.append(MOVED)
    await journal.settled()
    files = sorted(path.name for path in (folder / "state").iterdir())
    assert files == ["journal.jsonl", *(f"journal.jsonl.{number}" for number in range(1, 6))]
    entries = await journal.after(0, limit=2000)
    numbers = [entry.sequence for entry in entries]
    assert numbers == list(range(numbers[0], 1001))
    assert numbers[0] > 1
    assert [entry.sequence for entry in await journal.after(990)] == list(range(991, 1001))


async def test_a_line_is_found_in_the_middle_of_a_large_file(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    for _ in range(2000):
        await journal.append(MOVED)
    await journal.settled()
    assert (folder / "state/journal.jsonl").stat().st_size > 4 << 16
    for sequence in (0, 1, 700, 1300, 1998, 1999, 2000):
        found = [entry.sequence for entry in await journal.after(sequence, limit=3)]
        assert found == [number for number in range(sequence + 1, sequence + 4) if number <= 2000]


async def test_an_append_that_fails_fails_nothing_else_and_is_seen(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    await journal.settled()
    assert journal.writable
    path = folder / "state/journal.jsonl"
    path.rename(folder / "aside")
    path.symlink_to(folder / "aside")
    await journal.append(MOVED)
    await journal.settled()
    assert not journal.writable
    path.unlink()
    (folder / "aside").rename(path)
    await journal.append(MOVED)
    await journal.settled()
    assert journal.writable
    assert [entry.sequence for entry in await journal.after(0)] == [1, 2]


async def test_a_refusal_that_moved_is_a_transition_and_counts_for_no_other(folder: Path, clock: MemoryClock) -> None:
    """site.md 1.7: equal refusals are one line; a transition happened once, whatever was refused after it."""
    journal = journal_in(folder, clock)
    for line in (attrs.evolve(REFUSED, source="bound", target="none"), REFUSED, REFUSED):
        await journal.append(line)
    assert [(entry.line.target, entry.count) for entry in await journal.after(0)] == [("none", 1), (None, 2)]


async def test_a_state_folder_that_became_a_link_is_neither_written_nor_read(folder: Path, clock: MemoryClock) -> None:
    """faults.md D7: the same on every path, and what it leads to stays as it is."""
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    await journal.settled()
    (folder / "state").rename(folder / "moved")
    (folder / "state").symlink_to(folder / "moved")
    before = (folder / "moved/journal.jsonl").read_bytes()
    await journal.append(MOVED)
    assert await journal.after(0) == ()
    assert not journal.writable
    assert (folder / "moved/journal.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/etc/passwd"), lambda path: path.symlink_to("nowhere")],
    ids=["pipe", "folder", "link", "dangling"],
)
async def test_what_is_no_file_among_the_old_ones_is_passed_over(
    folder: Path, clock: MemoryClock, make: Callable[[Path], None]
) -> None:
    make(folder / "state/journal.jsonl.2")
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    assert [entry.sequence for entry in await journal.after(0)] == [1]
    assert journal.writable


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
async def test_what_is_no_file_is_never_written_to(
    folder: Path, clock: MemoryClock, make: Callable[[Path], None]
) -> None:
    make(folder / "state/journal.jsonl")
    journal = journal_in(folder, clock)
    await journal.append(MOVED)
    assert await journal.after(0) == ()
    assert not journal.writable


async def test_a_count_never_grows_in_a_file_without_its_line(folder: Path, clock: MemoryClock) -> None:
    journal = journal_in(folder, clock)
    await journal.append(REFUSED)
    await journal.settled()
    (folder / "state/journal.jsonl").unlink()  # somebody clears up while we run
    await journal.append(REFUSED)
    assert [(entry.sequence, entry.count) for entry in await journal.after(0)] == [(2, 1)]
    assert b"\0" not in (folder / "state/journal.jsonl").read_bytes()
