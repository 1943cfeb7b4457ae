"""What stands against beginning an upgrade, and against going on with it.

Source: `http.md` 5.3; `site.md` 3, 9.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.upgrade.groundwork import sealed
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.upgrade.executing import execute
from ems_admin.workflows.upgrade.resuming import resume_upgrade
from tests.workflows.foreign import operation
from tests.workflows.places import opened
from tests.workflows.scene import B1, B6, CONFIG, UNPROVABLE, Scene
from tests.workflows.upgrade.upgrades import (
    ALL,
    context,
    executing,
    request,
    resumed,
    resuming,
    runs,
    upgraded,
    with_a_broker_inside,
    yesterday,
)

HOUR = timedelta(hours=1)


def refusal_of(scene: Scene, **changes: Any) -> Code | str:
    """Ask for the upgrade with something changed in what was agreed to, and give the code; nothing has happened."""
    agreed = request(scene, **changes)
    before = scene.files
    code = scene.refused(execute(scene.house, scene.caller, agreed)).code
    assert scene.files == before
    assert scene.house.work.holder is None
    return code


def test_the_checks_of_a_beginning_come_in_their_order() -> None:
    scene = yesterday(with_a_broker_inside)
    wrong: dict[str, Any] = {
        "confirm": False,
        "tag": "v7.0.0",
        "selection_fingerprint": None,
        "migration_revision": "0" * 64,
        "plan_fingerprint": "another",
    }
    codes = []
    while True:
        code = refusal_of(scene, **wrong)
        codes.append(code)
        wrong.pop(next(iter(wrong)))
        if not wrong:
            break
    assert codes == [
        Code.CONFIRMATION_REQUIRED,
        Code.SYSTEM_BUILD_UNKNOWN,
        Code.SYSTEM_BUILD_VERIFICATION_REQUIRED,
        Code.MIGRATION_REVIEW_STALE,
        Code.UPGRADE_PLAN_STALE,
    ]
    assert refusal_of(scene, selection_fingerprint="another") is Code.SYSTEM_BUILD_VERIFICATION_STALE
    assert upgraded(scene).error is None


def test_a_setup_comes_first_in_both_phases() -> None:
    """`site.md` 1.10."""
    agreed = request(yesterday())
    scene = opened()
    assert scene.refused(execute(scene.house, scene.caller, agreed)).code is Code.SETUP_ABANDON_REQUIRED


def test_what_changed_since_the_plan_is_found_before_anything_is_written() -> None:
    scene = yesterday(with_a_broker_inside)
    agreed = request(scene)
    scene.site.world.files[CONFIG] = scene.files[CONFIG].replace(b"mqtt.lan", b"mqtt.home")
    before = scene.files
    refusal = scene.refused(execute(scene.house, scene.caller, agreed))
    assert (refusal.code, scene.files) == (Code.MIGRATION_REVIEW_STALE, before)
    assert set(refusal.more) == {"revision", "migration_revision", "diff"}
    other = evolve(
        agreed, options=evolve(ALL, backup=False), migration_revision=str(refusal.more["migration_revision"])
    )
    assert scene.refused(execute(scene.house, scene.caller, other)).code is Code.UPGRADE_PLAN_STALE


def test_a_config_that_the_build_would_not_take_interrupts_nobody_unless_its_check_is_left_out() -> None:
    scene = yesterday()
    scene.site.world.files[CONFIG] = scene.files[CONFIG].replace(b'"deadband":', b'"deadbend":')
    before = scene.files
    refusal = scene.refused(execute(scene.house, scene.caller, request(scene)))
    assert (refusal.code, scene.files) == (Code.VALIDATION_FAILED, before)
    errors: Any = refusal.more["errors"]
    assert "/system" in {found.pointer for found in errors}
    scene.do(execute(scene.house, scene.caller, request(scene, options=evolve(ALL, config_check=False))))


@pytest.mark.parametrize("mode", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])
def test_a_living_operation_stays_what_it_is(mode: Mode) -> None:
    agreed = request(yesterday())
    scene = yesterday()
    other = operation(mode, Stage.RESOURCES_VERIFIED)
    scene.site.world.files[B1], scene.site.world.files[B6] = other.files[B1], other.files[B6]
    before = scene.files
    assert scene.refused(execute(scene.house, scene.caller, agreed)).code is Code.TRANSITION_ACTIVE
    assert scene.files == before


def test_an_upgrade_that_has_lapsed_gives_way_to_a_new_one_with_a_context_of_its_own() -> None:
    """`site.md` 3 (Expiry)."""
    scene = yesterday()
    scene.do(executing(scene))
    old = scene.transition.operation_id
    after = scene.restart()
    after.site.clock.pass_time(HOUR)
    assert after.refused(resuming(after)).code is Code.EXPIRED
    job = after.do(executing(after))
    assert job.operation_id == after.transition.operation_id == context(after).operation_id != old
    assert not context(after).backup_completed
    after.finish()
    assert after.stage is Stage.COMPLETED


def test_whoever_holds_the_site_is_named() -> None:
    """F38, F45."""
    scene = yesterday()
    agreed = request(scene)
    scene.house.work.begin(WorkKind.MAINTENANCE_CONFIG)
    refusal = scene.refused(execute(scene.house, scene.caller, agreed))
    assert (refusal.code, refusal.more["operation"]) == (Code.WORK_IN_PROGRESS, WorkKind.MAINTENANCE_CONFIG)


@pytest.mark.parametrize("lands", [True, False])
def test_the_record_says_whether_the_upgrade_began(lands: bool) -> None:
    """5.5: the exception is never the outcome; a context without its operation goes with it."""
    scene = yesterday()
    asked = executing(scene)
    scene.fail(B1, UNPROVABLE, lands=lands)
    if lands:
        assert scene.job(asked).error is None
        assert scene.stage is Stage.COMPLETED
    else:
        assert scene.refused(asked).code is Code.TRANSITION_STATE_WRITE_FAILED
        assert B6 not in scene.files
        assert scene.house.work.holder is None
        assert upgraded(scene).error is None


def test_a_context_that_cannot_be_made_durable_begins_nothing() -> None:
    scene = yesterday()
    before = scene.transition
    asked = executing(scene)
    scene.fail(B6)
    assert scene.refused(asked).code is Code.STATE_WRITE_FAILED
    assert (scene.transition, B6 in scene.files) == (before, False)


def test_going_on_names_exactly_one_living_upgrade() -> None:
    empty = Scene()
    assert empty.refused(resume_upgrade(empty.house, empty.caller, "f" * 32)).code is Code.NO_GUIDED_UPGRADE_TRANSITION
    foreign = operation(Mode.ALIGN_EXISTING_INSTALL, Stage.RESOURCES_VERIFIED)
    assert foreign.refused(resuming(foreign)).code is Code.NO_GUIDED_UPGRADE_TRANSITION
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    for wrong in ("f" * 32, ""):
        refused = resume_upgrade(after.house, after.caller, wrong or None)
        assert after.refused(refused).code is Code.OPERATION_MISMATCH
    after.do(call_off(after.house, after.caller, after.transition.operation_id, confirm=True))
    assert after.refused(resuming(after)).code is Code.NOT_RESUMABLE


@pytest.mark.parametrize("spoilt", ["absent", "unreadable", "edited", "foreign"])
def test_without_what_was_settled_nothing_goes_on(spoilt: str) -> None:
    """Whoever does not know what was done could do it twice; cancelling stays open."""
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    files = after.site.world.files
    if spoilt == "absent":
        del files[B6]
    elif spoilt == "foreign":
        after.put(B6, sealed(context(after), operation_id="f" * 32))
    else:
        files[B6] = b"{" if spoilt == "unreadable" else files[B6].replace(b'"recreate": true', b'"recreate": false')
    before = after.files
    assert after.refused(resuming(after)).code is Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE
    assert after.refused(after.resuming()).code is Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE
    assert after.files == before
    after.do(call_off(after.house, after.caller, after.transition.operation_id, confirm=True))
    assert after.stage is Stage.CANCELLED


@pytest.mark.parametrize("stage", [Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING])
def test_what_cannot_be_cancelled_is_found_out_also_without_it(stage: Stage) -> None:
    """I4: a start that was claimed is gone on with by the identity of the EMS, whatever has become of the context."""
    scene = yesterday()
    scene.do(executing(scene))
    while scene.stage is not stage or runs(scene) != "new":
        scene.site.tasks.running[0].step()
    after = scene.restart()
    after.site.world.files[B6] = b"{"
    assert after.refused(resuming(after)).code is Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE
    after.do(after.resuming())
    assert after.stage is Stage.COMPLETED
    assert after.files[B6] == b"{", "what cannot be read is set aside by the release alone"


def test_the_same_resume_joins_its_own_work() -> None:
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    job = after.do(resuming(after))
    assert after.do(resuming(after)) is job
    after.finish()
    assert (after.stage, job.error) == (Stage.COMPLETED, None)


def test_an_upgrade_that_nobody_works_on_is_resumed_from_its_beginning() -> None:
    scene = yesterday(with_a_broker_inside)
    scene.do(executing(scene))
    after = scene.restart()
    assert resumed(after).error is None
    assert after.stage is Stage.COMPLETED
