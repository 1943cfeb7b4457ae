"""What people are told of a replacement, while it goes on and after it has failed.

Source: `http.md` 5.4 (Alignment status); `faults.md` F34, F36, F37.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ems_admin.http.shown import shown
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Dispatch, Run, UpdaterExit, WalkStep
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.status import ReplacementView, alignment_status
from tests.workflows.places import prepared
from tests.workflows.replacement.moments import claimed, created, walked
from tests.workflows.replacement.old_admin import DISPATCH, RUN, handed_over
from tests.workflows.scene import B1, Scene


def told(scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = shown(scene.do(alignment_status(scene.house)))["transition"]
    return found


def view(scene: Scene) -> ReplacementView:
    transition = scene.do(alignment_status(scene.house)).transition
    assert transition is not None
    assert transition.replacement is not None
    return transition.replacement


def test_before_the_updater_has_noted_anything_the_attempt_alone_is_shown() -> None:
    seen = view(created())
    assert (seen.attempt, seen.step, seen.step_at, seen.entries, seen.verified_at) == (1, None, None, None, None)
    assert (seen.code, seen.successor, seen.updater) == (None, None, None)


def test_a_walk_shows_its_step_time_and_entries_and_where_the_new_admin_was_seen_to_be_well() -> None:
    scene = walked()
    run = scene.record(RUN, Run)
    seen = view(scene)
    assert (seen.step, seen.step_at, seen.entries) == (WalkStep.ENDED, run.step_at, run.entries)
    assert seen.verified_at == run.verified_at is not None
    assert seen.code is None


def test_a_walk_that_came_back_shows_its_code_and_the_last_words_of_the_new_admin() -> None:
    scene = walked()
    run = scene.record(RUN, Run)
    failed = evolve(run, verified_at=None, code=Code.REPLACEMENT_START_FAILED, exit_code=1, log=("one", "two"))
    scene.put(RUN, failed)
    seen = view(scene)
    assert seen.code == "replacement_start_failed"
    assert seen.successor is not None
    assert (seen.successor.exit_code, seen.successor.log) == (1, ("one", "two"))


def test_an_updater_that_ended_by_itself_shows_how() -> None:
    scene = claimed(handed_over())
    dispatch = scene.record(DISPATCH, Dispatch)
    (attempt,) = dispatch.attempts
    ended = UpdaterExit(code=139, oom=False, log=("Segmentation fault",))
    attempt = evolve(attempt, exit=ended, code=Code.REPLACEMENT_UPDATER_FAILED)
    scene.put(DISPATCH, evolve(dispatch, attempts=(attempt,)))
    assert told(scene)["replacement"]["updater"] == {"code": 139, "oom": False, "log": ["Segmentation fault"]}


def test_a_failure_is_told_as_a_sentence_with_what_came_with_it() -> None:
    scene = prepared()
    failed = evolve(
        scene.transition,
        stage=Stage.FAILED_RECOVERABLE,
        failed_stage=Stage.EMS_OPERATION_RUNNING,
        resume_stage=Stage.EMS_OPERATION_PENDING,
        error_code=Code.EMS_START_FAILED.value,
        error_message="ems",
    )
    scene.put(B1, failed)
    said = told(scene)["failure"]
    assert (said["code"], said["detail"]) == ("ems_start_failed", "ems")
    assert said["message"].startswith("The EMS ended right after its start.")


def test_an_operation_that_has_not_failed_tells_no_failure() -> None:
    assert told(prepared())["failure"] is None
