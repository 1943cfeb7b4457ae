"""Giving what was prepared back to who runs the EMS (`seed 000` 2.4; `http.md` 5.3; `faults.md` F13)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.deployment.permissions import Repaired, repair_permissions
from ems_admin.workflows.ports.files import DirectoryVerdict
from tests.memory.files import MemoryInstallation
from tests.workflows.places import prepared, running, written
from tests.workflows.scene import B1, B3, Scene


def repairing(scene: Scene, **changes: Any) -> Coroutine[Any, Any, Repaired]:
    return repair_permissions(scene.house, scene.caller, changes.get("workflow_id", scene.workflow_id))


def test_what_was_damaged_is_named_once() -> None:
    scene = prepared()
    scene.site.world.damaged |= {"data", "config/config.json"}
    before = scene.files
    assert scene.do(repairing(scene)).repaired == ("config/config.json", "data")
    assert scene.do(repairing(scene)).repaired == ()
    assert scene.files == before, "no content changes"


def test_what_belongs_to_somebody_else_is_told() -> None:
    scene = prepared()
    verdict = DirectoryVerdict(code=Code.WORKSPACE_PERMISSION_DENIED, detail="data/x is 0:0, running as 1000:1000")
    scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, foreign=verdict))
    refusal = scene.refused(repairing(scene))
    assert (refusal.code, refusal.detail) == (Code.WORKSPACE_PERMISSION_DENIED, verdict.detail)
    assert scene.house.work.holder is None


def test_a_config_that_cannot_be_written_is_what_it_is_for_and_other_data_is_not() -> None:
    scene = prepared()
    scene.site.world.damaged.add("config")
    for code, met in ((Code.CONFIG_NOT_WRITABLE, None), (Code.ADMIN_DATA_NOT_WRITABLE, Code.ADMIN_DATA_NOT_WRITABLE)):
        verdict = DirectoryVerdict(code=code, detail="")
        scene.house = evolve(scene.house, installation=MemoryInstallation(scene.site.world, verdict=verdict))
        if met is None:
            assert scene.do(repairing(scene)).repaired == ("config",)
        else:
            assert scene.refused(repairing(scene)).code is met


def no_marker(scene: Scene) -> None:
    del scene.site.world.files[B3]


def broken_marker(scene: Scene) -> None:
    scene.site.world.files[B3] = b"{"


def foreign_marker(scene: Scene) -> None:
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))


def another_release(scene: Scene) -> None:
    scene.put(B3, evolve(scene.marker, release="v9.9.9"))


def too_early(scene: Scene) -> None:
    scene.put(B1, evolve(scene.transition, stage=Stage.ADMIN_ALIGNED))


SPOILT: tuple[tuple[Callable[[Scene], None], Code], ...] = (
    (no_marker, Code.DEPLOYMENT_NOT_PREPARED),
    (broken_marker, Code.DEPLOYMENT_MARKER_INVALID),
    (foreign_marker, Code.DEPLOYMENT_MARKER_INVALID),
    (another_release, Code.DEPLOYMENT_MARKER_INVALID),
    (too_early, Code.SYSTEM_ALIGNMENT_INCOMPLETE),
)


@pytest.mark.parametrize(("spoil", "code"), SPOILT, ids=lambda item: getattr(item, "__name__", item))
def test_only_what_this_workflow_prepared_is_repaired(spoil: Callable[[Scene], None], code: Code) -> None:
    """2.4: via B3 owner match; `site.md` 1.12."""
    scene = prepared()
    spoil(scene)
    scene.site.world.damaged.add("data")
    assert scene.refused(repairing(scene)).code is code
    assert scene.site.world.damaged == {"data"}


@pytest.mark.parametrize(
    ("given", "code"), [(None, Code.SETUP_WORKFLOW_REQUIRED), ("w" * 43, Code.SETUP_WORKFLOW_NOT_ACTIVE)]
)
def test_the_workflow_is_named_exactly(given: str | None, code: Code) -> None:
    scene = prepared()
    assert scene.refused(repairing(scene, workflow_id=given)).code is code


def test_it_is_a_mutation_like_any_other() -> None:
    """5.4: never beside another one, never once the workflow is being ended or is over."""
    scene = prepared()
    entry = scene.house.work.begin(WorkKind.CONFIG_WRITE).entry
    assert scene.refused(repairing(scene)).code is Code.SETUP_OPERATION_IN_PROGRESS
    scene.house.work.release(entry.id)
    work = scene.abandoning()
    scene.until(work, lambda _mark: scene.house.work.is_ending)
    assert scene.refused(repairing(scene)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    scene.do(work)
    assert scene.refused(repairing(scene)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    done = running()
    assert done.refused(repairing(done)).code is Code.SETUP_WORKFLOW_NOT_ACTIVE


def test_before_anything_is_prepared_there_is_nothing_to_repair() -> None:
    scene = written()
    assert scene.refused(repairing(scene)).code is Code.DEPLOYMENT_NOT_PREPARED
