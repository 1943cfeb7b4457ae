"""What an update of the Admin alone leaves: the EMS under its own name, a way forward and a way back (`site.md` 9)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.machines.values.tags import Direction
from ems_admin.workflows.admin_update.status import admin_update_status
from ems_admin.workflows.alignment.returning import return_to_running_build
from ems_admin.workflows.alignment.watch import go_on_by_itself_if_nobody_asks
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.upgrade.executing import UpgradeRequest, execute
from ems_admin.workflows.upgrade.plan import make_plan
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.memory.house import EMS_DIGEST, OWN, TAG
from tests.memory.outside import RUNNING
from tests.workflows.admin_update.newer import (
    OLD,
    OLD_EMS,
    OLD_TAG,
    executing,
    handed_over,
    planned,
    restarted,
    resuming,
    taken_over,
    updated,
)
from tests.workflows.scene import B0, B1, B3, B4, B5, CONFIG, PowerCut, Scene

OPTIONS = UpgradeOptions(
    backup=False,
    config_check=True,
    config_add_keys=True,
    pull_image=True,
    recreate=True,
    diagnostics=True,
    auto_rollback=False,
)
UNTOUCHED = (B0, B3, B4, CONFIG, RUNNING)


def test_the_newer_admin_proves_itself_and_the_ems_keeps_running_under_its_own_name() -> None:
    scene = handed_over()
    before, good = scene.files, scene.record(B5, KnownGood)
    scene = taken_over(scene)
    stages = []
    for _ in range(2):
        scene.do(resuming(scene))
        stages.append(scene.stage)
    assert stages == [Stage.RESOURCES_VERIFIED, Stage.COMPLETED]
    assert "the EMS runs" not in scene.durable
    for name in UNTOUCHED:
        assert scene.files[name] == before[name], name
    after = scene.record(B5, KnownGood)
    assert (after.admin_digest, after.admin_build_id, after.admin_revision) == (OWN.digest, OWN.build_id, OWN.revision)
    ems = evolve(
        after,
        admin_digest=good.admin_digest,
        admin_build_id=good.admin_build_id,
        admin_revision=good.admin_revision,
        aligned_at=good.aligned_at,
        healthcheck_at=good.healthcheck_at,
    )
    assert ems == good, "what it says of the EMS is what it said before"
    assert scene.do(installed_tag(scene.house)) == OLD_TAG
    assert f"releases/{OLD_TAG}/manifest.json" in scene.files, "what is installed is kept"
    assert OLD.build_id in scene.engine.pruned[-1]


def test_known_good_is_right_wherever_the_success_is_cut() -> None:
    """Each place leaves B5 with the EMS's own name, and the next resume ends it."""
    scene = taken_over(handed_over())
    scene.do(resuming(scene))
    whole = restarted(scene, OWN)
    whole.durable.clear()
    whole.do(resuming(whole))
    for step in range(len(whole.durable)):
        dying = restarted(scene, OWN)
        dying.durable.clear()
        dying.cut_after = step + 1
        with pytest.raises(PowerCut):
            dying.do(resuming(dying))
        again = restarted(dying, OWN)
        good = again.record(B5, KnownGood)
        assert (good.system_tag, good.ems_digest) == (OLD_TAG, OLD_EMS), step
        if again.stage is not Stage.COMPLETED:
            again.do(resuming(again))
        assert again.stage is Stage.COMPLETED


def test_an_ems_that_nobody_can_name_any_more_is_not_called_by_the_name_of_the_build() -> None:
    scene = taken_over(handed_over())
    scene.do(resuming(scene))
    del scene.site.world.files[B5]
    assert scene.refused(resuming(scene)).code is Code.KNOWN_GOOD_UNAVAILABLE
    assert (scene.stage, B5 in scene.files) == (Stage.HEALTHCHECK_PENDING, False)


def test_an_ems_that_has_become_ill_fails_the_operation_and_not_the_update() -> None:
    scene = taken_over(handed_over())
    scene.do(resuming(scene))
    del scene.site.world.files[RUNNING]
    assert scene.refused(resuming(scene)).code is Code.HEALTHCHECK_FAILED
    assert (scene.stage, scene.transition.resume_stage) == (Stage.FAILED_RECOVERABLE, Stage.HEALTHCHECK_PENDING)
    scene.site.world.files[RUNNING] = OLD_EMS.encode()
    scene.do(resuming(scene))
    assert scene.stage is Stage.COMPLETED


def test_an_update_that_a_token_has_asked_for_goes_on_to_its_end_by_itself() -> None:
    """`site.md` 9 (By token): no browser is there to press resume, neither for the proof nor for the health check."""
    scene = planned()
    scene.caller = Caller(session=None, token="fleet", scope=Scope.UPGRADE)
    assert scene.job(executing(scene)).error is None
    scene = taken_over(scene)
    stages = []
    for _ in range(3):
        scene.do(go_on_by_itself_if_nobody_asks(scene.house))
        scene.finish()
        stages.append(scene.stage)
    assert stages == [Stage.RESOURCES_VERIFIED, Stage.COMPLETED, Stage.COMPLETED]


def test_what_has_failed_there_is_not_tried_again_and_again() -> None:
    scene = planned()
    scene.caller = Caller(session=None, token="fleet", scope=Scope.UPGRADE)
    scene.job(executing(scene))
    scene = taken_over(scene)
    scene.do(go_on_by_itself_if_nobody_asks(scene.house))
    del scene.site.world.files[RUNNING]
    for _ in range(3):
        scene.do(go_on_by_itself_if_nobody_asks(scene.house))
        scene.finish()
    assert scene.stage is Stage.FAILED_RECOVERABLE
    assert len([job for job in scene.house.jobs.jobs if job.error is not None]) == 1


def failed_at_once(scene: Scene) -> Scene:
    scene.put(
        B1,
        evolve(
            scene.transition,
            stage=Stage.FAILED_RECOVERABLE,
            failed_stage=Stage.ADMIN_ALIGNED,
            resume_stage=Stage.ADMIN_ALIGNED,
            error_code=Code.SYSTEM_BUILD_RESOURCES_INVALID,
        ),
    )
    return scene


def of_the_update() -> Scene:
    """The update itself has failed behind its handover."""
    return failed_at_once(taken_over(handed_over()))


def of_an_upgrade_behind_it() -> Scene:
    """The update has ended well, and then an upgrade fails that brought nothing new yet."""
    scene = updated()
    began = scene.site.clock.now()
    scene.put(
        B1,
        evolve(
            scene.transition,
            operation_id="e" * 32,
            mode=Mode.GUIDED_UPGRADE,
            stage=Stage.ADMIN_ALIGNED,
            created_at=began,
            updated_at=began,
        ),
    )
    return failed_at_once(scene)


@pytest.mark.parametrize("failed", [of_the_update, of_an_upgrade_behind_it])
def test_the_return_brings_back_the_admin_of_the_ems_that_runs(failed: Callable[[], Scene]) -> None:
    scene = failed()
    job = scene.do(return_to_running_build(scene.house, scene.caller, scene.transition.operation_id, confirm=True))
    begun = scene.transition
    assert (begun.mode, begun.stage) == (Mode.ALIGN_EXISTING_INSTALL, Stage.ADMIN_UPDATE_PENDING)
    assert (begun.system_tag, begun.admin_digest, begun.ems_digest) == (OLD_TAG, OLD.digest, OLD_EMS)
    scene.finish()
    assert (job.error, scene.stage) == (None, Stage.ADMIN_RECONNECT_PENDING)
    back = restarted(scene, OLD)
    back.site.world.host.containers.clear()
    for _ in range(2):
        back.do(back.resuming())
    good = back.record(B5, KnownGood)
    assert back.stage is Stage.COMPLETED
    assert (good.system_tag, good.admin_build_id, good.ems_digest) == (OLD_TAG, OLD.build_id, OLD_EMS)


def test_a_later_upgrade_to_the_same_build_begins_with_its_admin_in_place() -> None:
    """`site.md` 3: the transition begins at `admin_aligned`, and its target is newer than the EMS that is installed."""
    scene = updated()
    scene.site.clock.pass_time(timedelta(minutes=1))
    looked = scene.do(validate_upgrade(scene.house, TAG))
    assert looked.upgrade_direction is Direction.NEWER
    seen = looked.validation.action_state
    assert (seen.continue_allowed, seen.admin_update_required) == (True, False)
    plan = scene.do(make_plan(scene.house, TAG, OPTIONS, seen.selection_fingerprint))
    request = UpgradeRequest(
        tag=TAG,
        options=OPTIONS,
        selection_fingerprint=seen.selection_fingerprint,
        migration_revision=plan.migration.revision,
        plan_fingerprint=plan.fingerprint,
        confirm=True,
    )
    scene.do(execute(scene.house, scene.caller, request))
    begun = scene.transition
    assert (begun.mode, begun.stage) == (Mode.GUIDED_UPGRADE, Stage.ADMIN_ALIGNED)
    shown = scene.do(admin_update_status(scene.house))
    assert (shown.state, shown.operation_id) == (None, None), "the update is over, and no plan waits"
    scene.finish()
    good = scene.record(B5, KnownGood)
    assert (scene.stage, good.system_tag, good.ems_digest) == (Stage.COMPLETED, TAG, EMS_DIGEST)
