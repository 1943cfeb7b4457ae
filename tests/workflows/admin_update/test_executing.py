"""The Admin alone is brought to a newer build, and the EMS stays what it is (`site.md` 9; `http.md` 5.3)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.records.upgrade import AdminUpdateState
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.admin_update.status import admin_update_status
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN, TAG
from tests.memory.outside import RUNNING
from tests.memory.world import Fault
from tests.workflows.admin_update.newer import (
    B7,
    OLD,
    OLD_EMS,
    executing,
    plan_of,
    planned,
    planning,
    restarted,
    updated,
)
from tests.workflows.foreign import operation
from tests.workflows.scene import B0, B1, B3, B4, B5, CONFIG, UNPROVABLE, PowerCut, Scene

HOUR = timedelta(hours=1)
UNTOUCHED = (B0, B3, B4, CONFIG, RUNNING)


def test_the_plan_names_its_operation_before_that_begins() -> None:
    scene = planned()
    good = scene.record(B5, KnownGood)
    job = scene.do(executing(scene))
    assert scene.durable == [B7, B1]
    begun, plan = scene.transition, plan_of(scene)
    assert (plan.state, plan.operation_id) == (AdminUpdateState.STARTED, begun.operation_id)
    assert (begun.mode, begun.stage) == (Mode.ALIGN_EXISTING_INSTALL, Stage.ADMIN_UPDATE_PENDING)
    assert (begun.system_tag, begun.build_id, begun.admin_digest) == (TAG, OWN.build_id, OWN.digest)
    assert (begun.ems_digest, begun.ems_image) == (good.ems_digest, good.ems_image), "of the EMS that stays"
    assert (job.kind, job.operation_id, job.status) == (
        WorkKind.ADMIN_UPDATE,
        begun.operation_id,
        JobStatus.RUNNING,
    )


def test_the_job_hands_the_admin_over_and_touches_nothing_else() -> None:
    scene = planned()
    before = scene.files
    job = scene.job(executing(scene))
    assert (job.status, job.error, job.reconnect) == (JobStatus.SUCCEEDED, None, True)
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
    assert scene.house.work.holder is None
    for name in (*UNTOUCHED, B5):
        assert scene.files[name] == before[name], name


def test_the_second_click_joins_the_first_and_a_third_one_finds_it_started() -> None:
    scene = planned()
    first = scene.do(executing(scene))
    assert scene.do(executing(scene)).id == first.id
    scene.finish()
    assert scene.refused(executing(scene)).code is Code.TRANSITION_ACTIVE


def test_refusals_come_in_the_order_of_the_contract() -> None:
    """Each request is wrong in every way that comes later as well."""
    scene = planned()
    scene.site.world.files[RUNNING] = b"3" * 64
    before = scene.files
    other = scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    assert scene.refused(executing(scene, confirm=False, plan_id=None)).code is Code.CONFIRMATION_REQUIRED
    assert scene.refused(executing(scene, plan_id=None)).code is Code.WORK_IN_PROGRESS
    scene.house.work.release(other.id)
    for unknown in (None, "another"):
        assert scene.refused(executing(scene, plan_id=unknown)).code is Code.PLAN_UNKNOWN
    scene.house = evolve(scene.house, identity=KnownIdentity(OWN))
    assert scene.refused(executing(scene)).code is Code.ADMIN_UPDATE_NOT_REQUIRED
    scene.house = evolve(scene.house, identity=KnownIdentity(OLD))
    scene.put(B1, evolve(scene.transition, stage=Stage.RESOURCES_VERIFIED))
    assert scene.refused(executing(scene)).code == Code.SETUP_ABANDON_REQUIRED
    scene.put(B1, evolve(scene.transition, mode=Mode.GUIDED_UPGRADE))
    assert scene.refused(executing(scene)).code is Code.KNOWN_GOOD_MISMATCH
    scene.site.world.files[RUNNING] = OLD_EMS.encode()
    moved = plan_of(scene)
    scene.put(B7, evolve(moved, target_admin=evolve(moved.target_admin, digest="5" * 64)))
    assert scene.refused(executing(scene)).code is Code.SYSTEM_BUILD_VERIFICATION_STALE
    scene.put(B7, moved)
    assert scene.refused(executing(scene)).code is Code.TRANSITION_ACTIVE
    assert {name for name, data in scene.files.items() if before.get(name) != data} == {B1, RUNNING}, "by this test"
    assert scene.house.work.holder is None


def test_a_spent_plan_is_not_carried_out_again() -> None:
    scene = updated()
    scene.house = evolve(scene.house, identity=KnownIdentity(OLD))
    assert scene.refused(executing(scene)).code is Code.PLAN_UNKNOWN


def test_one_that_never_came_into_being_reads_as_planned_and_is_carried_out_once_more() -> None:
    """The power goes between the plan and the operation."""
    scene = planned()
    scene.cut_after = 1
    with pytest.raises(PowerCut):
        scene.do(executing(scene))
    assert plan_of(scene).state is AdminUpdateState.STARTED
    after = restarted(scene, OLD)
    shown = after.do(admin_update_status(after.house))
    assert (shown.state, shown.operation_id) == ("planned", None)
    assert after.job(executing(after)).error is None
    assert plan_of(after).operation_id == after.transition.operation_id


def test_one_that_provably_did_not_begin_is_no_longer_named() -> None:
    scene = planned()
    scene.fail(B1)
    assert scene.refused(executing(scene)).code is Code.TRANSITION_STATE_WRITE_FAILED
    assert (plan_of(scene).state, plan_of(scene).operation_id) == (AdminUpdateState.PLANNED, None)
    assert scene.job(executing(scene)).error is None


def test_one_of_which_nobody_can_say_keeps_its_name() -> None:
    scene = planned()
    scene.site.world.faults[B1] = Fault(outcome=UNPROVABLE, lands=True, blinds=True)
    assert scene.refused(executing(scene)).code is Code.TRANSITION_COMMIT_UNPROVABLE
    assert plan_of(scene).state is AdminUpdateState.STARTED
    after = restarted(scene, OLD)
    assert plan_of(after).operation_id == after.transition.operation_id


def lapsed() -> Scene:
    """The update was never handed over, and its hour is over."""
    scene = planned()
    scene.do(executing(scene))
    after = restarted(scene, OLD)
    after.site.clock.pass_time(HOUR)
    return after


@pytest.mark.parametrize("plans_anew", [False, True])
def test_an_update_that_has_lapsed_is_ended_and_begun_anew(*, plans_anew: bool) -> None:
    """`site.md` 3 (Expiry): under the same claim, without live work."""
    scene = lapsed()
    old = scene.transition.operation_id
    if plans_anew:
        scene.do(planning(scene))
    scene.durable.clear()
    scene.do(executing(scene))
    assert scene.durable == [B7, B1, B1], "named, the old one cancelled, begun"
    assert scene.transition.operation_id == plan_of(scene).operation_id != old


def test_an_operation_of_another_kind_is_never_ended_for_an_update() -> None:
    scene = planned()
    foreign = operation(Mode.GUIDED_UPGRADE, Stage.RESOURCES_VERIFIED)
    scene.put(B1, foreign.transition)
    scene.site.clock.pass_time(HOUR)
    before = scene.files
    assert scene.refused(executing(scene)).code is Code.TRANSITION_ACTIVE
    assert scene.files == before
