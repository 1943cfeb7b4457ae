"""The history of the live config: what disk and memory promise alike, and what only a disk can do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.reading import Absent, ReadFault, Unreadable
from ems_admin.stores.config_history import ConfigHistoryFiles
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.history import ConfigHistory, History
from ems_admin.workflows.ports.records import Committed, NotCommitted
from tests.memory.running import MemoryClock
from tests.memory.site import MemorySite
from tests.memory.world import drive
from tests.stores.running_out import RunningOut

FIRST, SECOND, THEIRS = b'{"a": 1}\n', '{"a": "Küche 🔋"}\n'.encode(), b'\xef\xbb\xbf{"by": "hand"}'
FOLDER = "backups/history"


def rev(data: bytes) -> str:
    return sha256(data).hexdigest()


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@attrs.frozen
class Kept:
    """A history, how to put bytes under it, and how to run what awaits it."""

    history: ConfigHistory
    lay: Callable[[str, bytes], object]
    names: Callable[[], set[str]]
    run: Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if request.param == "memory":
        files = (site := MemorySite()).world.files
        return Kept(site.history, lambda name, data: files.update({name: data}), lambda: set(files), drive)
    return Kept(
        ConfigHistoryFiles(admin_data=tmp_path, clock=MemoryClock()),
        lambda name, data: (tmp_path / name).write_bytes(data),
        lambda: {str(path.relative_to(tmp_path)) for path in files_in(tmp_path)},
        asyncio.run,
    )


async def listed(history: ConfigHistory) -> History:
    found = await history.list()
    assert isinstance(found, History)
    return found


def told(history: History) -> list[tuple[str | None, str, str | None]]:
    return [(line.path, line.revision, line.base) for line in history.revisions]


async def two(history: ConfigHistory) -> None:
    assert await history.keep(FIRST, path=WritePath.SETUP_APPLY, base=None, commit_id="c1") == Committed()
    assert await history.keep(SECOND, path=WritePath.MAINTENANCE_APPLY, base=rev(FIRST), commit_id="c2") == Committed()


def test_nothing_is_kept_at_first_and_looking_makes_nothing(kept: Kept) -> None:
    async def claim() -> None:
        assert await kept.history.list() == History(revisions=())
        assert await kept.history.read(rev(FIRST)) == Absent()
        assert await kept.history.read("../../config") == Absent()
        assert kept.names() == set()

    kept.run(claim())


def test_every_applied_revision_is_kept_byte_for_byte_with_what_it_replaced(kept: Kept) -> None:
    async def claim() -> None:
        await two(kept.history)
        found = await listed(kept.history)
        assert told(found) == [("W1", rev(FIRST), None), ("W4", rev(SECOND), rev(FIRST))]
        assert [line.sequence for line in found.revisions] == [1, 2]
        for data in (FIRST, SECOND):
            assert await kept.history.read(rev(data)) == Content(data=data, revision=rev(data))

    kept.run(claim())


def test_a_commit_that_is_gone_on_with_has_one_line(kept: Kept) -> None:
    async def claim() -> None:
        await two(kept.history)
        before = kept.names()
        await kept.history.keep(SECOND, path=WritePath.MAINTENANCE_APPLY, base=rev(FIRST), commit_id="c2")
        assert kept.names() == before

    kept.run(claim())


def test_what_somebody_else_wrote_stands_between_what_we_wrote(kept: Kept) -> None:
    """The commit that comes upon it has both lines under its one id."""

    async def claim() -> None:
        await two(kept.history)
        for _ in range(2):
            assert await kept.history.keep_found(THEIRS, commit_id="c3") == Committed()
        await kept.history.keep(FIRST, path=WritePath.BACKUP_RESTORE, base=rev(THEIRS), commit_id="c3")
        assert told(await listed(kept.history))[2:] == [
            (None, rev(THEIRS), rev(SECOND)),
            ("W7", rev(FIRST), rev(THEIRS)),
        ]
        assert await kept.history.read(rev(THEIRS)) == Content(data=THEIRS, revision=rev(THEIRS))

    kept.run(claim())


def test_what_the_history_ends_with_is_not_found_once_more(kept: Kept) -> None:
    async def claim() -> None:
        await two(kept.history)
        before = kept.names()
        await kept.history.keep_found(SECOND, commit_id="c3")
        assert kept.names() == before

    kept.run(claim())


def test_bytes_that_somebody_goes_by_are_kept_without_a_line(kept: Kept) -> None:
    async def claim() -> None:
        assert await kept.history.lay_by(THEIRS) == Committed()
        assert (await listed(kept.history)).revisions == ()
        assert await kept.history.read(rev(THEIRS)) == Content(data=THEIRS, revision=rev(THEIRS))

    kept.run(claim())


@pytest.mark.parametrize("data", [b"", b"{", b'{"format_version": 2}', b"\xff"])
def test_a_damaged_line_is_named_and_never_passed_on_as_good(kept: Kept, data: bytes) -> None:
    async def claim() -> None:
        await two(kept.history)
        kept.lay(f"{FOLDER}/commits/00000002-applied.json", data)
        found = await listed(kept.history)
        assert (told(found), found.damaged) == ([("W1", rev(FIRST), None)], ("00000002-applied.json",))
        await kept.history.keep(FIRST, path=WritePath.MAINTENANCE_APPLY, base=rev(SECOND), commit_id="c3")
        assert [line.sequence for line in (await listed(kept.history)).revisions] == [1, 3]

    kept.run(claim())


def test_bytes_that_do_not_hash_to_their_name_are_no_revision_and_are_mended_by_the_next_keep(kept: Kept) -> None:
    async def claim() -> None:
        await two(kept.history)
        kept.lay(f"{FOLDER}/applied/{rev(FIRST)}.json", b"{}")
        assert await kept.history.read(rev(FIRST)) == Unreadable(fault=ReadFault.TAMPERED, sha256=rev(b"{}"))
        await kept.history.keep(FIRST, path=WritePath.MAINTENANCE_APPLY, base=rev(SECOND), commit_id="c3")
        assert await kept.history.read(rev(FIRST)) == Content(data=FIRST, revision=rev(FIRST))

    kept.run(claim())


# The disk alone


async def test_the_history_is_for_the_admin_alone(tmp_path: Path) -> None:
    history = ConfigHistoryFiles(admin_data=tmp_path, clock=MemoryClock())
    await two(history)
    await history.lay_by(THEIRS)
    files = files_in(tmp_path)
    assert len(files) == 5
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert (tmp_path / FOLDER / "applied" / f"{rev(SECOND)}.json").read_bytes() == SECOND


async def test_behind_a_link_nothing_is_read_or_kept(tmp_path: Path) -> None:
    """D7."""
    history = ConfigHistoryFiles(admin_data=tmp_path, clock=MemoryClock())
    await two(history)
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / FOLDER).rename(elsewhere)
    (tmp_path / FOLDER).symlink_to(elsewhere)
    before = files_in(elsewhere)
    refused = await history.keep(THEIRS, path=WritePath.MAINTENANCE_APPLY, base=rev(SECOND), commit_id="c3")
    assert isinstance(refused, NotCommitted)
    assert refused.code is Code.STATE_DIRECTORY_UNSAFE
    assert isinstance(await history.list(), Unreadable)
    assert isinstance(await history.read(rev(FIRST)), Unreadable)
    assert files_in(elsewhere) == before


async def test_a_disk_that_fills_up_anywhere_leaves_no_line_without_its_bytes(tmp_path: Path) -> None:
    """F01."""
    for room in range(40):
        root = tmp_path / str(room)
        root.mkdir()
        history = ConfigHistoryFiles(admin_data=root, clock=MemoryClock(), disk=RunningOut(room))
        outcome = await history.keep(FIRST, path=WritePath.MAINTENANCE_APPLY, base=None, commit_id="c1")
        sound = ConfigHistoryFiles(admin_data=root, clock=MemoryClock())
        lines = (await listed(sound)).revisions
        assert not [path for path in files_in(root) if path.suffix == ".tmp"]
        if isinstance(outcome, Committed):
            assert len(lines) == 1
            assert await sound.read(rev(FIRST)) == Content(data=FIRST, revision=rev(FIRST))
            return
        assert isinstance(outcome, NotCommitted)
        assert (outcome.code, outcome.detail, lines) == (Code.STATE_WRITE_FAILED, "no_space", ())
        assert await sound.keep(FIRST, path=WritePath.MAINTENANCE_APPLY, base=None, commit_id="c1") == Committed()
    raise AssertionError("never enough room")
