"""Creating an operation: who may, in which order, and what is taken as it is (`seed 000` 2.4, 5.5)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage, Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.setup import system_build
from tests.memory.house import TAG
from tests.memory.world import Call
from tests.workflows.places import fetched, opened, written
from tests.workflows.scene import B0, B1, Scene

HOUR = timedelta(hours=1)


def test_link_comes_before_beginning() -> None:
    """`seed 000` 0."""
    scene = opened()
    scene.fetch()
    linked, began = scene.durable.index(B0, 1), scene.durable.index(B1)
    assert linked < began
    assert scene.setup.operation_id == scene.transition.operation_id
    assert scene.setup.selected_system_tag == TAG


def test_the_answer_comes_when_link_and_beginning_are_durable() -> None:
    """`site.md` 1.15: a kill right after the answer finds the operation."""
    scene = opened()
    job = scene.do(scene.fetching())
    assert job.status is JobStatus.RUNNING
    after = scene.restart()
    assert after.transition.operation_id == after.setup.operation_id == job.operation_id
    assert after.stage is Stage.ADMIN_ALIGNED


def test_the_checks_are_made_in_their_order() -> None:
    broken: list[tuple[Callable[[Scene], object], Code]] = [
        (lambda s: s.put(B0, evolve(s.setup, status=WorkflowStatus.COMPLETED)), Code.SETUP_WORKFLOW_NOT_ACTIVE),
        (lambda s: s.house.work.begin(WorkKind.MAINTENANCE_CONFIG), Code.WORK_IN_PROGRESS),
        (lambda s: s.put(B1, foreign(s)), Code.SETUP_TRANSITION_OWNER_UNPROVEN),
        (lambda s: setattr(s, "intent_id", None), Code.SETUP_INTENT_REQUIRED),
    ]
    for number, (_, code) in enumerate(broken):
        scene = fetched()
        scene.open()
        for break_it, _code in broken[number:]:
            break_it(scene)
        before = scene.files
        assert scene.refused(scene.fetching(tag="unknown")).code is code
        assert scene.files == before
    scene = opened()
    assert scene.refused(scene.fetching(tag="v9.9.9")).code is Code.SYSTEM_BUILD_UNKNOWN


def foreign(scene: Scene) -> Transition:
    return evolve(scene.transition, mode=Mode.GUIDED_UPGRADE, stage=Stage.RESOURCES_VERIFIED)


@pytest.mark.parametrize("given", [None, "", "w" * 43])
def test_whoever_names_no_workflow_or_another_one_is_told_so_first(given: str | None) -> None:
    scene = opened()
    refusal = scene.refused(scene.fetching(workflow_id=given, intent_id=None))
    expected = Code.SETUP_WORKFLOW_REQUIRED if given is None else Code.SETUP_WORKFLOW_NOT_ACTIVE
    assert refusal.code is expected


def test_without_any_workflow_there_is_none_to_name() -> None:
    scene = Scene()
    assert scene.refused(scene.fetching(workflow_id="w" * 43)).code is Code.SETUP_WORKFLOW_REQUIRED


def test_a_refused_claim_leaves_the_confirmation_unspent() -> None:
    scene = opened()
    other = scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    refusal = scene.refused(scene.fetching())
    assert (refusal.code, refusal.more) == (Code.WORK_IN_PROGRESS, {"operation": WorkKind.MAINTENANCE_CONFIG})
    scene.house.work.release(other.id)
    assert scene.fetch().error is None


def test_an_unproven_owner_leaves_the_confirmation_unspent() -> None:
    scene = fetched()
    scene.open()
    own = scene.transition
    scene.put(B1, foreign(scene))
    assert scene.refused(scene.fetching()).code is Code.SETUP_TRANSITION_OWNER_UNPROVEN
    scene.put(B1, own)
    assert scene.fetch().error is None


def test_a_confirmation_is_used_once() -> None:
    scene = opened()
    scene.fetch()
    assert scene.refused(scene.fetching()).code is Code.SETUP_INTENT_CONSUMED


def test_a_confirmation_of_another_session_confirms_nothing() -> None:
    scene = opened()
    scene.caller = Caller(session="browser-2", token=None, scope=Scope.OWNER)
    assert scene.refused(scene.fetching()).code is Code.SETUP_INTENT_REQUIRED


def test_a_confirmation_is_about_one_installation() -> None:
    scene = opened()
    scene.site.world.files["/config.json"] = b"{}"
    assert scene.refused(scene.fetching()).code is Code.SETUP_STATE_CHANGED


def test_two_sessions_may_each_hold_a_confirmation() -> None:
    first = opened()
    mine = first.intent_id
    first.caller = Caller(session="browser-2", token=None, scope=Scope.OWNER)
    first.open()
    assert first.intent_id != mine
    assert first.fetch().error is None
    first.caller, first.intent_id = Scene().caller, mine
    assert first.fetch().error is None


def test_a_build_of_another_admin_waits_for_its_admin() -> None:
    scene = opened()
    own = scene.house.own
    assert own is not None
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(own, build_id="0.9.0")))
    before = scene.files
    assert scene.refused(scene.fetching()).code is Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED
    assert scene.files == before


def test_the_own_operation_is_taken_as_it_is() -> None:
    scene = fetched()
    first = scene.transition
    scene.open()
    job = scene.fetch()
    assert (job.error, job.status) == (None, JobStatus.SUCCEEDED)
    assert scene.transition == first


def test_the_own_operation_of_another_mode_is_not_adopted() -> None:
    scene = fetched()
    scene.open()
    before = scene.files
    refusal = scene.refused(scene.fetching(mode=Mode.AUTOMATED_SETUP))
    assert refusal.code is Code.TRANSITION_CONTEXT_MISMATCH
    assert scene.files == before


def test_an_expired_operation_of_ones_own_is_replaced_under_the_same_claim_and_workflow() -> None:
    """`site.md` 3 (Expiry): draft, preview and artifacts stay."""
    scene = written()
    old, setup = scene.transition, scene.setup
    scene.site.clock.pass_time(HOUR)
    scene.open()
    assert scene.fetch().error is None
    assert scene.transition.operation_id != old.operation_id
    assert scene.setup.operation_id == scene.transition.operation_id
    assert scene.setup.workflow_id == setup.workflow_id
    assert (scene.setup.preview, scene.setup.artifacts) == (setup.preview, setup.artifacts)


def test_an_age_that_is_not_proven_closes_nothing() -> None:
    scene = fetched()
    first = scene.transition
    scene.site.clock.boot, scene.site.clock.wall = "boot-2", first.created_at - timedelta(days=1)
    scene.open()
    scene.fetch()
    assert scene.transition.operation_id == first.operation_id


def test_the_very_same_request_joins_the_running_job() -> None:
    """`site.md` 2."""
    scene = opened()
    job = scene.do(scene.fetching())
    scene.open()
    assert scene.do(scene.fetching()).id == job.id
    scene.finish()
    assert scene.do(scene.fetching(intent_id=scene.intent_id)).id != job.id, "joining left the confirmation unspent"


def test_another_kind_of_work_is_told_what_runs() -> None:
    scene = opened()
    scene.do(scene.fetching())
    scene.open()
    refusal = scene.refused(scene.fetching(row=system_build.CONFIRM))
    assert refusal.code is Code.SETUP_OPERATION_IN_PROGRESS
    assert refusal.more == {"operation": WorkKind.SETUP_RELEASE_PREPARE}


def test_a_failed_operation_is_retried_by_choosing_again() -> None:
    scene = opened()
    scene.fail("state/selected-release.json")
    assert scene.fetch().error is not None
    assert scene.stage is Stage.ADMIN_ALIGNED
    first = scene.transition.operation_id
    scene.open()
    assert scene.fetch().error is None
    assert (scene.stage, scene.transition.operation_id) == (Stage.RESOURCES_VERIFIED, first)


def test_a_cut_beside_the_own_cancelled_operation_begins_anew() -> None:
    scene = fetched()
    scene.site.clock.pass_time(HOUR)
    scene.open()
    work = scene.fetching()
    scene.until(work, lambda mark: mark == Call(f"hold {B0}") and scene.stage is Stage.CANCELLED)
    after = scene.restart()
    assert after.house.startup.passed
    after.open()
    assert after.fetch().error is None
    assert after.setup.operation_id == after.transition.operation_id
