"""The update of the Admin as a Setup asks for it, and what a page sees meanwhile (`seed 000` 5.5; `site.md` 3)."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.replacement.reconciling import Reconciling
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.views.console import console
from tests.workflows.replacement.moments import going_on
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    again,
    chosen,
    handed_over,
    host,
    look,
    pending,
    trouble,
    updaters,
    updating,
)
from tests.workflows.scene import B1, Scene

# While it is handed over


def test_elsewhere_a_resume_only_reports() -> None:
    scene = handed_over()
    before = scene.files
    status = scene.do(scene.resuming())
    assert status.transition.record.stage is Stage.ADMIN_RECONNECT_PENDING
    assert scene.files == before


def test_the_page_sees_attempt_step_and_entries() -> None:
    """`http.md` 5.4, `replacement.md` 7.7."""
    scene = chosen()
    assert scene.do(alignment_status(scene.house)).transition is None
    scene.job(updating(scene))
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    assert (view.replacement_active, view.next_actions, view.cancel_available) == (True, (), False)
    assert view.replacement is not None
    assert (view.replacement.attempt, view.replacement.outcome.value) == (1, "launched")
    assert (view.replacement.step, view.replacement.step_at, view.replacement.entries) == (None, None, None)
    host(scene).silent = True
    silent = scene.do(alignment_status(scene.house)).transition
    assert silent is not None
    assert silent.replacement_active is None


def test_a_worker_that_lost_its_workflow_hands_nothing_over() -> None:
    """`seed 000` 5.4, row 26c: it reads B0 again before the durable step."""
    scene = chosen()
    job = scene.do(updating(scene))
    while job.step is None or job.step.key != "smoke":
        scene.site.tasks.running[0].step()
    scene.put("state/guided-setup-workflow.json", evolve(scene.setup, workflow_id="w" * 43))
    scene.finish()
    assert job.error is not None
    assert job.error.code is Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert (updaters(scene), DISPATCH in scene.files) == ((), False)


# The route


def test_an_admin_that_is_aligned_needs_no_update() -> None:
    scene = again(chosen())
    scene.open()
    scene.house = evolve(scene.house, identity=KnownIdentity(Scene().house.own))
    before = scene.files
    assert scene.refused(updating(scene)).code is Code.ADMIN_UPDATE_NOT_REQUIRED
    assert scene.files == before


def test_a_refused_claim_leaves_the_confirmation_unspent() -> None:
    scene = chosen()
    other = scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    assert scene.refused(updating(scene)).code is Code.WORK_IN_PROGRESS
    scene.house.work.release(other.id)
    assert scene.job(updating(scene)).error is None


def test_an_update_under_way_is_reported_and_launches_nothing_more() -> None:
    scene = handed_over()
    scene.open()
    job = scene.job(updating(scene))
    assert (job.status, job.reconnect, len(updaters(scene))) == (JobStatus.SUCCEEDED, True, 1)


def test_an_expired_update_of_ones_own_is_cancelled_and_begun_anew() -> None:
    """`site.md` 3, Expiry: under the same claim and workflow; the updater that never started goes with it."""
    scene = pending()
    work = scene.do(scene.resuming())
    while scene.stage is not Stage.ADMIN_RECONNECT_PENDING:
        scene.site.tasks.running[0].step()
    assert work.status is JobStatus.RUNNING
    after = again(scene, started=False)
    first = after.transition.operation_id
    after.site.clock.pass_time(after.transition.expires_at - after.transition.created_at)
    look(after)
    after.open()
    assert after.job(updating(after)).error is None
    assert after.transition.operation_id != first
    assert [updater.operation_id for updater in updaters(after)] == [after.transition.operation_id]


def test_an_expired_update_whose_updater_lives_is_not_begun_anew() -> None:
    """F43: expiry never outranks life."""
    scene = handed_over()
    scene.site.clock.pass_time(scene.transition.expires_at - scene.transition.created_at)
    scene.open()
    before = scene.site.world.files[B1]
    assert scene.refused(updating(scene)).code is Code.REPLACEMENT_ACTIVE
    assert scene.site.world.files[B1] == before


def test_the_walk_of_a_silent_engine_is_waited_for_by_nobody() -> None:
    scene = pending()
    trouble(scene, "look for other updaters", Silence())
    job = going_on(scene)
    assert job.error is not None
    assert job.error.code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.stage is Stage.ADMIN_UPDATE_PENDING, "nothing was written, so a resume does it again"


# The page


def places(scene: Scene, work: Coroutine[Any, Any, Any]) -> Iterator[str]:
    """Name every place that the work passes, and the tasks that it starts and waits for."""
    while True:
        try:
            yield work.send(None).name
        except StopIteration:
            return
        for task in scene.site.tasks.running:
            if mark := task.step():
                yield mark.name


def test_a_page_looks_at_the_updater_once() -> None:
    """F19: an engine that is silent lets each look wait for its limit."""
    scene = handed_over()
    passed = list(places(scene, console(scene.house)))
    assert (passed.count("look at the updater"), passed.count("own name")) == (1, 1)


def test_the_page_names_what_would_be_done_about_a_replacement_and_does_not_do_it() -> None:
    scene = handed_over()
    host(scene).containers.pop(updaters(scene)[0].id)
    before = scene.files
    assert scene.do(console(scene.house)).machines["replacement_reconcile"] == Reconciling.BRING_BACK
    assert scene.files == before
    waiting = pending()
    assert waiting.do(console(waiting.house)).machines["replacement_reconcile"] is None
