"""A worker is bound to the workflow that it was accepted for, and no claim outlives its work (`seed 000` 5.4)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import NO_ARTIFACTS, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.jobs import JobStatus
from tests.memory.outside import RUNNING
from tests.memory.world import Call
from tests.workflows.deploying import code_of
from tests.workflows.places import opened, prepared, written
from tests.workflows.scene import B0, B4, B5, Scene


def another_workflow(scene: Scene) -> bytes:
    """Let B0 be of another workflow by now; give its bytes."""
    scene.put(B0, evolve(scene.setup, workflow_id="w" * 43, artifacts=NO_ARTIFACTS, preview=None))
    return scene.files[B0]


def test_a_start_whose_workflow_is_another_by_now_starts_nothing() -> None:
    """6.3.3: it resolved its workflow once and carries it; the start of the EMS is never somebody else's."""
    scene = prepared()
    job = scene.do(scene.starting())
    replaced = another_workflow(scene)
    scene.finish()
    assert (job.status, code_of(job)) == (JobStatus.FAILED, Code.SETUP_WORKFLOW_NOT_ACTIVE)
    assert (RUNNING in scene.files, B5 in scene.files, scene.files[B0]) == (False, False, replaced)
    assert scene.stage is Stage.EMS_OPERATION_PENDING
    assert scene.house.work.holder is None


def test_a_start_that_loses_its_workflow_half_way_makes_no_build_known_good() -> None:
    """`site.md` 2: B0 is read again before each durable step. `seed 000` 2.4."""
    scene = prepared()
    job = scene.do(scene.starting())
    while RUNNING not in scene.files:
        scene.site.tasks.running[0].step()
    replaced = another_workflow(scene)
    scene.finish()
    assert (job.status, code_of(job)) == (JobStatus.FAILED, Code.SETUP_WORKFLOW_NOT_ACTIVE)
    assert (B5 in scene.files, scene.files[B0]) == (False, replaced)
    assert scene.stage is not Stage.COMPLETED


def test_a_fetch_whose_workflow_is_another_by_now_imports_nothing() -> None:
    """`site.md` 2: a worker that comes late never starts."""
    scene = opened()
    job = scene.do(scene.fetching())
    replaced, operation = another_workflow(scene), scene.transition
    scene.finish()
    assert (job.status, code_of(job)) == (JobStatus.FAILED, Code.SETUP_WORKFLOW_NOT_ACTIVE)
    assert (scene.transition, B4 in scene.files, scene.files[B0]) == (operation, False, replaced)
    assert not [name for name in scene.files if name.startswith("releases/")]


class Broken:
    """A part of the house at which the program itself breaks."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)


@pytest.mark.parametrize(("act", "part"), [("abandoning", "launcher"), ("preparing", "setup_files")])
def test_a_fault_of_the_program_leaves_no_claim_behind(act: str, part: str) -> None:
    """Claims release on success and on exception alike; a termination that changed nothing leaves it mutable."""
    scene = written()
    whole, before = scene.house, scene.files
    scene.house = evolve(whole, **{part: Broken()})  # type: ignore[arg-type]  # a part by name
    with pytest.raises(ZeroDivisionError):
        scene.do(getattr(scene, act)())
    assert (scene.house.work.holder, scene.files) == (None, before)
    assert scene.setup.status is WorkflowStatus.ACTIVE
    scene.house = whole
    scene.do(scene.writing(overwrite=True))


def test_the_completion_ends_the_carried_workflow_and_never_whichever_is_stored() -> None:
    """2.4: also when B0 becomes another one between the last look and the commit, and names the same operation."""
    scene = prepared()
    job = scene.do(scene.starting())
    while scene.site.tasks.running[0].step() != Call(f"commit {B5}"):
        pass
    replaced = another_workflow(scene)
    scene.finish()
    assert (job.status, code_of(job)) == (JobStatus.FAILED, Code.SETUP_WORKFLOW_NOT_ACTIVE)
    assert scene.files[B0] == replaced
