"""Images come from a real registry by their digests; what stands in the way is told by its code.

Source: `site.md` 6, 8; `faults.md` F18, F22, F23, F24, F44.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.credentials import Credentials
from ems_admin.docker.marks import Mark
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel, ImagePin
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure
from tests.docker.ground import QUICK, Ground, deployment, moved, pinned, quietly
from tests.docker.registries import HANGS_UP, SILENT, a_registry_that
from tests.docker.wire import Fault, a_wire
from tests.lab.registry import ADDRESS, PASSWORD, USER


@pytest.fixture
def absent(ground: Ground) -> Deployment:
    """A deployment whose image lies in the registry alone."""
    build = ground.lab.builds["newer"]
    forget(ground, pinned(build))
    return deployment(build)


def forget(ground: Ground, reference: str) -> None:
    image = ground.lab.api.image(reference)
    assert image is not None
    ground.lab.api.ask("DELETE", f"images/{image['Id']}", force="1")


def failure(outcome: Done | EngineFailure) -> Code:
    assert isinstance(outcome, EngineFailure)
    return outcome.code


async def test_an_image_comes_with_a_percentage_that_never_falls(ground: Ground, absent: Deployment) -> None:
    assert await ground.engine().fetch(absent, ground.report) == Done()
    percents = [one.percent for one in ground.reported if one.percent is not None]
    assert percents == sorted(percents)
    assert percents[-1] == 100
    assert {one.step for one in ground.reported} == {"fetch"}
    assert any("layers" in (one.detail or "") for one in ground.reported)
    assert ground.lab.api.image(pinned(ground.lab.builds["newer"])) is not None


async def test_only_what_was_pulled_is_marked_as_ours(ground: Ground, absent: Deployment) -> None:
    here = ground.lab.builds["good"]
    assert await ground.engine().fetch(deployment(here), quietly) == Done()
    assert await ground.engine().fetch(absent, quietly) == Done()
    ids = [here.identity.build_id, absent.manifest.build_id]
    marks = [Mark(site=ground.place.site, role="ems", build_id=one).reference for one in ids]
    assert [ground.lab.api.image(mark) is not None for mark in marks] == [False, True]


async def test_what_is_here_is_not_asked_for_anywhere(ground: Ground) -> None:
    ground.lab.registry.stop()
    assert await ground.engine().fetch(deployment(ground.lab.builds["good"]), quietly) == Done()


async def test_a_registry_that_is_gone_is_a_fault_of_the_network(ground: Ground, absent: Deployment) -> None:
    ground.lab.registry.stop()
    assert failure(await ground.engine().fetch(absent, quietly)) is Code.IMAGE_PULL_NETWORK_ERROR


async def test_a_registry_that_dies_within_a_layer_fails_the_pull_inside_its_stream(ground: Ground) -> None:
    forget(ground, pinned(ground.lab.builds["newer"]))
    with a_registry_that(HANGS_UP, ground.lab.plot) as address:
        meant = deployment(moved(ground.lab.builds["newer"], f"{address}/ems-admin/ems"))
        outcome = await ground.engine().fetch(meant, quietly)
    assert failure(outcome) is Code.IMAGE_PULL_NETWORK_ERROR


async def test_a_login_that_is_missing_or_wrong_is_denied_and_the_right_one_works(
    ground: Ground, absent: Deployment, tmp_path: Path
) -> None:
    ground.lab.registry.stop()
    ground.lab.registry.start(login=True)

    async def fetched(password: str | None) -> Done | EngineFailure:
        auth = base64.b64encode(f"{USER}:{password}".encode()).decode()
        file = tmp_path / "config.json"
        file.write_text(json.dumps({"auths": {ADDRESS: {"auth": auth}} if password else {}}))
        return await ground.engine(credentials=Credentials(file)).fetch(absent, quietly)

    assert failure(await fetched(None)) is Code.IMAGE_PULL_DENIED
    assert failure(await fetched("wrong")) is Code.IMAGE_PULL_DENIED
    assert await fetched(PASSWORD) == Done()


async def test_an_older_image_of_the_same_tag_never_stands_in(ground: Ground, absent: Deployment) -> None:
    good, newer = ground.lab.builds["good"], ground.lab.builds["newer"]
    name, _, tag = str(newer.ems.image).rpartition(":")
    ground.lab.api.ask("POST", f"images/{pinned(good)}/tag", repo=name, tag=tag)
    ground.lab.registry.stop()
    assert failure(await ground.engine().fetch(absent, quietly)) is Code.IMAGE_PULL_NETWORK_ERROR


async def test_a_digest_that_the_registry_does_not_know_is_unavailable(ground: Ground) -> None:
    build = ground.lab.builds["newer"]
    unknown = evolve(build, ems=ImagePin(image=build.ems.image, digest=f"sha256:{'0' * 63}1"))
    assert failure(await ground.engine().fetch(deployment(unknown), quietly)) is Code.IMAGE_UNAVAILABLE


async def test_an_image_of_another_build_is_refused(ground: Ground) -> None:
    good, newer = ground.lab.builds["good"], ground.lab.builds["newer"]
    outcome = await ground.engine().fetch(deployment(evolve(good, ems=newer.ems)), quietly)
    assert failure(outcome) is Code.SYSTEM_BUILD_MISMATCH


async def test_a_pull_without_progress_ends(ground: Ground) -> None:
    with a_registry_that(SILENT, ground.lab.plot) as address:
        engine = ground.engine(limits=evolve(QUICK, pull=timedelta(milliseconds=300)))
        outcome = await engine.fetch(deployment(moved(ground.lab.builds["newer"], f"{address}/ems")), quietly)
    assert failure(outcome) is Code.IMAGE_PULL_STALLED


async def test_a_pull_whose_answer_is_lost_is_settled_by_looking(ground: Ground, absent: Deployment) -> None:
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="POST", path="/images/create$", silenced=True))
        assert await ground.engine(daemon=ground.daemon(wire.url)).fetch(absent, quietly) == Done()


async def test_a_clock_in_the_past_is_named_before_a_registry_is_asked(ground: Ground, absent: Deployment) -> None:
    ground.lab.registry.stop()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    engine = ground.engine(built_at=lambda: tomorrow)
    assert failure(await engine.fetch(absent, quietly)) is Code.CLOCK_NOT_PLAUSIBLE
    assert await engine.fetch(deployment(ground.lab.builds["good"]), quietly) == Done()


async def test_a_local_build_is_found_by_its_image_id_and_never_pulled(ground: Ground) -> None:
    build = ground.lab.builds["good"]
    image: Any = ground.lab.api.image(pinned(build))
    meant = deployment(evolve(build, ems=ImagePin(image="local/ems:1", digest=image["Id"])))
    local = evolve(meant, manifest=evolve(meant.manifest, channel=Channel.LOCAL))
    ground.lab.registry.stop()
    assert await ground.engine().fetch(local, quietly) == Done()
    gone = evolve(
        local, manifest=evolve(local.manifest, ems=ImagePin(image="local/ems:1", digest=f"sha256:{'0' * 64}"))
    )
    assert failure(await ground.engine().fetch(gone, quietly)) is Code.IMAGE_UNAVAILABLE
