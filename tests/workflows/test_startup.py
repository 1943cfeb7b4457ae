"""The start: what a cut left is settled, a step that fails closes mutations and no read (F11; DESIGN 3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.setup.view import read_setup
from ems_admin.workflows.startup import start_up
from ems_admin.workflows.views.console import console
from tests.workflows.places import PLACES, fetched, prepared, running, written
from tests.workflows.scene import B0, B1, B3, B5, CONFIG, INTENT, Scene


@pytest.mark.parametrize("place", PLACES)
def test_a_restart_reads_the_same_and_changes_nothing(place: str) -> None:
    """I6, rows 12 and 22. `seed 000` 5."""
    scene = PLACES[place]()
    before = scene.files
    after = scene.restart()
    assert after.house.startup.passed
    assert after.files == before
    assert after.house.work.holder is None


@pytest.mark.parametrize("stage", [Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING, Stage.ADMIN_ALIGNED])
def test_a_start_never_moves_the_operation(stage: Stage) -> None:
    scene = prepared()
    scene.put(B1, evolve(scene.transition, stage=stage))
    assert scene.restart().stage is stage


def failing(scene: Scene) -> Scene:
    """A start whose config commit cannot be settled, because the disk is full."""
    scene.until(scene.applying(), lambda _mark: CONFIG in scene.files)
    after = scene.restart(start_up=False)
    after.house.startup.passed = False
    after.fail(B0)
    after.do(start_up(after.house))
    return after


def reviewed_again() -> Scene:
    scene = fetched()
    scene.review()
    return scene


def test_a_start_that_fails_closes_every_mutation_and_no_read() -> None:
    scene = failing(reviewed_again())
    assert (scene.house.startup.passed, scene.house.startup.failed_by) == (False, Code.STATE_WRITE_FAILED)
    before = scene.files
    for work in (
        scene.writing(),
        scene.applying(),
        scene.preparing(),
        scene.starting(),
        scene.fetching(),
        scene.resuming(),
    ):
        refusal = scene.refused(work)
        assert (refusal.code, refusal.detail) == (Code.STARTUP_CHECK_FAILED, Code.STATE_WRITE_FAILED)
    scene.do(read_setup(scene.house))
    scene.do(alignment_status(scene.house))
    assert scene.do(console(scene.house)).actions
    assert refusal.more == {"at": scene.house.startup.failed_at}
    assert scene.files == before


def test_a_start_that_failed_is_asked_again_and_passes() -> None:
    scene = failing(reviewed_again())
    scene.do(start_up(scene.house))
    assert scene.house.startup.passed
    assert scene.house.startup.failed_by is None
    assert scene.setup.preview is None
    assert INTENT not in scene.files


@pytest.mark.parametrize("name", [B0, B1, B3, B5])
@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"\xff", b'{"format_version": 99}'])
def test_a_record_that_cannot_be_read_keeps_its_bytes_through_a_start_and_every_act(name: str, content: bytes) -> None:
    """F03, F04: refused by a clear code, and every byte as it was."""
    scene = prepared()
    scene.site.world.files[name] = content
    after = scene.restart()
    assert after.house.startup.passed
    assert after.files == {**scene.files, name: content}
    after.do(console(after.house))
    acts: tuple[Callable[[], object], ...] = ()
    if name in {B0, B1}:
        operation = "f" * 32
        acts = (
            lambda: after.refused(after.writing()),
            lambda: after.refused(after.applying()),
            lambda: after.refused(after.preparing()),
            lambda: after.refused(after.starting()),
            lambda: after.refused(after.fetching()),
            lambda: after.refused(after.abandoning()),
        )
        if name == B1:
            acts = (*acts, lambda: after.refused(after.resuming(operation_id=operation)))
    if name == B3:
        acts = (lambda: after.refused(after.starting()),)
    for act in acts:
        act()
        assert after.site.world.files[name] == content
        assert after.files == scene.files


def test_a_known_good_that_cannot_be_read_is_shown_as_none_and_replaced_by_the_next_success() -> None:
    scene = prepared()
    scene.site.world.files[B5] = b"{"
    assert scene.do(console(scene.house)).known_good is None
    assert scene.job(scene.starting()).error is None
    assert scene.do(console(scene.house)).known_good is not None


def test_a_commit_that_nobody_can_prove_is_shown_and_left() -> None:
    scene = reviewed_again()
    scene.until(scene.applying(), lambda mark: INTENT in scene.files and mark.name == f"commit {CONFIG}")
    scene.site.world.files[CONFIG] = b'{"somebody": "else"}'
    dead = scene.files
    after = scene.restart()
    assert after.house.startup.passed, "reading and everything else goes on"
    assert after.files == dead
    shown = after.do(console(after.house))
    assert Code.CONFIG_COMMIT_UNPROVABLE in {warning.code for warning in shown.warnings}
    assert shown.lifecycle.lifecycle.recoverable


def test_only_an_owed_cleanup_is_gone_on_with() -> None:
    scene = written()
    review = evolve(scene.setup.cleanup, state=CleanupState.REVIEW_REQUIRED)
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, preview=None, cleanup=review))
    assert scene.restart().files == scene.files
    owed = evolve(review, state=CleanupState.PENDING)
    scene.put(B0, evolve(scene.setup, cleanup=owed))
    assert scene.restart().setup.cleanup.state is CleanupState.COMPLETE


def test_a_setup_whose_own_operation_is_completed_is_completed() -> None:
    scene = running()
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ACTIVE))
    after = scene.restart()
    assert after.setup.status is WorkflowStatus.COMPLETED


def test_a_setup_beside_somebody_elses_completed_operation_stays_active() -> None:
    scene = running()
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ACTIVE, operation_id="f" * 32))
    assert scene.restart().files == scene.files


def test_an_active_setup_beside_its_own_cancelled_operation_is_a_resting_state() -> None:
    scene = written()
    scene.put(B1, evolve(scene.transition, stage=Stage.CANCELLED))
    after = scene.restart()
    assert after.files == scene.files
    after.open()
    assert after.fetch().error is None
    assert after.job(after.preparing()).error is None
