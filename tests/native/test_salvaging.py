"""A damaged record of the native services is written anew from what lives, and never by guessing (ADR 21)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.native.engine import NativeEngine
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.services import Seen, ServiceState
from tests.native.ground import Ground, failure, nobody, seen
from tests.native.host import marked

DAMAGES = [b"", b"{", b"\xff", b"[]", b'{"format_version": 1, "format_version": 1}', b'{"format_version": 1}']


def record_of(ground: Ground) -> Path:
    ground.files.prepare()
    return ground.place.state / "native-services.json"


def kept(ground: Ground) -> list[bytes]:
    return [path.read_bytes() for path in ground.place.state.glob("native-services.json.*Z")]


async def started(ground: Ground) -> NativeEngine:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    return engine


@pytest.mark.parametrize("damage", DAMAGES)
async def test_where_nothing_lives_an_empty_record_takes_its_place_and_the_bytes_are_kept(
    ground: Ground, damage: bytes
) -> None:
    record_of(ground).write_bytes(damage)
    assert await ground.engine().adopt() == Done()
    assert await ground.engine().observe() == Seen(services=())
    assert kept(ground) == [damage]


async def test_a_service_that_lives_is_found_again_with_everything_that_it_was(ground: Ground) -> None:
    before = seen(await (await started(ground)).observe())
    running = list(marked(ground.place.site))
    record_of(ground).write_bytes(b"{")
    assert await ground.engine().adopt() == Done()
    after = seen(await ground.engine().observe())
    assert before.started_at is not None
    assert after.started_at is not None
    assert abs(after.started_at - before.started_at) <= timedelta(seconds=2)
    assert evolve(after, started_at=before.started_at) == before
    assert await ground.engine().start(await ground.ready(), nobody) == Done(), "it runs already just so"
    assert list(marked(ground.place.site)) == running
    assert await ground.engine().stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_what_lives_and_nobody_can_tell_keeps_the_record_as_it_is(ground: Ground) -> None:
    await started(ground)
    ground.place.stack_file.write_text("{")
    record = record_of(ground)
    record.write_bytes(b"{")
    assert failure(await ground.engine().adopt()).code is Code.STATE_UNREADABLE
    assert (record.read_bytes(), kept(ground)) == (b"{", [])
    assert list(marked(ground.place.site))


async def test_without_proc_nothing_is_concluded(ground: Ground) -> None:
    record = record_of(ground)
    record.write_bytes(b"{")
    blind = Ground(ground.root, proc=ground.root / "none").engine()
    assert failure(await blind.adopt()).code is Code.SERVICE_MANAGER_UNREACHABLE
    assert (record.read_bytes(), kept(ground)) == (b"{", [])


async def test_a_link_in_the_place_of_the_record_is_never_followed_or_replaced(ground: Ground) -> None:
    record, target = record_of(ground), ground.root / "elsewhere"
    target.write_bytes(b"{")
    record.symlink_to(target)
    assert failure(await ground.engine().adopt()).code is Code.STATE_UNREADABLE
    assert (record.is_symlink(), target.read_bytes(), kept(ground)) == (True, b"{", [])


async def test_a_service_that_has_ended_is_not_brought_back_to_life(ground: Ground) -> None:
    engine = await started(ground)
    assert await engine.stop(nobody) == Done()
    record_of(ground).write_bytes(b"{")
    assert await ground.engine().adopt() == Done()
    observed = await ground.engine().observe()
    assert isinstance(observed, Seen)
    assert all(service.state is not ServiceState.RUNNING for service in observed.services)
