"""What is kept of the builds once an operation has completed (`site.md` 4, B8; `faults.md` F24)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN, TAG
from tests.workflows.places import prepared
from tests.workflows.scene import B4, Scene


def with_older_builds(*tags: str) -> Scene:
    scene = prepared()
    for tag in tags:
        scene.site.world.files[f"releases/{tag}/manifest.json"] = b"{}"
    return scene


def cached(scene: Scene) -> set[str]:
    return {name.split("/")[1] for name in scene.files if name.startswith("releases/")}


def test_known_good_selected_installed_and_one_more_stay() -> None:
    scene = with_older_builds("v0.1.0", "v0.2.0", "v0.3.0")
    assert scene.job(scene.starting()).error is None
    assert cached(scene) == {TAG, "v0.3.0"}
    assert scene.engine.pruned == [frozenset({OWN.build_id, "0.3.0"})]


def test_a_selection_is_kept_beside_the_one_more() -> None:
    scene = with_older_builds("v0.1.0", "v0.2.0", "v0.3.0")
    start = scene.starting()
    job = scene.do(start)
    scene.put(B4, SelectedRelease(tag="v0.1.0", source="catalogue"))
    scene.finish()
    assert job.error is None
    assert cached(scene) == {TAG, "v0.1.0", "v0.3.0"}


def test_nothing_goes_before_an_operation_has_completed() -> None:
    scene = with_older_builds("v0.1.0", "v0.2.0")
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    assert scene.job(scene.starting()).error is not None
    assert cached(scene) == {TAG, "v0.1.0", "v0.2.0"}
    assert scene.engine.pruned == []


@pytest.mark.parametrize("name", [B4])
def test_a_record_that_cannot_be_read_keeps_everything(name: str) -> None:
    scene = with_older_builds("v0.1.0", "v0.2.0")
    scene.site.world.files[name] = b"{"
    assert scene.job(scene.starting()).error is None
    assert cached(scene) == {TAG, "v0.1.0", "v0.2.0"}


def test_an_admin_of_another_build_keeps_its_own() -> None:
    scene = with_older_builds("v0.1.0", "v0.2.0")
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OWN, system_tag="v0.1.0", build_id="0.1.0")))
    assert scene.job(scene.starting()).error is None
    assert cached(scene) == {TAG, "v0.1.0", "v0.2.0"}
