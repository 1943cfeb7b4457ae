"""The name of an updater is taken: by itself, by a stranger, by nobody who is found, by somebody who cannot be asked.

Source: `faults.md` D9, F31, F32.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import UpdaterState
from tests.docker.replacement.launching import FIRST, SECOND, Bench, a_launch
from tests.docker.wire import Fault, a_wire

INSPECT = r"/containers/[0-9a-f]{64}/json$"
SILENT = EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="engine")
NAME = a_launch().container


async def test_a_holder_of_this_very_attempt_is_its_own(bench: Bench) -> None:
    updater = bench.lay_updater()
    hand = bench.launcher()
    assert await hand.create(a_launch()) == Done()
    assert await hand.start(a_launch()) == Done()
    assert bench.updater()["Id"] == updater


async def test_a_stranger_stays_untouched_and_is_named(bench: Bench) -> None:
    stranger = bench.start(bench.create(NAME))
    before = bench.api.container(stranger)
    hand = bench.launcher()
    assert await hand.create(a_launch()) == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=NAME)
    assert (await hand.look(FIRST, 1, claimed=False)).state is UpdaterState.ABSENT, "a name proves nothing"
    assert bench.api.container(stranger) == before
    assert await hand.create(a_launch(2)) == Done(), "a new attempt has a new name"


async def test_an_updater_of_another_attempt_under_this_name_is_a_stranger(bench: Bench) -> None:
    updater = bench.lay_updater(operation_id=SECOND)
    bench.api.ask("POST", f"containers/{updater}/rename", name=NAME)
    assert await bench.launcher().create(a_launch()) == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=NAME)


async def test_a_holder_that_cannot_be_inspected_settles_nothing(bench: Bench, tmp_path: Path) -> None:
    bench.create(NAME)
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        # The first such look is at the own container.
        wire.meets(Fault(method="GET", path=rf"/containers/(?!{bench.admin})[0-9a-f]{{64}}/json$", refused=(500, "no")))
        assert await bench.launcher(wire.url).create(a_launch()) == SILENT


async def test_a_name_that_is_kept_for_nobody_is_waited_for(bench: Bench, tmp_path: Path) -> None:
    stranger = bench.create(NAME)

    async def remove() -> None:
        await asyncio.to_thread(bench.api.remove, stranger)

    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="GET", path=rf"/containers/{stranger}/json$", before=remove))
        assert await bench.launcher(wire.url).create(a_launch()) == Done()
        assert sum("/containers/create" in line for line in wire.sent) == 2
    assert bench.updater()["Name"] == f"/{NAME}"


async def test_a_name_that_stays_kept_for_nobody_is_no_outcome(bench: Bench, tmp_path: Path) -> None:
    stranger = bench.create(NAME)
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        look = rf"/containers/{stranger}/json$"
        wire.meets(Fault(method="GET", path=look, refused=(404, "no such container"), times=1000))
        assert await bench.launcher(wire.url).create(a_launch()) == SILENT
    assert bench.updaters() == []
