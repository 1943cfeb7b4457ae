"""An update of the Admin as it is shown at each of its places, and whom its resume lets go on (`site.md` 2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from ems_admin.machines.admin_update_progress import AdminUpdateProgress
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.admin_update.status import AdminUpdateStatus, admin_update_status
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.views.console import console
from tests.memory.house import TAG
from tests.workflows.admin_update.newer import (
    B7,
    OLD,
    executing,
    handed_over,
    installed,
    plan_of,
    planned,
    restarted,
    resuming,
    taken_over,
    updated,
)
from tests.workflows.scene import B1, Scene


def shown(scene: Scene) -> AdminUpdateStatus:
    """Look, as the console does as well."""
    status = scene.do(admin_update_status(scene.house))
    assert scene.do(console(scene.house)).admin_update == status
    return status


def begun() -> Scene:
    """The operation is there, and nothing was prepared."""
    scene = planned()
    scene.do(executing(scene))
    return restarted(scene, OLD)


def proven() -> Scene:
    """The new Admin has proved itself and fetched its resources."""
    scene = taken_over(handed_over())
    scene.do(resuming(scene))
    return scene


def called_off() -> Scene:
    scene = begun()
    scene.do(call_off(scene.house, scene.caller, scene.transition.operation_id, confirm=True))
    return scene


def failed() -> Scene:
    scene = proven()
    del scene.site.world.files["/running-ems"]
    scene.refused(resuming(scene))
    return scene


@pytest.mark.parametrize(
    ("place", "state"),
    [
        (installed, None),
        (planned, AdminUpdateProgress.PLANNED),
        (begun, AdminUpdateProgress.ADMIN_UPDATE_STARTED),
        (handed_over, AdminUpdateProgress.ADMIN_UPDATE_STARTED),
        (lambda: taken_over(handed_over()), AdminUpdateProgress.RESUME_READY),
        (proven, AdminUpdateProgress.ADMIN_UPDATE_SUCCEEDED),
        (failed, AdminUpdateProgress.ADMIN_UPDATE_FAILED),
        (updated, AdminUpdateProgress.COMPLETED),
        (called_off, AdminUpdateProgress.CANCELLED),
    ],
)
def test_each_place_has_its_word(place: Callable[[], Scene], state: AdminUpdateProgress | None) -> None:
    scene = place()
    status = shown(scene)
    assert status.state == state
    assert (status.plan is None) is (state is None)
    if status.plan is not None:
        assert status.plan.target_system_tag == TAG
        own = scene.transition.operation_id if plan_of(scene).operation_id is not None else None
        assert status.operation_id == own


def test_why_it_failed_is_told_with_it() -> None:
    status = shown(failed())
    assert status.error is not None
    assert (status.error.code, status.error.detail) == (Code.HEALTHCHECK_FAILED, "not running")


def test_a_plan_that_cannot_be_read_says_so_and_is_not_called_none() -> None:
    scene = planned()
    scene.site.world.files[B7] = b"{"
    status = shown(scene)
    assert (status.state, status.plan) == (None, None)
    assert status.error is not None
    assert status.error.code is Code.WORKFLOW_STATE_MALFORMED


def test_only_the_operation_of_the_plan_is_resumed_here() -> None:
    scene = planned()
    assert scene.refused(resuming(scene, operation_id="f" * 32)).code is Code.OPERATION_MISMATCH
    assert scene.refused(resuming(scene)).code is Code.OPERATION_MISMATCH, "an operation, but of no plan"
    del scene.site.world.files[B1]
    assert scene.refused(resuming(scene, operation_id="f" * 32)).code is Code.NO_TRANSITION
    del scene.site.world.files[B7]
    assert scene.refused(resuming(scene, operation_id="f" * 32)).code is Code.NO_TRANSITION
    done = updated()
    assert done.refused(resuming(done)).code is Code.NOT_RESUMABLE


def test_a_resume_before_the_handover_prepares_and_hands_over() -> None:
    scene = begun()
    scene.do(resuming(scene))
    scene.finish()
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING


def test_elsewhere_it_only_reports() -> None:
    scene = restarted(handed_over(), evolve(OLD, build_id="0.8.0", digest="7" * 64))
    scene.do(resuming(scene))
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
