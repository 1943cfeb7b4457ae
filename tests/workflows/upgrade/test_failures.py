"""Every step of an upgrade fails once: the operation says so, resumes at its stage, and a resume goes on to the end.

Source: `site.md` 3, 9.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.jobs import JobStatus, StepStatus
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import NotCommitted
from tests.workflows.replacement.old_admin import trouble
from tests.workflows.scene import B3, B5, B6, CONFIG, FULL_DISK, Scene
from tests.workflows.upgrade.test_whole import is_upgraded
from tests.workflows.upgrade.upgrades import (
    SAFE,
    backups,
    context,
    executing,
    good,
    replaced,
    resumed,
    runs,
    with_a_broker_inside,
    yesterday,
)

Spoil = Callable[[Scene], None]
NO_SPACE = NotCommitted(code=Code.CONFIG_WRITE_FAILED, detail="no_space")


def backup_fails(scene: Scene) -> None:
    scene.fail(f"backups/sets/upgrade-{scene.transition.operation_id}.emsbackup", FULL_DISK)


def note_of_the_backup_fails(scene: Scene) -> None:
    scene.fail(B6)


def config_is_not_written(scene: Scene) -> None:
    scene.fail(CONFIG, NO_SPACE)


def config_changes_meanwhile(scene: Scene) -> None:
    scene.site.world.files[CONFIG] = scene.files[CONFIG].replace(b"mqtt.lan", b"mqtt.home")


def engine_fails(step: str, code: Code) -> Spoil:
    def spoil(scene: Scene) -> None:
        scene.engine.fails[step] = EngineFailure(code=code, detail="ems")

    spoil.__name__ = f"{step} fails"
    return spoil


def ems_is_cleared_away(scene: Scene) -> None:
    scene.engine.lost.add("1.0.0")


def marker_is_not_written(scene: Scene) -> None:
    scene.fail(B3)


def known_good_is_not_written(scene: Scene) -> None:
    scene.fail(B5)


FAILURES: tuple[tuple[Spoil, Code, Stage, Stage], ...] = (
    (backup_fails, Code.STATE_WRITE_FAILED, Stage.ADMIN_ALIGNED, Stage.ADMIN_ALIGNED),
    (note_of_the_backup_fails, Code.STATE_WRITE_FAILED, Stage.ADMIN_ALIGNED, Stage.ADMIN_ALIGNED),
    (config_is_not_written, Code.CONFIG_WRITE_FAILED, Stage.ADMIN_ALIGNED, Stage.ADMIN_ALIGNED),
    (
        engine_fails("fetch", Code.IMAGE_PULL_NETWORK_ERROR),
        Code.IMAGE_PULL_NETWORK_ERROR,
        Stage.RESOURCES_VERIFIED,
        Stage.RESOURCES_VERIFIED,
    ),
    (ems_is_cleared_away, Code.IMAGE_UNAVAILABLE, Stage.RESOURCES_VERIFIED, Stage.RESOURCES_VERIFIED),
    (marker_is_not_written, Code.STATE_WRITE_FAILED, Stage.EMS_OPERATION_PENDING, Stage.EMS_OPERATION_PENDING),
    (
        engine_fails("start", Code.EMS_START_FAILED),
        Code.EMS_START_FAILED,
        Stage.EMS_OPERATION_RUNNING,
        Stage.EMS_OPERATION_PENDING,
    ),
    (
        engine_fails("settle", Code.EMS_NOT_RUNNING),
        Code.EMS_NOT_RUNNING,
        Stage.EMS_OPERATION_RUNNING,
        Stage.EMS_OPERATION_PENDING,
    ),
    (
        engine_fails("probe", Code.HEALTHCHECK_FAILED),
        Code.HEALTHCHECK_FAILED,
        Stage.HEALTHCHECK_PENDING,
        Stage.EMS_OPERATION_PENDING,
    ),
)


@pytest.mark.parametrize(
    ("spoil", "code", "failed", "resumes"), FAILURES, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_failure_is_told_by_its_code_and_a_resume_goes_on(
    spoil: Spoil, code: Code, failed: Stage, resumes: Stage
) -> None:
    """`site.md` 3 (table of the stages)."""
    scene = yesterday(with_a_broker_inside)
    job = scene.do(executing(scene))
    before = scene.files[B5]
    spoil(scene)
    scene.finish()
    told = scene.transition
    assert (told.stage, told.error_code, told.failed_stage, told.resume_stage) == (
        Stage.FAILED_RECOVERABLE,
        code,
        failed,
        resumes,
    )
    assert job.error is not None
    assert (job.status, job.error.code) == (JobStatus.FAILED, code)
    assert [step.status for step in job.steps].count(StepStatus.FAILED) == 1
    assert (scene.files[B5], scene.house.work.holder) == (before, None)
    assert context(scene).operation_id == told.operation_id, "kept for the upgrade that may go on (row 17)"
    scene.engine.lost.clear()
    again = resumed(scene)
    assert again.error is None, again.error
    assert is_upgraded(scene)
    assert len(backups(scene)) == 1


def test_a_stop_during_the_fetch_leaves_the_upgrade_where_it_is() -> None:
    scene = yesterday()
    job = scene.do(executing(scene))
    while job.step is None or job.step.key != "pull":
        scene.site.tasks.running[0].step()
    scene.house.jobs.stop(job.id)
    scene._run_tasks()
    assert job.error is not None
    assert (job.error.code, scene.stage) == (Code.JOB_CANCELLED, Stage.RESOURCES_VERIFIED)
    after = scene.restart()
    assert resumed(after).error is None
    assert is_upgraded(after)


def test_a_failed_note_of_the_known_good_build_leaves_the_health_check_to_be_asked_again() -> None:
    """The seam `success`: B5 comes first, and an operation that has not completed is resumed."""
    scene = yesterday()
    scene.do(executing(scene))
    known_good_is_not_written(scene)
    scene.finish()
    assert (scene.stage, good(scene).system_tag) == (Stage.HEALTHCHECK_PENDING, "v0.9.0")
    assert resumed(scene).error is None
    assert is_upgraded(scene)


def test_a_config_that_somebody_changed_after_the_review_is_not_overwritten() -> None:
    """W6: the revision is compared again under the lock."""
    scene = yesterday(with_a_broker_inside)
    job = scene.do(executing(scene))
    config_changes_meanwhile(scene)
    before = scene.files[CONFIG]
    scene.finish()
    assert job.error is not None
    assert (job.error.code, scene.transition.resume_stage) == (Code.MIGRATION_REVIEW_STALE, Stage.ADMIN_ALIGNED)
    assert scene.files[CONFIG] == before
    assert resumed(scene).error is not None, "what was reviewed is on record, and no other one is written"
    assert scene.files[CONFIG] == before


def test_a_config_that_the_build_does_not_take_is_found_before_anything_is_fetched() -> None:
    scene = yesterday()
    job = scene.do(executing(scene))
    before = scene.files[CONFIG]
    scene.site.world.files[CONFIG] = before.replace(b'"deadband":', b'"deadbend":')
    assert scene.files[CONFIG] != before
    scene.finish()
    assert job.error is not None
    assert (job.error.code, scene.transition.resume_stage) == (Code.VALIDATION_FAILED, Stage.RESOURCES_VERIFIED)
    assert runs(scene) == "old"
    scene.site.world.files[CONFIG] = before
    assert resumed(scene).error is None
    assert is_upgraded(scene)


def test_an_updater_that_is_not_launched_leaves_the_groundwork_settled() -> None:
    scene = yesterday(with_a_broker_inside, admin=True)
    scene.do(executing(scene))
    trouble(scene, "create updater", EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED))
    scene.finish()
    told = scene.transition
    assert (told.error_code, told.resume_stage) == (Code.ADMIN_UPDATE_LAUNCH_FAILED, Stage.ADMIN_UPDATE_PENDING)
    held, kept = context(scene), backups(scene)
    assert (held.backup_completed, held.migration_completed) == (True, True)
    job = resumed(scene)
    assert (job.error, scene.stage) == (None, Stage.ADMIN_RECONNECT_PENDING)
    assert (context(scene), backups(scene)) == (held, kept)
    after = replaced(scene)
    assert resumed(after).error is None
    assert is_upgraded(after)


def test_a_backup_that_failed_comes_before_an_admin_that_is_prepared_once_more() -> None:
    scene = yesterday(admin=True)
    scene.do(executing(scene))
    backup_fails(scene)
    scene.finish()
    assert (scene.stage, scene.transition.resume_stage) == (Stage.FAILED_RECOVERABLE, Stage.ADMIN_UPDATE_PENDING)
    assert not context(scene).backup_completed
    scene.durable.clear()
    assert resumed(scene).error is None
    assert scene.durable.index(backups(scene)[0]) < scene.durable.index("state/replacement-dispatch.json")
    assert resumed(replaced(scene)).error is None


def test_an_engine_that_cannot_be_asked_moves_nothing_that_was_claimed() -> None:
    """`faults.md` D1: an EMS that cannot be seen is neither well nor sick."""
    scene = yesterday()
    scene.do(executing(scene, SAFE))
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.engine.reachable = False
    scene.finish()
    told = scene.transition
    assert (told.error_code, told.resume_stage) == (Code.EMS_IDENTITY_UNVERIFIABLE, Stage.HEALTHCHECK_PENDING)
    scene.engine.reachable = True
    assert runs(scene) == "new", "nothing was put back on the strength of silence"
    assert resumed(scene).error is None
    assert is_upgraded(scene)
