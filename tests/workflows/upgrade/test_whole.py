"""A whole Guided Upgrade, from the plan to the known-good build (`site.md` 9)."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from ems_admin.machines.guided_upgrade import UpgradeState, read
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.upgrade.steps import STEPS, Step
from ems_admin.workflows.alignment.status import AlignmentStatus
from ems_admin.workflows.jobs import JobStatus, StepStatus
from tests.memory.house import EMS_DIGEST, OWN, TAG
from tests.workflows.replacement.old_admin import OLD
from tests.workflows.scene import B1, B3, B5, B6, CONFIG, Scene
from tests.workflows.upgrade.upgrades import (
    ALL,
    OLD_TAG,
    Change,
    backups,
    context,
    executing,
    good,
    replaced,
    resumed,
    resuming,
    runs,
    upgraded,
    with_a_broker_inside,
    without_a_key,
    yesterday,
)


def is_upgraded(scene: Scene) -> bool:
    """The new build runs, is known to be good, and the operation has left nothing behind but itself."""
    marker = scene.record(B3, DeploymentMarker)
    assert (scene.stage, scene.transition.mode) == (Stage.COMPLETED, Mode.GUIDED_UPGRADE)
    assert (good(scene).system_tag, good(scene).ems_digest, good(scene).admin_digest) == (TAG, EMS_DIGEST, OWN.digest)
    assert (marker.release, {image.digest for image in marker.images}) == (TAG, {EMS_DIGEST})
    assert B6 not in scene.files
    assert scene.house.work.holder is None
    return runs(scene) == "new"


def test_the_ems_is_replaced_by_that_of_the_build() -> None:
    scene = yesterday()
    job = upgraded(scene)
    assert (job.kind, job.error, job.status) == (WorkKind.GUIDED_UPGRADE, None, JobStatus.SUCCEEDED)
    assert is_upgraded(scene)
    assert [step.key for step in job.steps] == [
        str(step.step)
        for step in STEPS
        if step.step not in {Step.MIGRATION, Step.ADMIN, Step.HANDOVER}  # nothing to migrate, and the Admin fits
    ]
    assert {step.status for step in job.steps} == {StepStatus.SUCCEEDED}
    assert job.result is not None
    assert job.result["checks"], "what was found is shown"
    assert backups(scene) == [f"backups/sets/upgrade-{scene.transition.operation_id}.emsbackup"]


def test_what_was_chosen_is_durable_before_the_operation_begins_and_all_else_comes_after_the_answer() -> None:
    """`site.md` 9; `faults.md` F40."""
    scene = yesterday(with_a_broker_inside)
    asked = executing(scene)
    scene.durable.clear()
    job = scene.do(asked)
    assert scene.durable == [B6, B1]
    assert (job.status, job.operation_id) == (JobStatus.RUNNING, scene.transition.operation_id)
    held = context(scene)
    assert (held.operation_id, held.target_system_tag, held.options) == (job.operation_id, TAG, ALL)
    assert (held.backup_completed, held.migration_required, held.migration_completed) == (False, True, False)
    assert held.request_fingerprint == scene.transition.request_fingerprint
    scene.finish()
    assert is_upgraded(scene)


@pytest.mark.parametrize("change", [with_a_broker_inside, without_a_key])
def test_the_config_is_migrated_after_the_backup_and_before_all_else(change: Change) -> None:
    """`site.md` 9 (W6)."""
    scene = yesterday(change)
    before = scene.files[CONFIG]
    scene.do(executing(scene))
    scene.durable.clear()
    scene.finish()
    config = json.loads(scene.files[CONFIG])
    assert scene.files[CONFIG] != before
    assert "winter_mode" in config["features"]
    attic = [device for device in config["devices"] if device["name"] == "Attic"]
    assert all("password" not in device["mqtt"] for device in attic)
    assert scene.durable.index(backups(scene)[0]) < scene.durable.index(CONFIG) < scene.durable.index(B1)
    assert scene.durable.count(CONFIG) == 1
    assert is_upgraded(scene)


def test_the_admin_is_replaced_on_the_way_and_the_new_one_goes_on_to_the_end() -> None:
    scene = yesterday(with_a_broker_inside, admin=True)
    job = upgraded(scene)
    assert (job.error, job.reconnect, scene.stage) == (None, True, Stage.ADMIN_RECONNECT_PENDING)
    assert runs(scene) == "old"
    migrated, kept, held = scene.files[CONFIG], backups(scene), context(scene)
    assert (held.backup_completed, held.backup_verified, held.migration_completed) == (True, True, True)
    assert isinstance(scene.do(resuming(scene)), AlignmentStatus), "another Admin is waited for"
    after = replaced(scene)
    after.durable.clear()
    job = resumed(after)
    assert job.error is None
    settled = [step.key for step in job.steps][: [step.key for step in job.steps].index("handover")]
    assert {"backup", "migration", "admin"} <= set(settled)
    assert (after.files[CONFIG], backups(after)) == (migrated, kept), "neither is done a second time"
    assert CONFIG not in after.durable
    assert is_upgraded(after)


def test_a_step_that_was_settled_before_is_shown_as_done_from_the_first_look() -> None:
    scene = yesterday(admin=True)
    upgraded(scene)
    after = replaced(scene)
    job = after.do(resuming(after))
    assert not isinstance(job, AlignmentStatus)
    shown = {step.key: step.status for step in job.steps}
    assert (shown["backup"], shown["admin"]) == (StepStatus.SUCCEEDED, StepStatus.SUCCEEDED)
    assert shown["pull"] is StepStatus.PENDING


def test_what_was_not_chosen_is_not_done() -> None:
    scene = yesterday()
    options = evolve(ALL, backup=False, config_check=False, config_add_keys=False, pull_image=False, recreate=False)
    job = upgraded(scene, options)
    assert job.error is None
    assert not {"backup", "config_check", "migration"} & {step.key for step in job.steps}
    assert backups(scene) == []
    assert is_upgraded(scene)


def test_the_upgrade_is_shown_as_it_goes_on() -> None:
    scene = yesterday()
    seen = [UpgradeState.PLANNED]
    work = executing(scene)
    scene.do(work)
    while scene.site.tasks.running:
        state = read(scene.transition, context(scene) if B6 in scene.files else None)
        if state is not seen[-1]:
            seen.append(state)
        scene.site.tasks.running[0].step()
    assert seen[1:] == [
        UpgradeState.PRE_ALIGNMENT,
        UpgradeState.ALIGNING,
        UpgradeState.UPGRADING,
        UpgradeState.DIAGNOSING,
        UpgradeState.COMPLETED,
    ]


def test_known_good_is_the_old_build_until_the_new_one_has_proved_well() -> None:
    scene = yesterday()
    before = scene.files[B5]
    scene.do(executing(scene))
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
        assert scene.files[B5] == before
    assert (good(scene).system_tag, OLD.build_id) == (OLD_TAG, "0.9.0")
    scene.finish()
    assert good(scene).system_tag == TAG


def test_two_clicks_are_one_upgrade() -> None:
    """F38."""
    scene = yesterday()
    agreed = executing(scene)
    again = executing(scene)
    job = scene.do(agreed)
    assert scene.do(again) is job
    scene.finish()
    assert is_upgraded(scene)
