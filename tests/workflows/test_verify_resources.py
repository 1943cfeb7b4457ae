"""Verifying resources again: one import at a time, and a claim of a dead process is taken over (`site.md` 3)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.jobs import Job
from tests.workflows.places import begun, fetched
from tests.workflows.scene import B1, Scene


def verifying(scene: Scene, **changes: Any) -> Coroutine[Any, Any, Job]:
    operation_id = changes.get("operation_id", ...)
    return verify(scene.house, scene.caller, scene.transition.operation_id if operation_id is ... else operation_id)


def test_a_job_brings_the_resources_and_the_operation_goes_on() -> None:
    scene = begun()
    job = scene.job(verifying(scene))
    assert (job.kind, job.error) == (WorkKind.TRANSITION_RESUME, None)
    assert scene.stage is Stage.RESOURCES_VERIFIED


def test_the_stale_claim_of_a_dead_process_is_taken_over() -> None:
    scene = begun()
    scene.do(verifying(scene))
    while scene.transition.resources_claimed_at is None:
        scene._step(scene.site.tasks.running[0])
    after = scene.restart()
    assert after.transition.resources_claimed_at is not None
    assert after.job(verifying(after)).error is None
    assert after.stage is Stage.RESOURCES_VERIFIED


def test_a_live_import_is_the_answer_of_the_operation_itself() -> None:
    scene = begun()
    scene.until(scene.resuming(), lambda _mark: bool(scene.site.tasks.started))
    assert scene.refused(verifying(scene)).code is Code.MUTATION_IN_PROGRESS
    scene.finish()
    assert scene.stage is Stage.RESOURCES_VERIFIED


def test_two_clicks_are_one_import() -> None:
    scene = begun()
    first = scene.do(verifying(scene))
    assert scene.do(verifying(scene)) is first


def test_work_of_another_kind_is_named() -> None:
    scene = begun()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    assert scene.refused(verifying(scene)).code is Code.WORK_IN_PROGRESS


@pytest.mark.parametrize("stage", [Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING, Stage.ADMIN_UPDATE_PENDING])
def test_elsewhere_there_is_nothing_to_verify(stage: Stage) -> None:
    scene = fetched()
    scene.put(B1, evolve(scene.transition, stage=stage))
    before = scene.files
    refusal = scene.refused(verifying(scene))
    assert (refusal.code, refusal.detail) == (Code.INVALID_TRANSITION, stage)
    assert scene.files == before


def test_the_exact_operation_is_named() -> None:
    scene = begun()
    assert scene.refused(verifying(scene, operation_id="f" * 32)).code is Code.OPERATION_MISMATCH
    assert scene.refused(verifying(scene, operation_id=None)).code is Code.OPERATION_MISMATCH
