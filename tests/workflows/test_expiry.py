"""An hour at the device list costs nobody the draft (`site.md` 3, Expiry; `faults.md` D6)."""

from __future__ import annotations

from datetime import timedelta

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.status import alignment_status
from tests.workflows.places import prepared, reviewed, secret_draft, written
from tests.workflows.scene import B0, B1, B6, CONFIG, Scene

HOUR = timedelta(hours=1)


def an_hour_later(scene: Scene) -> Scene:
    scene.site.clock.pass_time(HOUR)
    return scene


def once_more(scene: Scene) -> Scene:
    """The one click: the door gives the same workflow and a fresh confirmation, and the build is fetched again."""
    scene.open()
    assert scene.fetch().error is None
    return scene


def test_an_expired_operation_is_shown_as_that_with_what_begins_it_anew() -> None:
    scene = an_hour_later(written())
    shown = scene.do(alignment_status(scene.house)).transition
    assert shown is not None
    assert (shown.expired, shown.cancel_available, shown.resume_available) == (True, True, False)
    assert [action.action for action in shown.next_actions] == ["prepare_build", "abandon"]


def test_one_click_begins_anew_under_the_same_workflow_and_everything_stays() -> None:
    scene = an_hour_later(written(draft=secret_draft()))
    before, old = scene.setup, scene.transition.operation_id
    generated = {name: data for name, data in scene.files.items() if name.startswith("workflows/")}
    once_more(scene)
    after = scene.setup
    assert (after.workflow_id, after.status) == (before.workflow_id, WorkflowStatus.ACTIVE)
    assert (after.preview, after.artifacts) == (before.preview, before.artifacts), "preview and artifacts stay"
    assert {name: data for name, data in scene.files.items() if name.startswith("workflows/")} == generated
    assert scene.transition.operation_id not in {old, None}
    assert (scene.stage, after.operation_id) == (Stage.RESOURCES_VERIFIED, scene.transition.operation_id)


def test_the_setup_then_goes_on_to_its_end() -> None:
    scene = once_more(an_hour_later(written()))
    assert scene.job(scene.preparing()).error is None
    assert scene.job(scene.starting()).error is None
    assert (scene.stage, scene.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED)


def test_the_preview_of_before_is_still_good_for_write_and_apply() -> None:
    scene = once_more(an_hour_later(reviewed()))
    scene.do(scene.writing())
    scene.do(scene.applying())
    assert CONFIG in scene.files


def test_expiry_closes_the_step_to_the_ems_and_nothing_before_it() -> None:
    """`expired` closes the step to ems_operation_pending; the resource gate looks at the stage alone."""
    scene = an_hour_later(reviewed())
    scene.do(scene.writing())
    assert scene.job(scene.preparing()).error is None
    before = scene.files
    assert scene.refused(scene.starting()).code is Code.EXPIRED
    assert scene.files == before
    once_more(scene)
    assert scene.job(scene.starting()).error is None


def test_what_was_prepared_is_started_after_a_new_beginning() -> None:
    scene = once_more(an_hour_later(prepared()))
    assert scene.job(scene.starting()).error is None


def test_a_step_that_was_claimed_in_time_is_finished_after_it() -> None:
    """It never closes the health check of a claimed step."""
    scene = prepared()
    scene.do(scene.starting())
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    after = an_hour_later(scene.restart())
    after.do(after.resuming())
    assert after.stage is Stage.COMPLETED


def test_resume_is_closed_where_nothing_was_claimed() -> None:
    scene = an_hour_later(written())
    before = scene.files
    assert scene.refused(scene.resuming()).code is Code.EXPIRED
    assert scene.files == before


def test_a_live_worker_is_never_outranked() -> None:
    scene = an_hour_later(written())
    operation_id = scene.transition.operation_id
    scene.house.work.begin(WorkKind.TRANSITION_RESUME, operation_id=operation_id)
    scene.open()
    assert scene.refused(scene.fetching()).code is Code.WORK_IN_PROGRESS
    assert scene.transition.operation_id == operation_id


def test_a_cut_in_the_new_beginning_rests_where_it_begins_again() -> None:
    """B0 active beside its own cancelled operation is a resting state."""
    scene = an_hour_later(written())
    scene.open()
    work = scene.fetching()
    scene.until(work, lambda _mark: scene.stage is Stage.CANCELLED)
    after = scene.restart()
    assert (after.setup.status, after.stage) == (WorkflowStatus.ACTIVE, Stage.CANCELLED)
    assert after.setup.artifacts == scene.setup.artifacts
    once_more(after)
    assert after.stage is Stage.RESOURCES_VERIFIED
    assert B6 not in after.files


def test_a_clock_that_leaps_within_one_boot_expires_nothing() -> None:
    """F16: the wall clock proves nothing."""
    scene = written()
    scene.site.clock.wall += HOUR * 5
    scene.do(scene.writing(overwrite=True))
    assert scene.job(scene.preparing()).error is None
    assert scene.job(scene.starting()).error is None


def test_another_workflow_never_touches_an_expired_operation_of_this_one() -> None:
    scene = an_hour_later(written())
    scene.put(B0, evolve(scene.setup, operation_id=None))
    before = scene.files[B1]
    scene.open()
    assert scene.refused(scene.fetching()).code is Code.SETUP_TRANSITION_OWNER_UNPROVEN
    assert scene.files[B1] == before
