"""One launch, R1 to R5: what is durable before what, and what is said when a step does not come about.

`replacement.md` 7.3; `seed 000` 5.5 (reconnect-stage failure after the commit).
"""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import Unprovable
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import Doing
from tests.memory.world import Call
from tests.workflows.replacement.moments import STALLED, tampered
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    REFUSED,
    attempts,
    calling,
    chosen,
    host,
    look,
    outcomes,
    pending,
    stranger,
    trouble,
    updaters,
    updating,
)
from tests.workflows.scene import B0, B1, FULL_DISK, UNPROVABLE


def test_each_step_is_durable_before_the_next() -> None:
    """R1, R2, R3, R4, R5, in this order."""
    scene = chosen()
    job = scene.job(updating(scene))
    assert (job.status, job.reconnect, job.error) == (JobStatus.SUCCEEDED, True, None)
    first = scene.durable.index(DISPATCH)
    assert scene.durable[first + 1 :] == [DISPATCH, B1, "create updater", "start updater", DISPATCH]
    assert scene.durable.index(B0, 1) < scene.durable.index(B1), "the link comes first"
    assert outcomes(scene) == [(1, "launched", 1, None)]
    (updater,) = updaters(scene)
    assert updater.name == f"ems-admin-updater-{scene.transition.operation_id}-1"
    assert (updater.doing, updater.predecessor, scene.stage) == (Doing.RUNNING, "o", Stage.ADMIN_RECONNECT_PENDING)


def test_the_answer_comes_before_anything_is_prepared_and_after_link_and_beginning() -> None:
    """`seed 000` 5.5, `site.md` 1.15, F40."""
    scene = chosen()
    job = scene.do(updating(scene))
    assert (job.status, job.reconnect) == (JobStatus.RUNNING, False)
    assert scene.stage is Stage.ADMIN_UPDATE_PENDING
    assert scene.setup.operation_id == scene.transition.operation_id == job.operation_id
    assert updaters(scene) == ()


@pytest.mark.parametrize("outcome", ["full", "unprovable"])
def test_without_a_durable_intent_nothing_moves(outcome: str) -> None:
    scene = pending()
    scene.fail(DISPATCH, UNPROVABLE if outcome == "unprovable" else FULL_DISK)
    before = scene.site.world.files[B1]
    code = Code.STATE_COMMIT_UNPROVABLE if outcome == "unprovable" else Code.STATE_WRITE_FAILED
    assert scene.refused(calling(scene)).code is code
    assert (scene.site.world.files[B1], updaters(scene)) == (before, ())
    assert scene.do(calling(scene)).stage is Stage.ADMIN_RECONNECT_PENDING


def test_a_stage_that_is_proved_not_written_leaves_the_intent_to_the_next_caller() -> None:
    """R2 not committed: 400, and admin_update_pending proves that nothing was started."""
    scene = pending()
    scene.fail(B1)
    assert scene.refused(calling(scene)).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert (scene.stage, updaters(scene), outcomes(scene)) == (
        Stage.ADMIN_UPDATE_PENDING,
        (),
        [(1, "intended", 1, None)],
    )
    assert scene.setup.operation_id == scene.transition.operation_id, "ownership stays"
    scene.do(calling(scene))
    assert outcomes(scene) == [(1, "launched", 2, None)]
    assert len(updaters(scene)) == 1


def test_a_stage_that_landed_is_gone_on_from_whatever_the_exception_said() -> None:
    scene = pending()
    scene.fail(B1, UNPROVABLE, lands=True)
    assert scene.do(calling(scene)).stage is Stage.ADMIN_RECONNECT_PENDING
    assert (len(updaters(scene)), outcomes(scene)) == (1, [(1, "launched", 1, None)])


def test_a_stage_that_read_back_old_was_not_written() -> None:
    scene = pending()
    scene.fail(B1, UNPROVABLE, lands=False)
    assert scene.refused(calling(scene)).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert (scene.stage, updaters(scene)) == (Stage.ADMIN_UPDATE_PENDING, ())


@pytest.mark.parametrize("found", ["unreadable", "absent", "another operation", "another identity", "another stage"])
def test_a_stage_that_nobody_can_prove_launches_nothing(found: str) -> None:
    """`seed 000` 5.5: 500, no ownership removed, no second transition."""
    scene = pending()
    scene.fail(B1, Unprovable(), lands=True)
    work = calling(scene)
    scene.until(work, lambda mark: mark == Call(f"read {B1}") and scene.stage is Stage.ADMIN_RECONNECT_PENDING)
    tampered(scene, found)
    held = scene.site.world.files.get(B1)
    assert scene.refused(work).code is Code.TRANSITION_STAGE_COMMIT_UNPROVABLE
    assert (updaters(scene), scene.site.world.files.get(B1)) == ((), held)
    assert scene.setup.operation_id is not None


def test_a_create_that_came_about_all_the_same_is_started() -> None:
    scene = chosen()
    trouble(scene, "create updater", STALLED, lands=True)
    assert scene.job(updating(scene)).error is None
    assert (updaters(scene)[0].doing, outcomes(scene)) == (Doing.RUNNING, [(1, "launched", 1, None)])


def test_a_create_that_is_proven_not_to_have_come_about_has_failed_with_its_code() -> None:
    scene = chosen()
    trouble(scene, "create updater", STALLED)
    job = scene.job(updating(scene))
    assert (job.error and job.error.code, job.reconnect) == (Code.OPERATION_STALLED, False)
    assert outcomes(scene) == [(1, "failed", 1, "operation_stalled")]
    told = (scene.stage, scene.transition.error_code, scene.transition.resume_stage)
    assert told == (Stage.FAILED_RECOVERABLE, "operation_stalled", Stage.ADMIN_UPDATE_PENDING)
    assert scene.durable[-2:] == [DISPATCH, B1], "the attempt is settled before the operation fails"


def test_a_start_that_came_about_all_the_same_was_a_launch() -> None:
    scene = chosen()
    trouble(scene, "start updater", STALLED, lands=True)
    assert scene.job(updating(scene)).error is None
    assert outcomes(scene) == [(1, "launched", 1, None)]


@pytest.mark.parametrize("refusals", [1, 2])
def test_what_was_created_is_started_at_most_three_times(refusals: int) -> None:
    scene = chosen()
    trouble(scene, "start updater", *[REFUSED] * refusals)
    assert scene.job(updating(scene)).error is None
    assert outcomes(scene) == [(1, "launched", 1, None)]


def test_what_does_not_start_three_times_is_removed_and_has_failed() -> None:
    scene = chosen()
    trouble(scene, "start updater", *[REFUSED] * 4)
    job = scene.job(updating(scene))
    assert job.error is not None
    assert job.error.code is Code.ADMIN_UPDATE_LAUNCH_FAILED
    assert (updaters(scene), outcomes(scene)) == ((), [(1, "failed", 1, "admin_update_launch_failed")])
    assert len(host(scene).troubles["start updater"]) == 1, "three starts, not four"


def test_what_cannot_be_removed_stays_promised() -> None:
    scene = chosen()
    trouble(scene, "start updater", *[REFUSED] * 3)
    trouble(scene, "discard updater", STALLED)
    assert scene.job(updating(scene)).error is None
    assert (scene.stage, outcomes(scene)) == (Stage.ADMIN_RECONNECT_PENDING, [(1, "intended", 1, None)])
    look(scene)
    assert outcomes(scene) == [(1, "launched", 1, None)]


@pytest.mark.parametrize("act", ["create updater", "start updater"])
def test_an_engine_that_gives_no_answer_settles_nothing(act: str) -> None:
    """The attempt stays intended, and the reconciler asks again."""
    scene = chosen()
    trouble(scene, act, Silence(), lands=True)
    trouble(scene, "look at the updater", Silence())
    assert scene.job(updating(scene)).error is None
    assert (scene.stage, outcomes(scene)) == (Stage.ADMIN_RECONNECT_PENDING, [(1, "intended", 1, None)])


def test_a_stranger_that_bears_the_name_stays_untouched() -> None:
    """F32: settled as `container_name_conflict`, never as `admin_update_launch_failed`. D9."""
    scene = pending()
    name = f"ems-admin-updater-{scene.transition.operation_id}-1"
    host(scene).containers["stranger"] = stranger(name)
    assert scene.refused(calling(scene)).code is Code.CONTAINER_NAME_CONFLICT
    assert outcomes(scene) == [(1, "failed", 1, "container_name_conflict")]
    assert scene.transition.error_code == "container_name_conflict"
    assert host(scene).containers["stranger"] == stranger(name)


def test_a_holder_that_cannot_be_looked_at_keeps_the_intent() -> None:
    """F32, third case."""
    scene = pending()
    trouble(scene, "create updater", EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE))
    assert scene.do(calling(scene)).stage is Stage.ADMIN_RECONNECT_PENDING
    assert (outcomes(scene), updaters(scene)) == ([(1, "intended", 1, None)], ())


def test_three_tries_without_a_container_are_enough() -> None:
    """F35: nothing launches by itself any more, and that survives a restart."""
    scene = pending()
    for _ in range(3):
        trouble(scene, "create updater", EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE))
    scene.do(calling(scene))
    look(scene)
    look(scene)
    assert outcomes(scene) == [(1, "intended", 3, None)]
    look(scene)
    assert outcomes(scene) == [(1, "failed", 3, "replacement_attempts_exhausted")]
    assert (scene.stage, scene.transition.error_code) == (
        Stage.FAILED_RECOVERABLE,
        "replacement_attempts_exhausted",
    )
    look(scene)
    assert (len(attempts(scene)), updaters(scene)) == (1, ())


def test_an_outcome_that_cannot_be_written_is_settled_by_whoever_looks_next() -> None:
    scene = pending()
    work = calling(scene)
    scene.until(work, lambda mark: mark == Call("start updater"))
    scene.fail(DISPATCH)
    assert scene.do(work).stage is Stage.ADMIN_RECONNECT_PENDING
    assert outcomes(scene) == [(1, "intended", 1, None)]
    look(scene)
    assert len(updaters(scene)) == 1
