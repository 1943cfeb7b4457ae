"""Workflows can be stepped by hand over the ports in memory: interleaved, and cut after any durable change."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.setup import ArtifactKind
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.files import ConfigStore, Evidence, Installation, SetupFiles
from ems_admin.workflows.ports.records import Committed, HeldRecord, Journal, NotCommitted, RecordStore
from ems_admin.workflows.ports.running import Clock, Events, Ids, Locks, Tasks
from tests.memory.site import MemorySite
from tests.memory.world import Blocked, Durable, Fault, World, drive
from tests.stores.records import METADATA, OTHER_WORKFLOW, WORKFLOW


def every_port(site: MemorySite) -> tuple[object, ...]:
    """The type checker holds each to its port."""
    record: RecordStore[SelectedRelease] = site.selected_release
    journal: Journal = site.journal
    config: ConfigStore = site.config
    files: SetupFiles = site.setup_files
    root: Installation = site.installation
    clock: Clock = site.clock
    ids: Ids = site.ids
    locks: Locks = site.locks
    tasks: Tasks = site.tasks
    events: Events = site.events
    return record, journal, config, files, root, clock, ids, locks, tasks, events


async def count_up(store: RecordStore[SelectedRelease]) -> None:
    """Read and write under the lock, as every workflow does."""
    async with store.hold() as held:
        await held.commit(SelectedRelease(tag=f"v{await number(held) + 1}", source=""))


async def count_carelessly(store: RecordStore[SelectedRelease]) -> None:
    """Read under one hold and write under another: the fault that interleaving must find."""
    async with store.hold() as held:
        seen = await number(held)
    async with store.hold() as held:
        await held.commit(SelectedRelease(tag=f"v{seen + 1}", source=""))


async def number(held: HeldRecord[SelectedRelease]) -> int:
    reading = await held.read()
    return int(reading.record.tag.removeprefix("v")) if isinstance(reading, Present) else 0


def interleaved(choices: tuple[int, ...], *callers: Coroutine[Any, Any, None]) -> None:
    """Step the callers in the chosen order, and whoever is left to the end."""
    left = list(callers)
    blocked: dict[int, str] = {}
    order = iter(choices)
    while left:
        caller = left[next(order, 0) % len(left)]
        if id(caller) in blocked:
            caller = next(other for other in left if id(other) not in blocked)
        try:
            mark = caller.send(None)
        except StopIteration:
            left.remove(caller)
            blocked.clear()
        else:
            blocked.pop(id(caller), None)
            if isinstance(mark, Blocked):
                blocked[id(caller)] = mark.name
            else:
                blocked.clear()


@pytest.mark.parametrize(("work", "always_right"), [(count_up, True), (count_carelessly, False)])
def test_every_order_of_two_callers_can_be_tried(work: Any, *, always_right: bool) -> None:
    ends = set()
    for choices in product((0, 1), repeat=8):
        site = MemorySite()
        interleaved(choices, work(site.selected_release), work(site.selected_release))
        ends.add(codec.decode(site.world.files[site.selected_release.name], SelectedRelease).tag)
    assert ends == ({"v2"} if always_right else {"v1", "v2"})


def test_the_power_can_be_cut_after_any_durable_change() -> None:
    async def work(site: MemorySite) -> None:
        await count_up(site.selected_release)
        async with site.config.hold() as config:
            await config.keep_credentials("1")
            await config.write_credentials(b"{}")
            await config.write_config(b"{}")

    found = []
    for cut_after in range(5):
        site = MemorySite()
        running = work(site)
        landed = 0
        while landed < cut_after:
            try:
                landed += isinstance(running.send(None), Durable)
            except StopIteration:
                break
        running.close()
        after = MemorySite(world=site.world.after_power_cut())
        assert after.world.held == set()
        found.append(sorted(after.world.files))
    record, config, credentials = "state/selected-release.json", "/config/config.json", "/config/credentials.json"
    assert found == [[], [record], [record], [credentials, record], [config, credentials, record]]


@pytest.mark.parametrize("lands", [False, True])
def test_a_commit_can_be_made_to_fail_with_or_without_its_bytes(*, lands: bool) -> None:
    refused = NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no_space")
    site = MemorySite(world=World(faults={"state/selected-release.json": Fault(outcome=refused, lands=lands)}))

    async def work() -> None:
        async with site.selected_release.hold() as held:
            release = SelectedRelease(tag="v1", source="")
            assert await held.commit(release) == refused
            assert (await held.read() == Absent()) is not lands
            assert await held.commit(release) == Committed()

    drive(work())


def test_tasks_wait_to_be_stepped_and_time_stands() -> None:
    site = MemorySite()

    async def work() -> None:
        await site.clock.sleep(timedelta(hours=1))

    before = site.clock.boottime()
    task = site.tasks.start("sleeper", work())
    assert not task.ended
    while task.step() is not None:
        pass
    assert task.ended
    assert site.clock.boottime() - before == 3600
    assert drive(task.wait())
    assert site.tasks.running == ()


def test_a_stopped_task_ends_at_its_next_call() -> None:
    site = MemorySite()
    told: list[str] = []

    async def work() -> None:
        try:
            await site.clock.sleep(timedelta(hours=1))
        finally:
            told.append("tidied up")

    task = site.tasks.start("sleeper", work())
    task.step()
    task.cancel()
    task.step()
    assert task.ended
    assert told == ["tidied up"]


@asynccontextmanager
async def generated(files: SetupFiles) -> AsyncIterator[None]:
    """Leave what two workflows leave."""
    for workflow in (WORKFLOW, OTHER_WORKFLOW):
        await files.write_generated_config(workflow, b"{}")
        await files.write_generated_metadata(workflow, METADATA)
    yield


async def removed(files: SetupFiles, kind: ArtifactKind) -> tuple[Any, ...]:
    async with generated(files):
        seen = [await files.evidence(kind, workflow) for workflow in (WORKFLOW, OTHER_WORKFLOW)]
        gone = await files.remove(kind, WORKFLOW)
        left = [await files.evidence(kind, workflow) for workflow in (WORKFLOW, OTHER_WORKFLOW)]
        config = type(await files.generated_config(WORKFLOW)), type(await files.generated_metadata(WORKFLOW))
    return (*seen, gone, *left, *config)


@pytest.mark.parametrize("kind", ArtifactKind)
async def test_generated_files_are_the_same_in_memory_and_on_disk(kind: ArtifactKind, tmp_path: Path) -> None:
    site = SiteFiles(admin_data=tmp_path)
    site.prepare()
    on_disk = await removed(GeneratedFiles(site), kind)
    assert on_disk == drive(removed(MemorySite().setup_files, kind))
    assert Evidence.OURS in on_disk or on_disk[0] is Evidence.ABSENT
