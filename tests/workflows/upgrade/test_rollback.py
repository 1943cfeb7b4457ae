"""The automatic way back: what is said of it is what the running digest proves (`site.md` 9; `faults.md` F24)."""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.upgrade.course import WayBack, way_back_of
from ems_admin.workflows.ports.engine import EngineFailure
from tests.memory.outside import RUNNING, STACK_FILE
from tests.workflows.scene import B3, B5, CONFIG, PowerCut, Scene
from tests.workflows.upgrade.test_whole import is_upgraded
from tests.workflows.upgrade.upgrades import (
    ALL,
    OLD_EMS,
    OLD_TAG,
    SAFE,
    Change,
    backups,
    context,
    executing,
    nothing,
    resumed,
    runs,
    with_a_broker_inside,
    yesterday,
)

UNHEALTHY = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
AGAIN = f"The known-good build {OLD_TAG} runs again."
FAILING = pytest.mark.parametrize(
    ("step", "code"),
    [("start", Code.EMS_START_FAILED), ("settle", Code.EMS_NOT_RUNNING), ("probe", Code.HEALTHCHECK_FAILED)],
)


def sick(step: str = "probe", code: Code = Code.HEALTHCHECK_FAILED, change: Change = nothing) -> Scene:
    """An upgrade with a way back is about to find its new EMS sick."""
    scene = yesterday(change)
    scene.do(executing(scene, SAFE))
    scene.engine.fails[step] = EngineFailure(code=code, detail="ems")
    return scene


@FAILING
@pytest.mark.parametrize("change", [nothing, with_a_broker_inside])
def test_the_known_good_build_runs_again_with_its_config(step: str, code: Code, change: Change) -> None:
    before = yesterday(change)
    scene = sick(step, code, change)
    scene.finish()
    told, marker = scene.transition, scene.record(B3, DeploymentMarker)
    assert (told.stage, told.error_code, told.resume_stage) == (
        Stage.FAILED_RECOVERABLE,
        code,
        Stage.EMS_OPERATION_PENDING,
    )
    assert told.error_message is not None
    assert told.error_message.endswith(AGAIN)
    assert runs(scene) == "old"
    assert (scene.files[CONFIG], scene.files[B5]) == (before.files[CONFIG], before.files[B5])
    assert (marker.release, {image.digest for image in marker.images}) == (OLD_TAG, {OLD_EMS})
    assert scene.files[STACK_FILE] == b"0.9.0"
    assert not context(scene).migration_completed, "the next try migrates it again"


@pytest.mark.parametrize("change", [nothing, with_a_broker_inside])
def test_after_a_way_back_the_upgrade_goes_on_as_a_whole(change: Change) -> None:
    scene = sick(change=change)
    scene.finish()
    kept = backups(scene)
    assert resumed(scene).error is None
    assert is_upgraded(scene)
    assert backups(scene) == kept, "one backup, however often it is tried"


def test_without_the_choice_nothing_is_put_back() -> None:
    scene = yesterday(with_a_broker_inside)
    scene.do(executing(scene, ALL))
    scene.engine.fails["probe"] = UNHEALTHY
    scene.finish()
    assert (scene.transition.error_code, scene.transition.error_message) == (Code.HEALTHCHECK_FAILED, "ems")
    assert runs(scene) == "new"
    assert context(scene).migration_completed


def test_a_known_good_build_that_is_gone_is_told_before_anything_is_stopped() -> None:
    """F24."""
    scene = yesterday()
    scene.do(executing(scene, SAFE))
    scene.engine.lost.add("0.9.0")
    scene.durable.clear()
    scene.finish()
    told = scene.transition
    assert (told.error_code, told.resume_stage) == (Code.KNOWN_GOOD_IMAGE_MISSING, Stage.EMS_OPERATION_PENDING)
    assert (runs(scene), "the EMS runs" in scene.durable) == ("old", False)
    scene.engine.lost.clear()
    assert resumed(scene).error is None
    assert is_upgraded(scene)


def test_one_that_is_gone_by_then_leaves_the_sick_one_running() -> None:
    """F24: nothing is stopped that could not be brought back."""
    scene = sick()
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.engine.lost.add("0.9.0")
    scene.finish()
    assert (scene.transition.error_code, runs(scene)) == (Code.KNOWN_GOOD_IMAGE_MISSING, "new")
    assert "healthcheck_failed" in (scene.transition.error_message or "")


def test_nothing_is_claimed_of_a_known_good_build_that_does_not_start() -> None:
    scene = sick()
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.engine.fails["start"] = EngineFailure(code=Code.EMS_START_FAILED, detail="ems")
    scene.finish()
    message = scene.transition.error_message or ""
    assert (scene.transition.error_code, AGAIN in message) == (Code.HEALTHCHECK_FAILED, False)
    assert "could not be brought back: ems_start_failed" in message


def test_an_engine_that_falls_silent_on_the_way_back_leaves_the_operation_where_it_is() -> None:
    scene = sick()
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    while "probe" in scene.engine.fails:
        scene.site.tasks.running[0].step()
    scene.engine.reachable = False
    scene.finish()
    assert scene.stage is Stage.HEALTHCHECK_PENDING
    scene.engine.reachable = True
    scene.engine.fails["probe"] = UNHEALTHY
    assert resumed(scene).error is not None
    assert (runs(scene), scene.stage) == ("old", Stage.FAILED_RECOVERABLE)


@FAILING
@pytest.mark.parametrize("change", [nothing, with_a_broker_inside])
def test_a_way_back_that_was_cut_anywhere_is_taken_again_by_a_resume(step: str, code: Code, change: Change) -> None:
    """B1 stays where it is until the known-good digest runs."""
    number = 0
    while True:
        number += 1
        scene = sick(step, code, change)
        while step in scene.engine.fails:
            scene.site.tasks.running[0].step()
        scene.durable.clear()
        scene.cut_after = number
        try:
            scene.finish()
        except PowerCut:
            after = scene.restart()
        else:
            break
        if after.stage is not Stage.FAILED_RECOVERABLE:
            begun = way_back_of(after.transition, context(after), after.record(B3, DeploymentMarker))
            if begun is WayBack.NONE:
                found = "probe" if runs(after) == "new" else step
                after.engine.fails[found] = EngineFailure(code=code, detail="ems")  # as sick as before
            assert resumed(after).error is not None
            after.engine.fails.clear()
        assert (after.stage, runs(after)) == (Stage.FAILED_RECOVERABLE, "old"), number
        assert AGAIN in (after.transition.error_message or ""), number
        assert after.files[CONFIG] == yesterday(change).files[CONFIG]
        assert resumed(after).error is None, number
        assert is_upgraded(after)
    assert number > 2


def test_a_site_without_a_known_good_build_says_so() -> None:
    scene = yesterday()
    del scene.site.world.files[B5]
    scene.do(executing(scene, SAFE))
    scene.engine.fails["probe"] = UNHEALTHY
    scene.finish()
    assert scene.transition.error_code == Code.HEALTHCHECK_FAILED
    assert "no known-good build" in (scene.transition.error_message or "")
    assert scene.files[RUNNING] != OLD_EMS.encode()


def test_an_edit_that_somebody_made_after_the_migration_stays() -> None:
    scene = sick(change=with_a_broker_inside)
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    edited = scene.files[CONFIG].replace(b'"deadband": 25', b'"deadband": 30')
    assert edited != scene.files[CONFIG]
    scene.site.world.files[CONFIG] = edited
    scene.finish()
    assert scene.files[CONFIG] == edited
    assert runs(scene) == "old"
    resumed(scene)
    assert is_upgraded(scene)
    assert scene.files[CONFIG] == edited
