"""One switch of the console: what it does, what refuses it, and that of two at once one acts (`seed 000` 7.3)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.switch import WILL_PRESERVE, WILL_RESET, SwitchAction, Target
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.arbiter.switching import Switched, SwitchPreview, preview_switch, switch
from tests.workflows.lifecycle.classes import SETUPS, TRANSITIONS, Stored, stand
from tests.workflows.places import again, written
from tests.workflows.scene import B1, B6, Scene

UPGRADING = Stored("absent", "guided_upgrade at resources_verified", "of the operation")


def preview(scene: Scene, target: Target) -> SwitchPreview:
    return scene.do(preview_switch(scene.house, target))


def switching(
    scene: Scene, target: Target, *, fingerprint: str | None = None, confirm: bool = True
) -> Coroutine[Any, Any, Switched]:
    shown = fingerprint or preview(scene, target).view.fingerprint
    return switch(scene.house, scene.caller, target, fingerprint=shown, confirm=confirm)


# What one switch does


def test_to_upgrade_a_setup_is_discarded_with_all_that_it_owns() -> None:
    """Seed 000 7.3, row 1: the exact operation, the claimed artifacts, the intents."""
    scene = written()
    assert scene.generated() is not None
    done = scene.do(switching(scene, Target.GUIDED_UPGRADE))
    assert (done.action, done.setup_workflow_id, done.setup_intent_id) == (
        SwitchAction.DISCARD_GUIDED_SETUP,
        None,
        None,
    )
    assert (scene.setup.status, scene.stage, scene.generated()) == (WorkflowStatus.ABANDONED, Stage.CANCELLED, None)
    assert scene.refused(scene.fetching()).code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert done.lifecycle.lifecycle.owner == "none"
    assert scene.house.work.holder is None


def test_to_setup_an_upgrade_is_cancelled_with_its_context_and_a_setup_begins() -> None:
    """Seed 000 7.3, row 2."""
    scene = stand(UPGRADING)
    done = scene.do(switching(scene, Target.GUIDED_SETUP))
    assert done.action is SwitchAction.CANCEL_GUIDED_UPGRADE
    assert (scene.stage, B6 in scene.files) == (Stage.CANCELLED, False)
    assert (scene.setup.status, scene.setup.workflow_id) == (WorkflowStatus.ACTIVE, done.setup_workflow_id)
    scene.workflow_id, scene.intent_id = done.setup_workflow_id, done.setup_intent_id
    assert scene.fetch().error is None, "the fresh confirmation is good for one build"


def test_an_active_setup_goes_on_with_its_id_and_a_fresh_confirmation() -> None:
    """Seed 000 7.3, row 3; site.md 2: also beside its own running work, and without an entry."""
    scene = written()
    scene.house.work.begin(WorkKind.CONFIG_WRITE, workflow_id=scene.workflow_id)
    before = scene.files
    done = scene.do(switching(scene, Target.GUIDED_SETUP, confirm=False))
    assert (done.action, done.setup_workflow_id) == (SwitchAction.RESUME_GUIDED_SETUP, scene.workflow_id)
    assert done.setup_intent_id not in {None, scene.intent_id}
    assert scene.files == before


def test_on_an_idle_console_a_setup_starts() -> None:
    """Seed 000 7.3, row 4."""
    scene = Scene()
    done = scene.do(switching(scene, Target.GUIDED_SETUP, confirm=False))
    assert (done.action, done.setup_workflow_id) == (SwitchAction.START_GUIDED_SETUP, scene.setup.workflow_id)


@pytest.mark.parametrize("stored", [Stored("active", "fresh_install at resources_verified"), UPGRADING])
def test_to_nothing_the_owner_is_ended_without_a_replacement(stored: Stored) -> None:
    """Seed 000 7.3, row 5."""
    scene = stand(stored)
    done = scene.do(switching(scene, Target.NONE))
    assert (done.setup_workflow_id, done.lifecycle.lifecycle.owner, scene.stage) == (None, "none", Stage.CANCELLED)


@pytest.mark.parametrize(
    ("stored", "target"),
    [
        (Stored("absent", "absent"), Target.GUIDED_UPGRADE),
        (Stored("absent", "absent"), Target.NONE),
        (Stored("completed", "completed"), Target.NONE),
        (UPGRADING, Target.GUIDED_UPGRADE),
    ],
)
def test_what_is_so_already_is_granted_and_changes_nothing(stored: Stored, target: Target) -> None:
    """Seed 000 7.3, row 6."""
    scene = stand(stored)
    before = scene.files
    assert scene.do(switching(scene, target, confirm=False)).action is SwitchAction.NONE
    assert scene.files == before


def test_an_operation_of_a_setup_without_a_setup_is_cancelled_before_a_new_one_begins() -> None:
    scene = stand(Stored("absent", "fresh_install at resources_verified"))
    done = scene.do(switching(scene, Target.GUIDED_SETUP))
    assert (done.action, scene.stage) == (SwitchAction.DISCARD_GUIDED_SETUP, Stage.CANCELLED)
    assert scene.setup.workflow_id == done.setup_workflow_id


# What refuses it


def expected(  # noqa: PLR0911  # one return a row of the seed's table
    stored: Stored, target: Target
) -> tuple[str | None, str | None]:
    """Give code and detail of the refusal in the words of seed 000 7.3."""
    setup_mode = stored.transition.startswith("fresh_install at")
    outside = stored.transition == "align" or stored.transition.startswith("guided_upgrade at")
    unfinished = stored.setup.startswith("active") or stored.setup in {"cleanup pending", "review required"}
    own = stored.setup == "active" or not setup_mode
    if stored.transition.endswith("at ems_operation_running"):
        resumed = setup_mode and target is Target.GUIDED_SETUP and stored.setup == "active" and own
        return (None, None) if resumed else ("workflow_operation_in_progress", None)
    if "unreadable" in (stored.setup, stored.transition):
        return "workflow_state_malformed", None
    if stored.transition == "unsupported":
        cleanup = stored.setup in {"cleanup pending", "review required"}
        return ("workflow_recovery_required" if cleanup else "workflow_owner_unknown"), None
    if outside and unfinished:
        return "workflow_owner_conflict", None
    if stored.setup in {"cleanup pending", "review required"}:
        return "workflow_recovery_required", None
    if stored.transition == "align":
        return "workflow_owner_unknown", None
    if setup_mode and stored.setup == "active of none":
        return "workflow_switch_blocked", "setup_transition_owner_unproven"
    if setup_mode and stored.setup in {"active of another", "abandoned of another"}:
        return "workflow_switch_blocked", "setup_transition_context_mismatch"
    return None, None


def test_every_refusal_over_every_class_and_it_changes_nothing() -> None:
    """Seed 000 7.3, the table of refusals: a blocked switch promises nothing and leaves every record untouched."""
    wrong = []
    for setup in SETUPS:
        for transition in TRANSITIONS:
            for target in Target:
                stored = Stored(setup, transition)
                scene = stand(stored)
                before, shown = scene.files, preview(scene, target)
                code, detail = expected(stored, target)
                told = shown.decision.refusal
                if (told.code if told else None, told.detail if told else None) != (code, detail):
                    wrong.append((stored, target, told))
                if told is None:
                    assert shown.will_reset == WILL_RESET[shown.decision.action]
                    continue
                assert (shown.will_reset, shown.will_preserve) == ((), WILL_PRESERVE)
                asked = switching(scene, target, fingerprint=shown.view.fingerprint)
                if scene.refused(asked).code != code or scene.files != before or scene.house.intents.kept:
                    wrong.append((stored, target, told))
    assert not wrong, (len(wrong), wrong[:5])


def test_a_setup_mutation_that_is_held_is_named_first() -> None:
    """Seed 000 7.3: `setup_operation_in_progress`."""
    scene = written()
    scene.house.work.begin(WorkKind.CONFIG_WRITE, workflow_id=scene.workflow_id)
    refusal = scene.refused(switching(scene, Target.NONE))
    assert (refusal.code, refusal.more) == (
        Code.SETUP_OPERATION_IN_PROGRESS,
        {"operation": WorkKind.CONFIG_WRITE},
    )


def test_other_work_in_the_way_has_the_arbiters_own_code_and_stands_in_the_preview() -> None:
    """site.md 2: switch and recovery answer their own codes."""
    scene = written()
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    told = preview(scene, Target.NONE).decision.refusal
    assert told is not None
    assert told.code is scene.refused(switching(scene, Target.NONE)).code is Code.WORKFLOW_OPERATION_IN_PROGRESS


def test_the_checks_come_in_their_order() -> None:
    """http.md 5.4: fingerprint, then blocked, then confirm."""
    scene = stand(Stored("cleanup pending", "absent"))
    house, caller = scene.house, scene.caller
    without = switch(house, caller, Target.NONE, fingerprint=None, confirm=False)
    assert scene.refused(without).code is Code.WORKFLOW_FINGERPRINT_REQUIRED
    another = switch(house, caller, Target.NONE, fingerprint="sha256:0", confirm=False)
    assert scene.refused(another).code is Code.WORKFLOW_LIFECYCLE_CHANGED
    assert scene.refused(switching(scene, Target.NONE, confirm=False)).code is Code.WORKFLOW_RECOVERY_REQUIRED
    scene = written()
    before = scene.files
    assert scene.refused(switching(scene, Target.NONE, confirm=False)).code is Code.CONFIRMATION_REQUIRED
    assert scene.files == before


def test_a_setup_beside_an_install_asks_for_a_yes() -> None:
    scene = again("running")
    assert scene.refused(switching(scene, Target.GUIDED_SETUP, confirm=False)).code is Code.CONFIRMATION_REQUIRED
    assert scene.do(switching(scene, Target.GUIDED_SETUP)).action is SwitchAction.START_GUIDED_SETUP


def test_the_fingerprint_binds_the_very_bytes_of_what_cannot_be_read() -> None:
    """Seed 000 7.2."""
    scene = stand(Stored("absent", "unreadable"))
    shown = preview(scene, Target.NONE).view.fingerprint
    scene.site.world.files[B1] = b"{{"
    refusal = scene.refused(switching(scene, Target.NONE, fingerprint=shown))
    assert refusal.code is Code.WORKFLOW_LIFECYCLE_CHANGED
