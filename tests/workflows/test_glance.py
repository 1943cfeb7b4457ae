"""What a view sees is one moment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.site import Site
from ems_admin.workflows.glance import glance
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import Committed

RELEASE = SelectedRelease(tag="v1.2.0", source="catalogue")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with Site.open(tmp_path) as site:
        yield site.house


async def write(house: House) -> None:
    async with house.records.selected_release.hold() as held:
        assert await held.commit(RELEASE) == Committed()


async def test_a_glance_keeps_showing_its_moment_and_the_next_one_shows_what_came_of_it(house: House) -> None:
    before = await glance(house)
    await write(house)
    assert await before.records.selected_release.read() == Absent()
    after = await (await glance(house)).records.selected_release.read()
    assert isinstance(after, Present)
    assert after.record == RELEASE


async def test_every_record_is_part_of_the_moment(house: House, tmp_path: Path) -> None:
    seen = await glance(house)
    for store in await house.records.together():
        (tmp_path / "admin" / store).write_text("{")
    records = seen.records
    stores = (records.setup, records.transition, records.marker, records.known_good, records.upgrade)
    more = (records.admin_update, records.dispatch, records.run, records.config_commit, records.selected_release)
    assert [await store.read() for store in (*stores, *more)] == [Absent()] * 10
    assert isinstance(await house.records.setup.read(), Unreadable)


async def test_whoever_holds_a_record_through_a_glance_reads_it_anew(house: House) -> None:
    seen = await glance(house)
    await write(house)
    async with seen.records.selected_release.hold() as held:
        assert isinstance(await held.read(), Present)
    assert isinstance(await seen.records.selected_release.read(), Present)


async def test_the_install_root_is_part_of_the_moment_from_when_it_is_asked_for(house: House, tmp_path: Path) -> None:
    seen = await glance(house)
    before = await seen.installation.layout()
    assert before.stack_file is False
    (tmp_path / "stack.json").write_text("{}")
    assert await seen.installation.layout() == before
    assert (await house.installation.layout()).stack_file is True
