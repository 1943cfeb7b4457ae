"""The two doors: a Setup begins, goes on, or waits for what owns the console (`http.md` 5.3; `seed 000` 5.3)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.workflows.arbiter.start_path import Choice, StartPath, start_path
from tests.workflows.places import fetched, opened, prepared, running, written
from tests.workflows.scene import B0, B1, Scene


def door(scene: Scene, choice: Choice = Choice.SETUP_NEW, *, confirm: bool = False) -> Coroutine[Any, Any, StartPath]:
    return start_path(scene.house, scene.caller, choice, confirm=confirm)


def test_on_an_empty_machine_a_setup_begins_without_a_question() -> None:
    scene = Scene()
    path = scene.open()
    assert (path.route, path.state) == ("setup", InstallState.NONE)
    assert scene.setup.workflow_id == path.setup_workflow_id
    assert path.setup_intent_id is not None


def test_an_active_setup_is_resumed_with_its_id_and_a_fresh_confirmation() -> None:
    scene = prepared()
    before = scene.files
    path = scene.do(door(scene))
    assert path.setup_workflow_id == scene.workflow_id
    assert path.setup_intent_id not in {None, scene.intent_id}
    assert scene.files == before


def test_the_other_door_changes_nothing() -> None:
    scene = opened()
    before, intents = scene.files, dict(scene.house.intents.kept)
    path = scene.do(door(scene, Choice.MANAGE_EXISTING))
    assert (path.route, path.setup_workflow_id, path.setup_intent_id) == ("maintenance", None, None)
    assert (scene.files, scene.house.intents.kept) == (before, intents)


def test_an_install_is_set_up_anew_only_with_a_word() -> None:
    scene = running()
    before = scene.files
    assert scene.refused(door(scene)).code is Code.EXISTING_INSTALL_CONFLICT
    assert scene.files == before
    old = scene.workflow_id
    assert scene.open(confirm=True).setup_workflow_id != old


def test_the_directory_of_a_completed_workflow_goes_when_the_next_one_begins() -> None:
    """`site.md` 2."""
    scene = running()
    assert scene.generated() is not None
    old = scene.workflow_id
    scene.open(confirm=True)
    assert not [name for name in scene.files if old is not None and old in name]
    assert "state/.admin-deployment.json" in scene.files


def test_conflict_is_asked_before_cleanup_and_cleanup_before_the_switch() -> None:
    scene = running()
    cleanup = evolve(scene.setup.cleanup, state=CleanupState.PENDING)
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, cleanup=cleanup))
    scene.put(B1, evolve(scene.transition, mode=Mode.GUIDED_UPGRADE, stage=Stage.RESOURCES_VERIFIED))
    assert scene.refused(door(scene)).code is Code.EXISTING_INSTALL_CONFLICT
    assert scene.refused(door(scene, confirm=True)).code is Code.SETUP_CLEANUP_REQUIRED


@pytest.mark.parametrize("mode", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])
def test_another_owner_of_the_console_is_switched_from(mode: Mode) -> None:
    """`seed 000` 7.5."""
    scene = running()
    scene.put(B1, evolve(scene.transition, mode=mode, stage=Stage.RESOURCES_VERIFIED))
    before = scene.files
    refusal = scene.refused(door(scene, confirm=True))
    assert refusal.code is Code.WORKFLOW_SWITCH_REQUIRED
    assert "lifecycle" in refusal.more
    assert scene.files == before


def test_beside_a_contradiction_no_setup_goes_on() -> None:
    scene = fetched()
    scene.put(B1, evolve(scene.transition, mode=Mode.GUIDED_UPGRADE))
    refusal = scene.refused(door(scene, confirm=True))
    assert (refusal.code, refusal.detail) == (Code.WORKFLOW_SWITCH_REQUIRED, Code.WORKFLOW_OWNER_CONFLICT)


@pytest.mark.parametrize("name", [B0, B1])
def test_a_record_that_cannot_be_read_begins_nothing_and_keeps_its_bytes(name: str) -> None:
    """F03."""
    scene = written()
    scene.site.world.files[name] = b""
    before, intents = scene.files, dict(scene.house.intents.kept)
    for confirm in (False, True):
        assert scene.refused(door(scene, confirm=confirm)).code is Code.WORKFLOW_STATE_MALFORMED
    assert (scene.files, scene.house.intents.kept) == (before, intents)


def test_two_first_visitors_begin_one_setup() -> None:
    scene = Scene()
    first, second = door(scene), door(scene)
    scene.until(first, lambda mark: mark.name == f"commit {B0}")
    waits = second.send(None)
    while waits.name != "lifecycle":
        waits = second.send(None)
    one, two = scene.do(first), scene.do(second)
    assert one.setup_workflow_id == two.setup_workflow_id
    assert one.setup_intent_id != two.setup_intent_id


def test_a_setup_that_cannot_be_made_durable_confirms_nothing() -> None:
    scene = Scene()
    scene.fail(B0)
    assert scene.refused(door(scene)).code is Code.STATE_WRITE_FAILED
    assert scene.files == {}
    assert scene.house.intents.kept == {}
