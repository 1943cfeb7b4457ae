"""What is tried before an Admin is handed over, on a real engine with a real registry; nothing that runs is touched.

Source: `site.md` 6, 8; `replacement.md` 7.2; `faults.md` F18, F21, F24.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.labels import SMOKE, set_aside_name
from ems_admin.docker.marks import Mark
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import DigestKind
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress
from tests.docker.replacement.launching import (
    FIRST,
    NEW,
    REPOSITORY,
    Bench,
    forget_image,
    make_image,
    push,
)
from tests.docker.wire import Fault, a_wire

NEW_TAG = f"{REPOSITORY}:new"


async def prepared(bench: Bench, url: str | None = None, **changed: Any) -> Done | EngineFailure:
    return await bench.launcher(url).prepare(evolve(bench.transition, **changed), lambda _progress: None)


def leftovers(bench: Bench) -> list[str]:
    return [row["Id"] for row in bench.api.containers(label=SMOKE)]


def forget(bench: Bench) -> None:
    """Take the new image away, so that it has to be pulled."""
    forget_image(bench.api, NEW_TAG, f"{REPOSITORY}@{bench.transition.admin_digest}")


@pytest.fixture
def new_image(bench: Bench) -> Any:
    """Bring the new image back, whatever the test has done to its name."""
    yield
    bench.engine.registry.ensure_running()
    make_image(bench.api, NEW_TAG, build_id=NEW)
    push(bench.api, NEW_TAG)


async def test_a_target_is_pulled_and_tried_and_the_admin_runs_on(bench: Bench) -> None:
    forget(bench)
    before, steps = bench.api.container(bench.admin), list[Progress]()
    assert await bench.launcher().prepare(bench.transition, steps.append) == Done()
    named = [step.step for step in steps]
    assert list(dict.fromkeys(named)) == ["place", "image", "digest", "smoke"]
    percents = [step.percent for step in steps if step.step == "image" and step.percent is not None]
    assert (percents[0], percents) == (0, sorted(percents))
    assert (leftovers(bench), bench.api.container(bench.admin)) == ([], before)


async def test_an_admin_that_is_no_container_cannot_be_replaced(bench: Bench) -> None:
    for own in (None, "0" * 64):
        answer = await bench.launcher(own=own).prepare(bench.transition, lambda _progress: None)
        assert answer == EngineFailure(code=Code.ADMIN_UNVERIFIABLE)


@pytest.mark.parametrize("binds", [[], ["{root}:/ems"], ["{root}:{root}:ro"]])
async def test_folders_have_to_be_those_of_the_host(bench: Bench, binds: list[str]) -> None:
    said = [bind.format(root=bench.place.install_root) for bind in binds]
    admin = bench.create("admin-elsewhere", HostConfig={"Binds": said})
    answer = await bench.launcher(own=admin).prepare(bench.transition, lambda _progress: None)
    assert answer == EngineFailure(code=Code.INSTALL_ROOT_NOT_HOST_PATH)


async def test_a_registry_that_is_gone_ends_the_pull_with_its_code(bench: Bench, new_image: None) -> None:
    forget(bench)
    bench.engine.registry.stop()
    answer = await prepared(bench)
    assert isinstance(answer, EngineFailure)
    assert answer.code is Code.IMAGE_PULL_NETWORK_ERROR


async def test_a_clock_in_the_past_is_named_before_a_registry_is_asked(bench: Bench, new_image: None) -> None:
    """F18: with both times, and not as a fault of network or image; what is here already needs no registry."""
    assert await prepared(bench) == Done()
    bench.engine.registry.stop()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    hand = bench.launcher(built_at=tomorrow)
    assert await hand.prepare(bench.transition, lambda _progress: None) == Done()
    forget(bench)
    answer = await hand.prepare(bench.transition, lambda _progress: None)
    assert isinstance(answer, EngineFailure)
    assert answer.code is Code.CLOCK_NOT_PLAUSIBLE
    assert str(answer.detail).endswith(tomorrow.isoformat())


async def test_what_was_pulled_is_marked_as_ours_to_clear_away(bench: Bench) -> None:
    """F24: only such an image is ever removed by us, once nobody needs it."""
    mark = Mark(site=bench.place.site, role="admin", build_id=NEW).reference
    assert await prepared(bench) == Done()
    forget_image(bench.api, mark)
    assert await prepared(bench) == Done()
    assert bench.api.image(mark) is None, "it was here already"
    forget(bench)
    assert await prepared(bench) == Done()
    assert bench.api.image(mark) is not None
    forget_image(bench.api, mark)


async def test_an_image_that_is_pruned_after_its_pull_is_missed(bench: Bench, tmp_path: Path, new_image: None) -> None:
    """F21: what the pull has said is not what is here."""
    steps = list[str]()

    def report(progress: Progress) -> None:
        if progress.step == "digest" and "digest" not in steps:
            forget(bench)
        steps.append(progress.step)

    answer = await bench.launcher().prepare(bench.transition, report)
    assert answer == EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail="admin")
    assert "smoke" not in steps


async def test_another_image_of_the_same_tag_never_stands_in(bench: Bench, new_image: None) -> None:
    def report(progress: Progress) -> None:
        if progress.step == "digest":
            forget(bench)
            make_image(bench.api, NEW_TAG, build_id="2.0.0-another")

    answer = await bench.launcher().prepare(bench.transition, report)
    assert answer == EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail="admin")


@pytest.mark.parametrize("changed", [{"build_id": "9"}, {"system_tag": "v9.0.0"}, {"revision": "9" * 40}])
async def test_an_image_that_says_to_be_of_another_build_is_refused(bench: Bench, changed: dict[str, str]) -> None:
    assert await prepared(bench, **changed) == EngineFailure(code=Code.SYSTEM_BUILD_MISMATCH, detail="admin")


async def test_a_local_image_is_compared_by_its_id_alone(bench: Bench) -> None:
    image = make_image(bench.api, "local/admin:dev", build_id=NEW)
    local: dict[str, Any] = {"digest_kind": DigestKind.IMAGE_ID, "admin_image": "local/admin:dev"}
    assert await prepared(bench, **local, admin_digest=image) == Done()
    other = f"sha256:{'0' * 64}"
    mismatch = EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail="admin")
    assert await prepared(bench, **local, admin_digest=other) == mismatch
    absent = EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail="admin")
    assert await prepared(bench, **local | {"admin_image": "local/none:dev"}, admin_digest=other) == absent
    assert await prepared(bench, admin_digest=image) != Done(), "a registry's digest is no image id"
    assert await prepared(bench, digest_kind=DigestKind.PROGRAM_TREE) == absent


async def test_without_the_image_of_the_admin_there_is_no_way_back(bench: Bench, tmp_path: Path) -> None:
    own = bench.api.container(bench.admin)
    assert own is not None
    async with a_wire(bench.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="GET", path=rf"/images/{own['Image']}/json$", refused=(404, "no such image")))
        assert await prepared(bench, wire.url) == EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


async def test_the_name_for_the_old_admin_has_to_be_free(bench: Bench) -> None:
    own = bench.api.container(bench.admin)
    assert own is not None
    aside = set_aside_name(own["Name"].removeprefix("/"), FIRST)
    bench.create(aside)
    assert await prepared(bench) == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=aside)


async def test_the_line_that_names_the_admin_has_to_be_writable(bench: Bench) -> None:
    bench.place.admin_pin.mkdir()  # whoever is root may write every file, but no folder as if it were one
    answer = await prepared(bench)
    assert answer == EngineFailure(code=Code.STATE_WRITE_FAILED, detail="io_error")


async def test_an_engine_that_cannot_be_asked_gives_its_own_code(bench: Bench) -> None:
    assert await prepared(bench, "unix:///nowhere/docker.sock") == EngineFailure(code=Code.DOCKER_SOCKET_NOT_MOUNTED)
