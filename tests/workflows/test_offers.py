"""A button says what the act behind it would say: no reason that is not met, no way that is refused."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from ems_admin.codec import DecodeError
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.returning import return_to_running_build
from ems_admin.workflows.arbiter.recovering import RecoveryRequest, recover
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.arbiter.switching import switch
from ems_admin.workflows.authority import AuthorityRow
from ems_admin.workflows.config.preview import preview
from ems_admin.workflows.deployment.permissions import repair_permissions
from ems_admin.workflows.install_state import installation_fingerprint
from ems_admin.workflows.lifecycle import lifecycle_view
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.setup.supersede import supersede
from ems_admin.workflows.setup.system_build import PREPARE, UPDATE_ADMIN
from ems_admin.workflows.setup.view import read_setup
from ems_admin.workflows.upgrade.executing import UpgradeRequest, execute
from ems_admin.workflows.upgrade.resuming import resume_upgrade
from ems_admin.workflows.views.console import console
from tests.memory.house import TAG
from tests.workflows.places import again
from tests.workflows.scene import Scene
from tests.workflows.situations import SITUATIONS
from tests.workflows.upgrade.upgrades import ALL

OUTCOMES: dict[str, frozenset[Code]] = {
    "resume": frozenset(
        {
            Code.EMS_OPERATION_INTERRUPTED,
            Code.HEALTHCHECK_FAILED,
            Code.EMS_IDENTITY_UNVERIFIABLE,
            Code.INSTALL_STATE_UNAVAILABLE,
            Code.REPLACEMENT_ACTIVE,
        }
    ),
    "upgrade_execute": frozenset({Code.UPGRADE_NOT_FORWARD}),
    "upgrade_resume": frozenset({Code.REPLACEMENT_ACTIVE}),
    "abandon": frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED}),
    "supersede": frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED}),
    "switch_to_guided_upgrade": frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED}),
    "switch_to_none": frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED}),
    "recover_safe": frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED}),
    "prepare_build": frozenset({Code.TRANSITION_CONTEXT_MISMATCH}),
    "update_admin": frozenset({Code.ADMIN_UPDATE_NOT_REQUIRED}),
}
"""What a permitted act may find out, or what hangs on the build and mode that are asked for."""
MOVING = frozenset({None, Code.STALE_SETUP_CONFIG})
"""After these something has changed: the act was performed, or the preview is revoked."""
Act = Callable[[Scene], Coroutine[Any, Any, Any]]


def choose(scene: Scene, row: AuthorityRow = PREPARE) -> Coroutine[Any, Any, Any]:
    if scene.workflow_id is not None:
        fingerprint = scene.do(installation_fingerprint(scene.house))
        if fingerprint is not None:
            scene.intent_id = scene.do(scene.house.intents.issue(scene.caller, scene.workflow_id, fingerprint))
    return scene.fetching(row=row)


def end(scene: Scene) -> Coroutine[Any, Any, Any]:
    try:
        return scene.abandoning(workflow_id=scene.setup.workflow_id)
    except (KeyError, DecodeError):
        return scene.abandoning(workflow_id=None)


def leave(scene: Scene) -> Coroutine[Any, Any, Any]:
    try:
        workflow_id: str | None = scene.setup.workflow_id
    except (KeyError, DecodeError):
        workflow_id = None
    return disown(scene.house, scene.caller, workflow_id, confirm=True, reason="a test")


def named(scene: Scene) -> str:
    try:
        return scene.transition.operation_id
    except (KeyError, DecodeError):
        return "f" * 32


def go_on(scene: Scene) -> Coroutine[Any, Any, Any]:
    return scene.resuming(operation_id=named(scene))


def switched(scene: Scene, target: Target) -> Coroutine[Any, Any, Any]:
    shown = scene.do(lifecycle_view(scene.house)).fingerprint
    return switch(scene.house, scene.caller, target, fingerprint=shown, confirm=True)


def recovered(scene: Scene, mode: Mode) -> Coroutine[Any, Any, Any]:
    shown = scene.do(lifecycle_view(scene.house)).fingerprint
    return recover(
        scene.house, scene.caller, RecoveryRequest(mode=mode, fingerprint=shown, confirm=True, reason="a test")
    )


NOBODYS = UpgradeRequest(
    tag=TAG,
    options=ALL,
    selection_fingerprint=None,
    migration_revision=None,
    plan_fingerprint=None,
    confirm=True,
)
"""An upgrade that nobody has verified or planned."""

ACTS: dict[str, Act] = {
    "start_setup": lambda scene: start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=True),
    "prepare_build": choose,
    "update_admin": partial(choose, row=UPDATE_ADMIN),
    "preview_config": lambda scene: preview(scene.house, scene.caller, scene.draft, scene.workflow_id),
    "apply_config": lambda scene: scene.applying(overwrite=True),
    "write_config": lambda scene: scene.writing(overwrite=True),
    "deployment_prepare": lambda scene: scene.preparing(overwrite=True),
    "deployment_start": lambda scene: scene.starting(),
    "resume": go_on,
    "upgrade_execute": lambda scene: execute(scene.house, scene.caller, NOBODYS),
    "upgrade_resume": lambda scene: resume_upgrade(scene.house, scene.caller, named(scene)),
    "abandon": end,
    "supersede": lambda scene: supersede(scene.house, scene.caller, scene.workflow_id, TAG),
    "leave_files": leave,
    "cancel": lambda scene: call_off(scene.house, scene.caller, named(scene), confirm=True),
    "return_to_running_build": lambda scene: return_to_running_build(
        scene.house, scene.caller, named(scene), confirm=True
    ),
    "repair_permissions": lambda scene: repair_permissions(scene.house, scene.caller, scene.workflow_id),
    "switch_to_guided_setup": lambda scene: switched(scene, Target.GUIDED_SETUP),
    "switch_to_guided_upgrade": lambda scene: switched(scene, Target.GUIDED_UPGRADE),
    "switch_to_none": lambda scene: switched(scene, Target.NONE),
    "recover_safe": lambda scene: recovered(scene, Mode.SAFE),
    "recover_release": lambda scene: recovered(scene, Mode.RELEASE_STALE_STATE),
}
OCCASIONAL = frozenset(name for name in ACTS if name.startswith(("switch_", "recover_")))
"""Drawn only where they would do something: their acts are granted with nothing done elsewhere."""


def met(scene: Scene, act: Act) -> Code | str | None:
    try:
        scene.do(act(scene))
    except RefusalError as refused:
        return refused.refusal.code
    return None


def stand(place: str, situation: str) -> Scene:
    scene = again(place)
    SITUATIONS[situation](scene)
    return scene


@pytest.mark.parametrize("place", ["nowhere", "fetched", "written", "prepared", "running", "failed"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_button_says_what_its_act_would_say(place: str, situation: str) -> None:
    scene = stand(place, situation)
    scene.do(read_setup(scene.house))  # the one write that a look may make, and makes once
    before, lines = scene.files, len(scene.site.journal.entries)
    buttons = {offer.action.action: offer for offer in scene.do(console(scene.house)).actions}
    assert (scene.files, len(scene.site.journal.entries)) == (before, lines), "a look is no event"
    assert set(buttons) | OCCASIONAL == set(ACTS)
    wrong = []
    for name, offer in buttons.items():
        told = offer.refusal.code if offer.refusal else None
        acting = stand(place, situation) if told in MOVING else scene
        name_what_the_page_names(acting)
        got = met(acting, ACTS[name])
        if got != told and not is_an_echo(name, told, got) and got not in OUTCOMES.get(name, ()):
            wrong.append(f"{name}: told {told}, met {got}")
        if acting is scene and got is not None and acting.files != before:
            wrong.append(f"{name} changed something and refused with {got}")
    assert not wrong, wrong


def name_what_the_page_names(scene: Scene) -> None:
    """A page without an active Setup names none; a broken record names nobody."""
    try:
        active = scene.setup.status is WorkflowStatus.ACTIVE
    except (KeyError, DecodeError):
        active = False
    scene.workflow_id = scene.workflow_id if active else None


def is_an_echo(name: str, told: object, got: object) -> bool:
    """What is ended once more is answered as before, and yet there is nothing left to offer."""
    over = {"abandon": Code.SETUP_WORKFLOW_NOT_ACTIVE, "cancel": Code.NOT_RESUMABLE}
    return got is None and told is not None and over.get(name) == told
