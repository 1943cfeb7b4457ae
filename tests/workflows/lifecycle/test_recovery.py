"""Safe recovery: normal ends in their order, and nothing beside what cannot be read (`seed 000` 7.4, 7.6)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode, SafeAction
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.arbiter.recovering import (
    Recovered,
    RecoveryPreview,
    RecoveryRequest,
    preview_recovery,
    recover,
)
from tests.workflows.lifecycle.classes import Stored, stand
from tests.workflows.places import written
from tests.workflows.scene import B0, B1, B6, PowerCut, Scene


def preview(scene: Scene) -> RecoveryPreview:
    return scene.do(preview_recovery(scene.house))


def recovering(scene: Scene, mode: Mode = Mode.SAFE, **changes: Any) -> Coroutine[Any, Any, Recovered]:
    asked: dict[str, Any] = {"fingerprint": None, "confirm": True, "reason": "a test"} | changes
    if "fingerprint" not in changes:
        asked["fingerprint"] = preview(scene).view.fingerprint
    return recover(scene.house, scene.caller, RecoveryRequest(mode=mode, **asked))


def test_in_a_conflict_the_operation_goes_first_and_then_the_setup() -> None:
    """Seed 000 7.4: cancel, clear that operation's context, terminalize the Setup."""
    scene = stand(Stored("active", "guided_upgrade at resources_verified", "of the operation"))
    done = scene.do(recovering(scene))
    assert done.actions == (SafeAction.TRANSITION_CANCEL, SafeAction.SETUP_CLEANUP, SafeAction.UPGRADE_CONTEXT_CLEAR)
    assert (scene.stage, scene.setup.status, B6 in scene.files) == (Stage.CANCELLED, WorkflowStatus.ABANDONED, False)
    assert (done.lifecycle.lifecycle.owner, done.lifecycle.lifecycle.state) == ("none", "idle")
    assert scene.house.work.holder is None


def test_a_cleanup_that_is_owed_converges() -> None:
    scene = stand(Stored("cleanup pending", "absent"))
    assert scene.do(recovering(scene)).actions == (SafeAction.SETUP_CLEANUP,)
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


def test_an_operation_from_before_there_were_setups_is_cancelled() -> None:
    """Seed 000 5.3: the documented path of an install that predates B0."""
    scene = stand(Stored("absent", "fresh_install at failed_recoverable"))
    assert scene.do(recovering(scene)).actions == (SafeAction.SETUP_CLEANUP,)
    assert scene.stage is Stage.CANCELLED


@pytest.mark.parametrize("transition", ["absent", "cancelled", "guided_upgrade at resources_verified"])
def test_only_an_orphan_that_loads_is_cleared_and_an_unusable_one_is_kept(transition: str) -> None:
    """Seed 000 7.6."""
    scene = stand(Stored("absent", transition, "of another"))
    assert SafeAction.UPGRADE_CONTEXT_CLEAR in scene.do(recovering(scene)).actions
    assert B6 not in scene.files
    scene = stand(Stored("absent", transition, "unusable"))
    assert SafeAction.UPGRADE_CONTEXT_CLEAR not in scene.do(recovering(scene)).actions
    assert B6 in scene.files


def test_no_state_file_is_deleted_but_the_context() -> None:
    """Seed 000 7.4: safe recovery deletes no state file."""
    stored = Stored("active", "guided_upgrade at resources_verified", "of the operation", "launched")
    scene = stand(stored)
    scene.do(recovering(scene))
    assert set(stored.files) - set(scene.files) == {B6}


@pytest.mark.parametrize(
    ("stored", "detail"),
    [
        (Stored("unreadable", "absent"), Code.WORKFLOW_STATE_MALFORMED),
        (Stored("unreadable", "guided_upgrade at resources_verified"), Code.WORKFLOW_STATE_MALFORMED),
        (Stored("active", "unreadable"), Code.WORKFLOW_STATE_MALFORMED),
        (Stored("active", "unsupported"), Code.WORKFLOW_OWNER_UNKNOWN),
    ],
)
def test_beside_what_cannot_be_read_it_is_refused(stored: Stored, detail: Code) -> None:
    """Seed 000 7.4: `workflow_recovery_unsafe`, detail `workflow_state_malformed`."""
    scene = stand(stored)
    before = scene.files
    refusal = scene.refused(recovering(scene))
    assert (refusal.code, refusal.detail, scene.files) == (Code.WORKFLOW_RECOVERY_UNSAFE, detail, before)


def test_while_anything_can_still_write_both_modes_are_refused() -> None:
    """Seed 000 7.4."""
    scene = written()
    scene.house.work.begin(WorkKind.CONFIG_WRITE, workflow_id=scene.workflow_id)
    before = scene.files
    for mode in Mode:
        refusal = scene.refused(recovering(scene, mode))
        assert (refusal.code, refusal.detail) == (Code.WORKFLOW_RECOVERY_UNSAFE, Code.SETUP_OPERATION_IN_PROGRESS)
    assert scene.files == before


def test_work_that_is_no_setups_is_in_the_way_of_what_ends_something() -> None:
    """site.md 2: recovery answers its own code."""
    scene = stand(Stored("unreadable", "absent"))
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    assert preview(scene).running is not None
    refusal = scene.refused(recovering(scene, Mode.RELEASE_STALE_STATE))
    assert (refusal.code, refusal.more) == (Code.WORKFLOW_RECOVERY_UNSAFE, {"operation": WorkKind.MAINTENANCE_CONFIG})


def test_the_checks_come_in_their_order() -> None:
    """http.md 5.4: fingerprint, confirm, reason, running, readable, replacement activity."""
    scene = stand(Stored("unreadable", "guided_upgrade at ems_operation_running"))
    before = scene.files
    release = Mode.RELEASE_STALE_STATE

    def code(**changes: Any) -> str:
        return str(scene.refused(recovering(scene, release, **changes)).code)

    assert code(fingerprint=None, confirm=False, reason=None) == Code.WORKFLOW_FINGERPRINT_REQUIRED
    assert code(fingerprint="sha256:0", confirm=False, reason=None) == Code.WORKFLOW_LIFECYCLE_CHANGED
    assert code(confirm=False, reason=None) == Code.CONFIRMATION_REQUIRED
    assert code(reason="  ") == Code.RECOVERY_REASON_REQUIRED
    assert code(reason="x" * 201) == Code.UNSUPPORTED_VALUE
    assert code() == Code.WORKFLOW_RECOVERY_UNSAFE
    assert scene.files == before


def test_a_failed_cleanup_is_told_with_what_was_done_before() -> None:
    scene = stand(Stored("active", "guided_upgrade at resources_verified"))
    marker = codec.encode(evolve(scene.setup, operation_id=None))  # a file that proves nothing of its owner
    scene.site.world.files["state/.admin-deployment.json"] = marker
    claims = evolve(scene.setup.artifacts, deployment_marker="state/.admin-deployment.json")
    scene.put(B0, evolve(scene.setup, artifacts=claims))
    refusal = scene.refused(recovering(scene))
    assert refusal.code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED
    assert refusal.more["actions"] == (SafeAction.TRANSITION_CANCEL,)
    assert (scene.stage, scene.house.work.holder) == (Stage.CANCELLED, None)


def test_recovery_stays_open_while_the_start_up_check_has_not_passed() -> None:
    """F11."""
    scene = stand(Stored("cleanup pending", "absent"))
    scene.house.startup.passed, scene.house.startup.failed_by = False, Code.STATE_LOCK_BUSY
    assert scene.do(recovering(scene)).actions == (SafeAction.SETUP_CLEANUP,)


def test_with_nothing_to_do_nothing_is_taken_or_told() -> None:
    scene = Scene()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    lines = len(scene.site.journal.entries)
    assert scene.do(recovering(scene)).actions == ()
    assert len(scene.site.journal.entries) == lines


def test_of_two_recoveries_at_once_exactly_one_acts() -> None:
    scene = stand(Stored("active", "guided_upgrade at resources_verified"))
    shown = preview(scene).view.fingerprint
    first = recovering(scene, fingerprint=shown)
    scene.until(first, lambda mark: mark.name == f"commit {B1}")
    second = recovering(scene, fingerprint=shown)
    waits = second.send(None)
    assert waits.name == "lock lifecycle"
    scene.do(first)
    assert scene.refused(second).code is Code.WORKFLOW_LIFECYCLE_CHANGED


def test_after_a_cut_anywhere_safe_recovery_comes_to_its_end() -> None:
    stored = Stored("active", "guided_upgrade at resources_verified", "of the operation")
    whole = stand(stored)
    whole.do(recovering(whole))
    assert len(whole.durable) > 3
    for cut in range(1, len(whole.durable) + 1):
        scene = stand(stored)
        scene.cut_after = cut
        with pytest.raises(PowerCut):
            scene.do(recovering(scene))
        after = scene.restart()
        after.do(recovering(after))
        assert (after.setup.status, after.stage, B6 in after.files) == (
            WorkflowStatus.ABANDONED,
            Stage.CANCELLED,
            False,
        )
        assert preview(after).view.lifecycle.owner == "none"
