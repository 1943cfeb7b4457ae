"""The deployment as it is shown: what is in the way, and what can be done about it (`http.md` 5.4; `site.md` 8)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.http.shown import shown
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import REMOVE, REPLACE
from ems_admin.workflows.deployment.view import DeploymentStatus, deployment_status
from ems_admin.workflows.ports.engine import ContainerConflict, EngineFailure
from tests.workflows.places import prepared
from tests.workflows.scene import Scene
from tests.workflows.test_conflicts import STRANGER

NAME_TAKEN = EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail="ems")


def look(scene: Scene) -> DeploymentStatus:
    return scene.do(deployment_status(scene.house))


def in_the_way(**changes: Any) -> tuple[Scene, ContainerConflict]:
    scene = prepared()
    conflict = evolve(STRANGER, **changes)
    scene.engine.conflicts.append(conflict)
    return scene, conflict


def test_nothing_is_in_the_way_of_a_prepared_ems() -> None:
    assert look(prepared()).conflict is None


def test_a_container_in_the_way_is_shown_before_anybody_has_started() -> None:
    scene, conflict = in_the_way()
    view = look(scene).conflict
    assert view is not None
    assert view.conflict == conflict


@pytest.mark.parametrize(
    ("changes", "against"),
    [
        ({}, {REMOVE: None, REPLACE: None}),
        ({"safe_fix_available": False}, {REMOVE: Code.CONTAINER_NOT_STOPPED, REPLACE: None}),
        ({"replace_available": False}, {REMOVE: None, REPLACE: Code.SELECTED_IMAGE_MISSING}),
    ],
)
def test_each_answer_stands_beside_what_the_route_would_refuse_it_with(changes: Any, against: Any) -> None:
    scene, _ = in_the_way(**changes)
    view = look(scene).conflict
    assert view is not None
    assert {answer.action: answer.refusal and answer.refusal.code for answer in view.actions} == against


def test_an_engine_that_cannot_be_asked_shows_no_conflict_and_itself_as_unknown() -> None:
    scene, _ = in_the_way()
    scene.engine.reachable = False
    status = look(scene)
    assert (status.conflict, status.engine.ready) == (None, False)


def test_the_name_that_a_start_has_failed_by_is_looked_at_even_when_no_service_needs_it_now() -> None:
    scene = prepared()
    scene.engine.fails["start"] = NAME_TAKEN
    assert scene.job(scene.starting()).error is not None
    scene.engine.only_by_name.append(STRANGER)
    view = look(scene).conflict
    assert view is not None
    assert view.conflict == STRANGER


def test_the_conflict_is_shown_flat_with_the_answers_beside_it() -> None:
    scene, conflict = in_the_way(safe_fix_available=False)
    told = shown(look(scene))["conflict"]
    assert told.pop("actions") == [
        {
            "action": "remove_stopped_and_continue",
            "enabled": False,
            "reason": {
                "code": "container_not_stopped",
                "message": "The container that is in the way is running, so it is not removed. Stop it, or choose to "
                "replace it.",
                "detail": None,
            },
        },
        {"action": "replace_running_and_continue", "enabled": True, "reason": None},
    ]
    assert told == {
        "container_name": "ems",
        "container_id": "c1",
        "image": "old",
        "status": "exited",
        "selected_image": None,
        "image_mismatch": True,
        "replace_available": True,
        "safe_fix_available": False,
    } | {"container_name": conflict.container_name}
