"""The short trial of an image: it says which build it is, touches nothing, and leaves nothing behind.

Source: `replacement.md` 7.2; `faults.md` F20, F42.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ems_admin.docker.labels import SITE, SMOKE
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import DigestKind
from ems_admin.workflows.ports.engine import Done, EngineFailure
from tests.docker.replacement.launching import FIRST, NEW, PROGRAM, SECOND, Bench, make_image
from tests.docker.replacement.test_launcher_preparing import leftovers, prepared
from tests.docker.wire import Fault, a_wire
from tests.e2e.deadline import until

CORRUPT = {
    "it says to be another build": (None, "1.0.0-other", None),
    "its program is no program": ("\x7fELF and nothing else", None, 1),
    "it ends badly": (PROGRAM.replace("cat /version", "cat /version; echo token=hush; exit 3"), None, 3),
}


@pytest.mark.parametrize("case", CORRUPT)
async def test_an_image_that_does_not_say_who_it_is_is_refused(bench: Bench, case: str) -> None:
    """F20: before anything is stopped."""
    program, said, code = CORRUPT[case]
    image = make_image(bench.api, "local/corrupt:1", build_id=NEW, said=said, program=program or PROGRAM)
    answer = await prepared(bench, digest_kind=DigestKind.IMAGE_ID, admin_image="local/corrupt:1", admin_digest=image)
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.exit_code) == (Code.IMAGE_SMOKE_FAILED, code)
    assert "hush" not in (answer.message or "")
    assert leftovers(bench) == []


async def test_an_image_that_never_answers_is_given_up(bench: Bench) -> None:
    image = make_image(bench.api, "local/corrupt:2", build_id=NEW, program="#!/bin/sh\nexec sleep 100000\n")
    answer = await prepared(bench, digest_kind=DigestKind.IMAGE_ID, admin_image="local/corrupt:2", admin_digest=image)
    assert answer == EngineFailure(code=Code.IMAGE_SMOKE_FAILED, detail="timeout")
    assert leftovers(bench) == []


async def test_a_trial_has_no_network_no_mounts_and_nothing_to_write(bench: Bench, tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    async def look() -> None:
        (trial,) = leftovers(bench)
        seen.append(bench.api.container(trial) or {})

    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=r"/start$", before=look))
        assert await prepared(bench, wire.url) == Done()
    (trial,) = seen
    host = trial["HostConfig"]
    assert (trial["Name"], trial["Mounts"], host["NetworkMode"]) == (f"/ems-admin-smoke-{FIRST}", [], "none")
    assert (host["ReadonlyRootfs"], host["RestartPolicy"]["Name"], host["CapDrop"]) == (True, "no", ["ALL"])
    assert trial["Config"]["Labels"][SITE] == bench.place.site


async def test_what_a_cut_trial_has_left_is_removed_by_the_next_one(bench: Bench) -> None:
    left = bench.create(f"ems-admin-smoke-{FIRST}", Labels={SITE: bench.place.site, SMOKE: FIRST})
    assert await prepared(bench) == Done()
    assert (bench.api.container(left), leftovers(bench)) == (None, [])


async def test_what_a_cut_trial_has_left_goes_with_its_operation(bench: Bench) -> None:
    """F42: a start clears it once the operation is over, whether its Admin was tried again or not."""
    left = bench.create(f"ems-admin-smoke-{FIRST}", Labels={SITE: bench.place.site, SMOKE: FIRST})
    other = bench.create("another-trial", Labels={SITE: bench.place.site, SMOKE: SECOND})
    assert await bench.launcher().forget(FIRST) == Done()
    assert (bench.api.container(left), leftovers(bench)) == (None, [other])


async def test_a_stranger_under_the_name_of_a_trial_stays(bench: Bench) -> None:
    stranger = bench.create(f"ems-admin-smoke-{FIRST}")
    answer = await prepared(bench)
    assert answer == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=f"ems-admin-smoke-{FIRST}")
    assert bench.api.container(stranger) is not None


async def test_a_cancelled_trial_leaves_no_container(bench: Bench) -> None:
    image = make_image(bench.api, "local/corrupt:2", build_id=NEW, program="#!/bin/sh\nexec sleep 100000\n")
    local = {"digest_kind": DigestKind.IMAGE_ID, "admin_image": "local/corrupt:2", "admin_digest": image}
    work = asyncio.create_task(prepared(bench, **local))
    await asyncio.to_thread(until, lambda: leftovers(bench), "a trial is made")
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert leftovers(bench) == []
