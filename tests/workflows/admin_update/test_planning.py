"""Planning an update of the Admin alone: what would run, why, and what closes the way (`http.md` 5.3; `site.md` 4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.records.upgrade import AdminUpdateReason, AdminUpdateState, SeenAdmin
from ems_admin.machines.values.tags import Direction
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN, TAG
from tests.memory.outside import RUNNING
from tests.workflows.admin_update.newer import (
    B7,
    OLD,
    OLD_TAG,
    handed_over,
    installed,
    plan_of,
    planned,
    planning,
    taken_over,
    updated,
)
from tests.workflows.places import opened
from tests.workflows.scene import B1, B5, Scene


def test_a_plan_names_both_admins_and_is_the_only_thing_that_is_written() -> None:
    scene = installed()
    before = scene.files
    scene.durable.clear()
    told = scene.do(planning(scene))
    assert scene.durable == [B7]
    assert {name for name, data in scene.files.items() if before.get(name) != data} == {B7}
    plan = plan_of(scene)
    assert (plan.plan_id, plan.state, plan.operation_id) == (told.plan_id, AdminUpdateState.PLANNED, None)
    assert (plan.target_system_tag, plan.target_admin.digest, plan.target_admin.build_id) == (
        TAG,
        OWN.digest,
        OWN.build_id,
    )
    seen = SeenAdmin(image=None, digest=OLD.digest, build_id=OLD.build_id, revision=OLD.revision)
    assert (plan.current_admin, told.current_admin) == (seen, seen)
    assert (told.update_required, told.reason) == (True, AdminUpdateReason.DIGEST_CHANGED)
    assert scene.house.work.holder is None


def test_a_new_plan_takes_the_place_of_one_that_nobody_carries_out() -> None:
    scene = planned()
    earlier = plan_of(scene)
    assert scene.do(planning(scene)).plan_id not in {earlier.plan_id, None}
    assert plan_of(scene).plan_id != earlier.plan_id


def test_a_plan_that_was_carried_out_gives_way_to_the_next() -> None:
    scene = updated()
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OWN, system_tag="v0.9.9", digest="7" * 64)))
    assert scene.do(planning(scene)).update_required
    assert plan_of(scene).state is AdminUpdateState.PLANNED


def test_what_runs_already_is_not_planned() -> None:
    scene = installed()
    told = scene.do(planning(scene, OLD_TAG))
    assert (told.update_required, told.plan_id, told.reason) == (False, None, None)
    assert B7 not in scene.files


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        (evolve(OLD, digest="7" * 64), AdminUpdateReason.DIGEST_CHANGED),
        (evolve(OLD, digest=None), AdminUpdateReason.DIGEST_UNKNOWN),
        (None, AdminUpdateReason.CURRENT_IDENTITY_UNKNOWN),
    ],
)
def test_the_reason_says_what_is_known_of_the_admin_that_runs(own: object, reason: AdminUpdateReason) -> None:
    scene = installed()
    scene.house = evolve(scene.house, identity=KnownIdentity(own))  # type: ignore[arg-type]  # an identity, or none
    told = scene.do(planning(scene))
    assert (told.reason, plan_of(scene).reason) == (reason, reason)
    assert told.current_admin.digest == (own.digest if own else None)  # type: ignore[attr-defined]


def test_the_same_tag_with_other_bytes_is_brought_again() -> None:
    scene = installed()
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OLD, digest="7" * 64)))
    assert scene.do(planning(scene, OLD_TAG)).reason is AdminUpdateReason.DIGEST_CHANGED


@pytest.mark.parametrize(("own", "where"), [("v1.0.1", Direction.OLDER), ("home-made", Direction.UNCOMPARABLE)])
def test_the_admin_alone_never_goes_back(own: str, where: Direction) -> None:
    """F52."""
    scene = installed()
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OLD, system_tag=own)))
    refusal = scene.refused(planning(scene))
    assert (refusal.code, refusal.detail) == (Code.UPGRADE_NOT_FORWARD, where)
    assert B7 not in scene.files


def without_known_good(scene: Scene) -> None:
    del scene.site.world.files[B5]


def with_another_ems(scene: Scene) -> None:
    scene.site.world.files[RUNNING] = b"3" * 64


def without_an_ems(scene: Scene) -> None:
    del scene.site.world.files[RUNNING]


def with_a_silent_engine(scene: Scene) -> None:
    scene.engine.reachable = False


def with_a_broken_plan(scene: Scene) -> None:
    scene.site.world.files[B7] = b"{"


def with_a_broken_operation(scene: Scene) -> None:
    scene.site.world.files[B1] = b"{"


def with_another_build(scene: Scene) -> None:
    scene.put(B1, evolve(scene.transition, mode=Mode.FRESH_INSTALL, stage=Stage.ADMIN_ALIGNED))


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (without_known_good, Code.KNOWN_GOOD_UNAVAILABLE),
        (with_another_ems, Code.KNOWN_GOOD_MISMATCH),
        (without_an_ems, Code.KNOWN_GOOD_MISMATCH),
        (with_a_silent_engine, Code.INSTALL_STATE_UNAVAILABLE),
        (with_a_broken_plan, Code.WORKFLOW_STATE_MALFORMED),
        (with_a_broken_operation, Code.WORKFLOW_STATE_MALFORMED),
        (with_another_build, Code.SETUP_ABANDON_REQUIRED),
    ],
)
def test_what_closes_the_way_leaves_everything_as_it_was(wrong: Callable[[Scene], None], code: Code) -> None:
    scene = installed()
    wrong(scene)
    before = scene.files
    assert scene.refused(planning(scene)).code == code
    assert scene.files == before


def test_a_setup_comes_first_and_a_build_that_nobody_offers_is_unknown() -> None:
    setup = opened()
    assert setup.refused(planning(setup)).code == Code.SETUP_ABANDON_REQUIRED
    scene = installed()
    assert scene.refused(planning(scene, "v9.9.9")).code == Code.SYSTEM_BUILD_UNKNOWN


def test_nothing_is_planned_while_the_admin_is_handed_over_or_its_update_lives() -> None:
    scene = handed_over()
    assert scene.refused(planning(scene)).code is Code.SYSTEM_TRANSITION_IN_PROGRESS
    scene = taken_over(scene)
    scene.do(scene.resuming())
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(OLD, digest="7" * 64)))
    assert scene.refused(planning(scene)).code is Code.TRANSITION_ACTIVE
