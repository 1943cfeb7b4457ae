"""A container in the way, and the one retry (`site.md` 1.12, 8; `seed 000` 2.4; `faults.md` D1)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.alignment.facts import LiveConflict
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import (
    CONFLICT_CLEARING,
    REMOVE,
    REPLACE,
    ConflictAction,
    Decision,
    InTheWay,
    Replacement,
)
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.deployment.conflicts import Resolved, resolve_conflict
from ems_admin.workflows.ports.engine import ContainerConflict
from tests.machines.verdicts import unused
from tests.workflows.places import prepared
from tests.workflows.scene import B1, B3, Scene

STRANGER = ContainerConflict(
    container_name="ems",
    container_id="c1",
    image="old",
    status="exited",
    selected_image=None,
    image_mismatch=True,
    replace_available=True,
    safe_fix_available=True,
)


def resolving(scene: Scene, action: ConflictAction = REMOVE, name: str = "ems") -> Coroutine[Any, Any, Resolved]:
    return resolve_conflict(scene.house, scene.caller, scene.workflow_id, container_name=name, action=action)


def failed_by_a_conflict(**failure: Any) -> Scene:
    scene = prepared()
    facts = {
        "stage": Stage.FAILED_RECOVERABLE,
        "failed_stage": Stage.EMS_OPERATION_RUNNING,
        "resume_stage": Stage.EMS_OPERATION_PENDING,
        "error_code": Code.CONTAINER_NAME_CONFLICT,
    } | failure
    scene.put(B1, evolve(scene.transition, **facts))
    scene.engine.conflicts.append(STRANGER)
    return scene


@pytest.mark.parametrize("action", ConflictAction)
def test_natively_whatever_was_shown_has_changed(action: ConflictAction) -> None:
    scene = failed_by_a_conflict()
    scene.engine.conflicts.clear()
    before = scene.files
    assert scene.refused(resolving(scene, action)).code is Code.CONTAINER_CONFLICT_CHANGED
    assert scene.files == before


@pytest.mark.parametrize("action", ConflictAction)
def test_the_one_failure_is_lifted_and_start_goes_on(action: ConflictAction) -> None:
    scene = failed_by_a_conflict()
    done = scene.do(resolving(scene, action))
    assert (done.removed, done.replaced, done.conflict, done.goes_on) == (
        action is REMOVE,
        action is REPLACE,
        None,
        True,
    )
    assert scene.stage is Stage.EMS_OPERATION_PENDING
    assert scene.job(scene.starting()).error is None


def test_the_next_conflict_is_told() -> None:
    scene = failed_by_a_conflict()
    second = evolve(STRANGER, container_name="other")
    scene.engine.conflicts.append(second)
    done = scene.do(resolving(scene))
    assert (done.conflict, done.goes_on) == (second, False)


@pytest.mark.parametrize(
    "failure",
    [
        {"error_code": Code.EMS_START_FAILED},
        {"failed_stage": Stage.HEALTHCHECK_PENDING},
        {"failed_stage": Stage.RESOURCES_VERIFIED, "resume_stage": Stage.RESOURCES_VERIFIED},
    ],
)
def test_it_takes_no_other_edge(failure: dict[str, Any]) -> None:
    """Exactly one failure is lifted here."""
    scene = failed_by_a_conflict(**failure)
    before = scene.files
    assert scene.refused(resolving(scene)).code is Code.SYSTEM_ALIGNMENT_INCOMPLETE
    assert (scene.files, scene.engine.conflicts) == (before, [STRANGER])


@pytest.mark.parametrize("stage", [Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING])
def test_where_a_start_is_possible_the_operation_is_not_moved(stage: Stage) -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=stage))
    scene.engine.conflicts.append(STRANGER)
    before = scene.files
    assert scene.do(resolving(scene)).removed is True
    assert scene.files == before


@pytest.mark.parametrize(
    ("changes", "action", "code"),
    [
        ({"safe_fix_available": False}, REMOVE, Code.CONTAINER_NOT_STOPPED),
        ({"replace_available": False}, REPLACE, Code.SELECTED_IMAGE_MISSING),
    ],
)
def test_what_does_not_fit_the_container_is_not_done(changes: dict[str, Any], action: Any, code: Code) -> None:
    scene = failed_by_a_conflict()
    scene.engine.conflicts[:] = [evolve(STRANGER, **changes)]
    before = scene.files
    assert scene.refused(resolving(scene, action)).code is code
    assert (scene.files, len(scene.engine.conflicts)) == (before, 1)


def test_an_engine_that_cannot_be_asked_permits_nothing() -> None:
    scene = failed_by_a_conflict()
    scene.engine.reachable = False
    before = scene.files
    assert scene.refused(resolving(scene)).code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.files == before


def test_the_marker_is_this_workflows() -> None:
    scene = failed_by_a_conflict()
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))
    assert scene.refused(resolving(scene)).code is Code.DEPLOYMENT_MARKER_INVALID
    assert scene.engine.conflicts == [STRANGER]


def test_no_row_of_the_table_is_left_unused() -> None:
    asked = [Decision(l, a, d, r) for l in LiveConflict for a in ConflictAction for d in InTheWay for r in Replacement]  # noqa: E741
    assert unused(CONFLICT_CLEARING, asked) == []
