"""What every store of a record promises: asked of the file and of the one in memory alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Unreadable
from ems_admin.machines.records.transition import Transition
from ems_admin.stores.records import RecordFile, sha256
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed, RecordStore, RefusalError
from tests.memory.site import MemorySite
from tests.memory.world import drive
from tests.stores.records import NOON, TRANSITION


@attrs.frozen
class Kept:
    """A store of transitions, how to put bytes under it, and how to run what awaits it."""

    store: RecordStore[Transition]
    lay: Callable[[bytes], object]
    bytes_now: Callable[[], bytes | None]
    run: Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    if request.param == "memory":
        site = MemorySite()
        files, name = site.world.files, site.transition.name
        return Kept(site.transition, lambda data: files.update({name: data}), lambda: files.get(name), drive)
    site_files = SiteFiles(admin_data=tmp_path)
    site_files.prepare()
    path = tmp_path / site_files.transition.name
    return Kept(
        site_files.transition,
        path.write_bytes,
        lambda: path.read_bytes() if path.exists() else None,
        asyncio.run,
    )


OTHER = attrs.evolve(TRANSITION, system_tag="v9.0.0", updated_at=NOON.replace(hour=13))


def test_a_store_that_was_never_written_is_absent(kept: Kept) -> None:
    async def claim() -> None:
        assert await kept.store.read() == Absent()
        async with kept.store.hold() as held:
            assert await held.read() == Absent()

    kept.run(claim())
    assert kept.bytes_now() is None


def test_what_is_committed_is_read_back_with_the_hash_of_its_bytes(kept: Kept) -> None:
    async def claim() -> None:
        async with kept.store.hold() as held:
            assert await held.commit(TRANSITION) == Committed()
            assert await held.commit(OTHER) == Committed()
            reading = await held.read()
        assert reading == await kept.store.read() == Present(record=OTHER, sha256=sha256(codec.encode(OTHER)))

    kept.run(claim())
    assert kept.bytes_now() == codec.encode(OTHER)


def test_a_removed_record_is_absent_and_removing_is_done_once(kept: Kept) -> None:
    async def claim() -> None:
        async with kept.store.hold() as held:
            await held.commit(TRANSITION)
            assert await held.remove() == Committed()
            assert await held.remove() == Committed()
            assert await held.read() == Absent()

    kept.run(claim())
    assert kept.bytes_now() is None


@pytest.mark.parametrize(
    ("data", "fault"),
    [(b"", ReadFault.EMPTY), (b"{", ReadFault.NOT_JSON), (codec.encode(OTHER)[:100], ReadFault.NOT_JSON)],
    ids=["empty", "no json", "cut"],
)
def test_an_unreadable_record_carries_its_hash_and_reading_leaves_it_alone(
    kept: Kept, data: bytes, fault: ReadFault
) -> None:
    async def claim() -> None:
        async with kept.store.hold() as held:
            for reading in (await kept.store.read(), await held.read()):
                assert isinstance(reading, Unreadable)
                assert (reading.fault, reading.sha256) == (fault, sha256(data))

    kept.lay(data)
    kept.run(claim())
    assert kept.bytes_now() == data


def test_the_hash_of_a_record_that_is_too_large_is_that_of_all_its_bytes(kept: Kept) -> None:
    """seed 000 7.2: a preview binds the exact bytes; two records that begin alike are not the same."""
    like = b" " * (codec.RECORD_LIMIT + 1)
    for data in (like + b"1", like + b"2"):
        expected = Unreadable(fault=ReadFault.TOO_LARGE, detail=str(len(data)), sha256=sha256(data))

        async def claim(expected: Unreadable = expected) -> None:
            assert await kept.store.read() == expected

        kept.lay(data)
        kept.run(claim())


def test_a_lock_is_not_taken_twice(kept: Kept) -> None:
    async def claim() -> None:
        async with kept.store.hold():
            with pytest.raises(RefusalError) as refused:
                async with kept.store.hold(wait=0):
                    pytest.fail("it was held")
            assert refused.value.refusal.code is Code.STATE_LOCK_BUSY
        async with kept.store.hold(wait=0) as again:
            assert await again.read() == Absent()

    kept.run(claim())


def test_a_lock_is_free_after_an_exception(kept: Kept) -> None:
    async def claim() -> None:
        with pytest.raises(ZeroDivisionError):
            async with kept.store.hold():
                _ = 1 / 0
        async with kept.store.hold(wait=0):
            pass

    kept.run(claim())


def test_a_record_that_contradicts_itself_is_never_written(kept: Kept) -> None:
    async def claim() -> None:
        async with kept.store.hold() as held:
            await held.commit(TRANSITION)
            with pytest.raises(codec.EncodeError):
                await held.commit(attrs.evolve(OTHER, error_code="expired"))

    kept.run(claim())
    assert kept.bytes_now() == codec.encode(TRANSITION)


def test_names_are_relative_to_the_admin_data(kept: Kept) -> None:
    assert kept.store.name == "state/pending-transition.json"


def test_both_sites_have_the_same_records(tmp_path: Path) -> None:
    on_disk, in_memory = SiteFiles(admin_data=tmp_path), MemorySite()
    for field in attrs.fields(SiteFiles):
        record = getattr(on_disk, field.name)
        if isinstance(record, RecordFile):
            twin = getattr(in_memory, field.name)
            assert (twin.name, twin.kind) == (record.name, record.kind)
