"""B0 names, then B1 begins: what may be said when either of the two commits fails (`seed 000` 5.5)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.ports.records import Unprovable
from tests.memory.house import TAG
from tests.memory.world import Call
from tests.workflows.places import opened
from tests.workflows.scene import B0, B1, UNPROVABLE, Scene


def test_without_a_link_no_operation_comes_into_being() -> None:
    scene = opened()
    before = scene.files
    scene.fail(B0)
    assert scene.refused(scene.fetching()).code is Code.SETUP_TRANSITION_LINK_FAILED
    assert scene.files == before
    assert scene.house.work.holder is None
    scene.open()
    assert scene.fetch().error is None


@pytest.mark.parametrize("lands", [True, False])
def test_a_link_that_nobody_can_prove_is_taken_back(lands: bool) -> None:
    scene = opened()
    before = scene.files
    scene.fail(B0, UNPROVABLE, lands=lands)
    assert scene.refused(scene.fetching()).code is Code.SETUP_TRANSITION_LINK_FAILED
    assert B1 not in scene.files
    assert scene.setup.operation_id is None
    assert set(scene.files) == set(before)


def test_a_beginning_that_is_proved_absent_takes_the_link_back() -> None:
    scene = opened()
    scene.fail(B1)
    assert scene.refused(scene.fetching()).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.setup.operation_id is None
    assert scene.setup.selected_system_tag == TAG, "a selection is no ownership: it stays"
    assert scene.setup.status is WorkflowStatus.ACTIVE
    scene.open()
    assert scene.fetch().error is None


def test_a_beginning_that_cannot_even_be_tried_takes_the_link_back() -> None:
    """6.4b: every failure before the commit compensates, also a lock that nobody lets go and a record gone bad."""
    scene = opened()
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"hold {B1}"))
    scene.site.world.files[B1] = b"{"
    assert scene.refused(work).code is Code.TRANSITION_STATUS_UNAVAILABLE
    assert scene.setup.operation_id is None
    assert scene.site.world.files[B1] == b"{"


def test_a_link_that_cannot_be_taken_back_is_said() -> None:
    scene = opened()
    scene.fail(B1)
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"commit {B1}"))
    scene.fail(B0)
    assert scene.refused(work).code is Code.SETUP_TRANSITION_LINK_UNRECONCILED
    assert B1 not in scene.files


def test_a_workflow_that_cannot_be_read_is_never_written_over_by_the_compensation() -> None:
    scene = opened()
    scene.fail(B1)
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"commit {B1}"))
    scene.site.world.files[B0] = b'{"torn'
    assert scene.refused(work).code is Code.SETUP_TRANSITION_LINK_UNRECONCILED
    assert scene.site.world.files[B0] == b'{"torn'


def test_a_compensation_finds_nothing_to_restore_without_a_record() -> None:
    scene = opened()
    scene.fail(B1)
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"commit {B1}"))
    del scene.site.world.files[B0]
    assert scene.refused(work).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert B0 not in scene.files


@pytest.mark.parametrize("changed", [{"operation_id": "a" * 32}, {"workflow_id": "w" * 43}])
def test_a_compensation_that_comes_late_changes_nothing(changed: dict[str, Any]) -> None:
    scene = opened()
    scene.fail(B1)
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"commit {B1}"))
    scene.put(B0, evolve(scene.setup, **changed))
    newer = scene.site.world.files[B0]
    assert scene.refused(work).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.site.world.files[B0] == newer


def test_a_beginning_that_landed_goes_on_whatever_the_exception_said() -> None:
    scene = opened()
    scene.fail(B1, UNPROVABLE, lands=True)
    assert scene.fetch().error is None
    assert scene.stage is Stage.RESOURCES_VERIFIED
    assert scene.setup.operation_id == scene.transition.operation_id


def test_a_beginning_that_read_back_absent_takes_the_link_back() -> None:
    scene = opened()
    scene.fail(B1, UNPROVABLE, lands=False)
    assert scene.refused(scene.fetching()).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert scene.setup.operation_id is None


@pytest.mark.parametrize("tampered", [{"resource_strategy": "embedded"}, {"resume_path": "/elsewhere"}, None])
def test_a_beginning_with_another_identity_is_nobodys_guess(tampered: dict[str, str] | None) -> None:
    """The whole identity is compared, not the id alone."""
    scene = opened()
    scene.fail(B1, Unprovable(), lands=True)
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"read {B1}") and B1 in scene.files)
    scene.site.world.files[B1] = b"{" if tampered is None else _changed(scene, tampered)
    found = scene.site.world.files[B1]
    assert scene.refused(work).code is Code.TRANSITION_COMMIT_UNPROVABLE
    assert scene.setup.operation_id is not None, "ownership stays: it is what can refuse an adoption"
    assert scene.site.world.files[B1] == found
    assert not scene.site.tasks.started


def _changed(scene: Scene, tampered: dict[str, str]) -> bytes:
    (key, value), text = next(iter(tampered.items())), scene.site.world.files[B1].decode()
    old = f'"{key}": "{getattr(scene.transition, key)}"'
    assert old in text
    return text.replace(old, f'"{key}": "{value}"').encode()
