"""Records on a real disk: their mode and their size (`site.md` 4)."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from ems_admin.machines.records.reading import Present, ReadFault, Unreadable
from ems_admin.stores.records import RecordFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed
from tests.stores.records import SETUP, TRANSITION


@pytest.mark.parametrize("record", [SETUP, TRANSITION], ids=["B0", "B1"])
async def test_a_record_is_for_the_admin_alone_also_when_it_replaces_one_that_was_not(
    tmp_path: Path, record: object
) -> None:
    """Mode 0600."""
    site = SiteFiles(admin_data=tmp_path)
    site.prepare()
    store = site.setup if record is SETUP else site.transition
    path = tmp_path / store.name
    path.write_bytes(b"{")
    path.chmod(0o666)
    async with store.hold() as held:
        assert await held.commit(record) == Committed()  # type: ignore[arg-type]  # its own kind
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("size", "fits"), [(64 * 1024, True), (64 * 1024 + 1, False)])
async def test_a_record_of_64_kib_is_read_and_one_byte_more_is_too_large(
    tmp_path: Path, size: int, *, fits: bool
) -> None:
    site = SiteFiles(admin_data=tmp_path)
    site.prepare()
    async with site.transition.hold() as held:
        await held.commit(TRANSITION)
    path = tmp_path / site.transition.name
    data = path.read_bytes()
    path.write_bytes(data + b" " * (size - len(data)))
    reading = await site.transition.read()
    if fits:
        assert isinstance(reading, Present)
    else:
        assert isinstance(reading, Unreadable)
        assert reading.fault is ReadFault.TOO_LARGE


def test_a_live_holder_of_a_record_is_waited_for_ten_seconds() -> None:
    """F15; the wait itself is tried with a shorter one in tests/stores/test_locks.py."""
    assert inspect.signature(RecordFile.hold).parameters["wait"].default == 10
