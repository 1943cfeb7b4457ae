"""Calling off a replacement that was handed over (`replacement.md` 7.6; `faults.md` F43, D10)."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage, Transition
from ems_admin.workflows.alignment.cancel import cancel
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.replacement.updating import WalkEnd
from ems_admin.workflows.replacement.walking import walk
from tests.memory.host import ADMIN_NAME, Doing
from tests.memory.replacing import updating
from tests.memory.world import Blocked, Call
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    again,
    calling,
    failed,
    handed_over,
    host,
    look,
    pending,
    together,
    trouble,
    updaters,
)
from tests.workflows.scene import B1, Scene

HOUR = timedelta(hours=1)


def calling_off(scene: Scene) -> Coroutine[Any, Any, Transition]:
    return cancel(scene.house, scene.caller, scene.transition, None)


def handed(doing: Doing | None, *, claimed: bool = False) -> Scene:
    """The operation was handed over, and this is what became of its updater."""
    scene = handed_over()
    (updater,) = updaters(scene)
    if doing is None:
        del host(scene).containers[updater.id]
    else:
        updater.doing = doing
    if claimed:
        scene.put(B1, evolve(scene.transition, admin_update_claimed_at=scene.site.clock.now()))
    return scene


def shown(scene: Scene) -> bool:
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    return view.cancel_available


def refused(scene: Scene, code: Code) -> None:
    before, picture = scene.files, host(scene).picture()
    assert not shown(scene)
    assert scene.refused(calling_off(scene)).code is code
    assert (scene.files, host(scene).picture()) == (before, picture)


def cancelled(scene: Scene) -> None:
    assert shown(scene)
    assert scene.do(calling_off(scene)).stage is Stage.CANCELLED
    assert updaters(scene) == (), "the evidence of what is over goes"


@pytest.mark.parametrize("doing", [None, Doing.CREATED, Doing.EXITED])
def test_what_nobody_has_claimed_is_called_off_with_the_updater_that_does_not_run(doing: Doing | None) -> None:
    cancelled(handed(doing))


def test_an_updater_that_was_never_started_goes_before_the_operation() -> None:
    scene = handed(Doing.CREATED)
    scene.durable.clear()
    scene.do(calling_off(scene))
    assert scene.durable == ["discard updater", B1]


@pytest.mark.parametrize("claimed", [False, True])
def test_an_updater_that_runs_keeps_its_operation(*, claimed: bool) -> None:
    refused(handed(Doing.RUNNING, claimed=claimed), Code.REPLACEMENT_ACTIVE)


def test_an_updater_that_runs_by_now_keeps_its_operation() -> None:
    """Without force: the engine refuses."""
    scene = handed(Doing.CREATED)
    work = calling_off(scene)
    scene.until(work, lambda mark: mark == Call("discard updater"))
    updaters(scene)[0].doing = Doing.RUNNING
    assert scene.refused(work).code is Code.REPLACEMENT_ACTIVE
    assert (scene.stage, len(updaters(scene))) == (Stage.ADMIN_RECONNECT_PENDING, 1)


@pytest.mark.parametrize("doing", [None, Doing.EXITED])
def test_what_was_claimed_is_called_off_when_the_updater_is_gone_and_the_old_admin_is_whole(
    doing: Doing | None,
) -> None:
    cancelled(handed(doing, claimed=True))


def test_what_was_claimed_is_kept_while_its_updater_might_be_started() -> None:
    refused(handed(Doing.CREATED, claimed=True), Code.REPLACEMENT_ACTIVE)


def test_what_was_claimed_is_kept_while_the_admin_that_serves_was_set_aside() -> None:
    scene = handed(Doing.EXITED, claimed=True)
    host(scene).containers["o"].name = f"{ADMIN_NAME}-before-{scene.transition.operation_id}"
    refused(scene, Code.REPLACEMENT_ACTIVE)


def test_what_was_claimed_is_kept_while_the_admin_cannot_find_its_own_name() -> None:
    scene = handed(Doing.EXITED, claimed=True)
    trouble(scene, "own name", Silence(), Silence())
    assert not shown(scene)
    assert scene.refused(calling_off(scene)).code is Code.INSTALL_STATE_UNAVAILABLE


@pytest.mark.parametrize("claimed", [False, True])
@pytest.mark.parametrize("doing", [None, Doing.CREATED, Doing.EXITED, Doing.RUNNING])
def test_an_engine_that_cannot_be_asked_permits_nothing(doing: Doing | None, *, claimed: bool) -> None:
    """D1."""
    scene = handed(doing, claimed=claimed)
    host(scene).silent = True
    refused(scene, Code.INSTALL_STATE_UNAVAILABLE)


@pytest.mark.parametrize("claimed", [False, True])
def test_an_engine_that_cannot_be_asked_does_not_close_the_escape_of_an_expired_operation(*, claimed: bool) -> None:
    """F43."""
    scene = handed(Doing.EXITED, claimed=claimed)
    scene.site.clock.pass_time(HOUR)
    host(scene).silent = True
    assert shown(scene)
    assert scene.do(calling_off(scene)).stage is Stage.CANCELLED
    host(scene).silent = False
    look(scene)
    assert updaters(scene) == (), "what could not be removed then is removed now"


@pytest.mark.parametrize("claimed", [False, True])
def test_expiry_never_outranks_an_updater_that_lives(*, claimed: bool) -> None:
    scene = handed(Doing.RUNNING, claimed=claimed)
    scene.site.clock.pass_time(HOUR)
    refused(scene, Code.REPLACEMENT_ACTIVE)


def test_a_removal_that_nobody_can_confirm_keeps_a_fresh_operation_and_frees_an_expired_one() -> None:
    scene = handed(Doing.CREATED)
    trouble(scene, "discard updater", EngineFailure(code=Code.OPERATION_STALLED))
    assert scene.refused(calling_off(scene)).code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
    scene.site.clock.pass_time(HOUR)
    trouble(scene, "discard updater", EngineFailure(code=Code.OPERATION_STALLED))
    assert scene.do(calling_off(scene)).stage is Stage.CANCELLED


# Against each other


def test_an_updater_that_comes_late_finds_the_operation_cancelled_and_touches_nothing() -> None:
    scene = handed(None)
    operation = scene.transition.operation_id
    scene.do(calling_off(scene))
    picture = host(scene).picture()
    end = scene.do(walk(updating(scene.site, "late", operation, 1)))
    assert (end, host(scene).picture(), scene.stage) == (WalkEnd.LATE, picture, Stage.CANCELLED)


def test_a_claim_that_comes_first_wins_against_the_cancel() -> None:
    """The lock of B1 lets one of the two win."""
    scene = handed(Doing.EXITED)
    host(scene).containers["o"].name = "set-aside"
    work = calling_off(scene)
    scene.until(work, lambda mark: mark == Call(f"hold {B1}"))
    scene.put(B1, evolve(scene.transition, admin_update_claimed_at=scene.site.clock.now()))
    assert scene.refused(work).code is Code.REPLACEMENT_ACTIVE
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING


def test_nobody_launches_while_it_is_called_off() -> None:
    """Under the dispatch lock."""
    scene = handed(None)
    work = calling_off(scene)
    scene.until(work, lambda mark: mark == Call(f"hold {B1}"))
    other = calling(scene)
    while not isinstance(mark := other.send(None), Blocked):
        pass
    assert mark == Blocked(DISPATCH)
    results = together(work, other)
    assert (results[0].stage, results[1].stage, updaters(scene)) == (Stage.CANCELLED, Stage.CANCELLED, ())


def test_a_cut_between_the_removal_and_the_cancel_leaves_what_the_console_can_leave() -> None:
    scene = handed(Doing.CREATED)
    work = calling_off(scene)
    scene.until(work, lambda mark: mark == Call(f"hold {B1}"))
    work.close()
    after = again(scene)
    assert (after.stage, updaters(after)) == (Stage.FAILED_RECOVERABLE, ())
    assert after.do(calling_off(after)).stage is Stage.CANCELLED


# At the other stages


def test_before_the_handover_a_silent_engine_is_in_nobodys_way() -> None:
    scene = pending()
    host(scene).silent = True
    assert shown(scene)
    assert scene.do(calling_off(scene)).stage is Stage.CANCELLED


def test_a_failed_operation_keeps_its_operation_only_while_an_updater_runs() -> None:
    scene = handed(Doing.RUNNING)
    scene.put(
        B1,
        evolve(
            scene.transition,
            stage=Stage.FAILED_RECOVERABLE,
            failed_stage=Stage.ADMIN_RECONNECT_PENDING,
            resume_stage=Stage.ADMIN_UPDATE_PENDING,
            error_code="replacement_updater_failed",
        ),
    )
    refused(scene, Code.REPLACEMENT_ACTIVE)
    updaters(scene)[0].doing = Doing.EXITED
    cancelled(scene)


def test_an_abandon_calls_it_off_as_well() -> None:
    scene = failed()
    scene.do(scene.abandoning())
    assert scene.stage is Stage.CANCELLED
    other = handed(Doing.CREATED)
    other.do(other.abandoning())
    assert (other.stage, updaters(other)) == (Stage.CANCELLED, ())
    running = handed(Doing.RUNNING)
    assert running.refused(running.abandoning()).code is Code.REPLACEMENT_ACTIVE
