"""What lives in the process dies with it (`seed 000` 1.2, P1 to P6)."""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.running.kinds import WorkKind
from tests.workflows.places import opened
from tests.workflows.replacement.old_admin import again, calling, outcomes, pending
from tests.workflows.scene import B1


def test_a_restart_holds_no_claim_and_no_worker() -> None:
    """P1, P4, P5: nothing pretends that a worker of before is still alive. `seed 000` 0."""
    scene = opened()
    job = scene.do(scene.fetching())
    assert scene.house.work.names(str(job.operation_id))
    after = scene.restart()
    assert (after.house.work.holder, after.house.work.names(str(job.operation_id))) == (None, False)
    after.house.work.begin(WorkKind.MAINTENANCE_CONFIG)


def test_a_restart_knows_no_job() -> None:
    """P2."""
    scene = opened()
    job = scene.do(scene.fetching())
    assert scene.restart().house.jobs.find(job.id) is None


def test_a_confirmation_does_not_outlive_its_process_and_is_given_again() -> None:
    """P3."""
    scene = opened()
    given = scene.intent_id
    after = scene.restart()
    assert after.refused(after.fetching(intent_id=given)).code is Code.SETUP_INTENT_REQUIRED
    assert B1 not in after.files
    after.open()
    assert after.fetch().error is None


def test_what_a_dispatch_promised_is_found_in_its_record_and_not_in_a_claim() -> None:
    """P6: no process holds a dispatch of before; what is durable alone says whether one is owed."""
    scene = pending()
    work = calling(scene)
    scene.until(work, lambda mark: mark.name == "create updater")
    after = again(scene, started=False)
    assert outcomes(after) == [(1, "intended", 1, None)]
    after = again(scene)
    assert outcomes(after) == [(1, "launched", 2, None)]
