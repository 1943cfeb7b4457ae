"""What a view sees is one moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define, evolve

from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.site import Site
from ems_admin.workflows.deployment.seen import SeenEngine
from ems_admin.workflows.glance import glance
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.engine import ContainerConflict, EngineStatus
from ems_admin.workflows.ports.records import Committed
from ems_admin.workflows.ports.services import NotSeen, Observation, Seen

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


async def test_a_page_puts_its_questions_to_the_engine_side_by_side(house: House) -> None:
    """One that is silent lets each wait for its limit: one after another they would outlast any page (F19)."""
    engine = Meeting(engine=house.engine, barrier=asyncio.Barrier(3))
    async with asyncio.timeout(5):
        seen = await glance(evolve(house, engine=engine))
    assert (await seen.engine.status()).ready
    assert await seen.engine.observe() == Seen(services=())
    assert await seen.engine.conflict(None) is None
    assert engine.asked == 3


async def test_an_engine_whose_answer_broke_is_asked_anew_by_whoever_needs_it(house: House) -> None:
    engine = Meeting(engine=house.engine, barrier=asyncio.Barrier(1), breaks=1)
    seen = await glance(evolve(house, engine=engine))
    assert (await seen.engine.status()).ready
    assert engine.asked == 4


@define(kw_only=True)
class Meeting(SeenEngine):
    """An engine that gives no answer until as many questions stand before it. Mutable: it counts them."""

    barrier: asyncio.Barrier
    breaks: int = 0
    asked: int = 0

    async def status(self) -> EngineStatus:
        await self._met()
        return await self.engine.status()

    async def observe(self) -> Observation:
        await self._met()
        return await self.engine.observe()

    async def conflict(self, container_name: str | None) -> ContainerConflict | NotSeen | None:
        await self._met()
        return await self.engine.conflict(container_name)

    async def _met(self) -> None:
        self.asked += 1
        await self.barrier.wait()
        if self.breaks:
            self.breaks -= 1
            raise ValueError("half an answer")
