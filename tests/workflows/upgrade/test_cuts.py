"""The power goes after every durable step of an upgrade: it is resumed or cancelled, and nothing is done twice.

Source: `site.md` 9; `seed 000` 3, 5.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from attrs import evolve

from ems_admin.machines.alignment.outlook import is_handed_over, is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import AcceptedBy, Stage
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.alignment.watch import go_on_by_itself_if_nobody_asks
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.upgrade.executing import execute
from tests.workflows.replacement.old_admin import again as old_again
from tests.workflows.replacement.old_admin import updaters
from tests.workflows.scene import B1, B5, B6, CONFIG, PowerCut, Scene
from tests.workflows.upgrade.test_whole import is_upgraded
from tests.workflows.upgrade.upgrades import (
    ALL,
    OLD_TAG,
    SAFE,
    backups,
    executing,
    good,
    replaced,
    request,
    resumed,
    resuming,
    runs,
    upgraded,
    with_a_broker_inside,
    yesterday,
)

TOKEN = Caller(session=None, token="token-1", scope=Scope.UPGRADE)


def cut_everywhere(before: Callable[[], Scene], act: Callable[[Scene], object]) -> Iterator[tuple[int, Scene]]:
    """Do it again and again, the power gone one durable step later each time; give the number and who has died."""
    number = 0
    while True:
        number += 1
        scene = before()
        scene.durable.clear()
        scene.cut_after = number
        try:
            act(scene)
        except PowerCut:
            yield number, scene
        else:
            assert number > 5
            return


def home(scene: Scene) -> Scene:
    """Go on as often as it takes, each time in whichever Admin serves."""
    for _ in range(6):
        if is_terminal(scene.transition):
            return scene
        if is_handed_over(scene.transition) and any(found.runs for found in updaters(scene)):
            scene = replaced(scene)
        resumed(scene)
    raise AssertionError(scene.transition)


@pytest.mark.parametrize("admin", [False, True])
def test_after_a_cut_anywhere_the_upgrade_is_resumed_to_its_end_with_one_backup_and_one_migration(admin: bool) -> None:
    """`site.md` 9: neither is ever repeated; known-good is the old build until the new one has proved well."""
    for number, dead in cut_everywhere(
        lambda: yesterday(with_a_broker_inside, admin=admin), lambda scene: upgraded(scene, SAFE)
    ):
        after = old_again(dead) if admin else dead.restart()
        begun = after.transition.system_tag == "v1.0.0" and after.transition.mode == "guided_upgrade"
        if not begun:
            assert B6 in after.files, "what is left of it is an orphan"
            assert upgraded(after).error is None, number
        if B5 in after.files and after.stage is not Stage.COMPLETED and after.stage is not Stage.HEALTHCHECK_PENDING:
            assert good(after).system_tag == OLD_TAG
        config, kept = after.files[CONFIG], backups(after)
        migrated = b'"hush"' not in config
        after.durable.clear()
        end = home(after)
        assert is_upgraded(end), number
        assert len(backups(end)) == 1, number
        assert not kept or backups(end) == kept, number
        written = after.durable.count(CONFIG) + (0 if end is after else end.durable.count(CONFIG))
        assert written == (0 if migrated else 1), number


def test_after_a_cut_anywhere_the_upgrade_can_be_cancelled_or_is_past_that() -> None:
    """`seed 000` 3 row 16a: exactly its own context goes, known-good stays, nothing else is touched."""
    cancelled = set()
    for number, dead in cut_everywhere(lambda: yesterday(with_a_broker_inside), lambda s: upgraded(s, SAFE)):
        after = dead.restart()
        if after.transition.mode != "guided_upgrade" or is_terminal(after.transition):
            continue
        before, stage = after.files, after.stage
        ending = call_off(after.house, after.caller, after.transition.operation_id, confirm=True)
        if stage in {Stage.EMS_OPERATION_RUNNING, Stage.HEALTHCHECK_PENDING}:
            assert after.refused(ending).code is Code.MUTATION_IN_PROGRESS, number
            assert after.files == before
            continue
        after.do(ending)
        cancelled.add(stage)
        assert after.stage is Stage.CANCELLED
        assert {name for name in before if after.files.get(name) != before[name]} == {B1, B6}, number
    assert cancelled == {Stage.ADMIN_ALIGNED, Stage.RESOURCES_VERIFIED, Stage.EMS_OPERATION_PENDING}


def test_a_cancel_clears_no_context_of_another_operation() -> None:
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    mine = after.files[B6]
    after.site.world.files[B6] = mine
    other = after.transition.operation_id
    after.do(call_off(after.house, after.caller, other, confirm=True))
    assert B6 not in after.files
    again = upgraded(after)
    assert (again.error, again.operation_id != other) == (None, True)


@pytest.mark.parametrize("admin", [False, True])
def test_an_upgrade_that_a_token_has_asked_for_goes_on_by_itself(admin: bool) -> None:
    """`site.md` 9 (By token)."""
    scene = yesterday(with_a_broker_inside, admin=admin)
    scene.do(execute(scene.house, TOKEN, request(scene, ALL)))
    assert scene.transition.accepted_by == AcceptedBy(session=None, token="token-1")
    if admin:
        scene.finish()
        after = replaced(scene)
    else:
        after = scene.restart()  # its process is gone before anything was done
    after.do(go_on_by_itself_if_nobody_asks(after.house))
    after.finish()
    assert is_upgraded(after)


def test_what_has_failed_waits_for_somebody_also_where_a_token_has_asked() -> None:
    scene = yesterday()
    scene.do(execute(scene.house, TOKEN, request(scene, ALL)))
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    scene.finish()
    after = scene.restart()
    before = after.files
    after.do(go_on_by_itself_if_nobody_asks(after.house))
    after.finish()
    assert after.files == before
    assert resumed(after).error is None


def test_one_that_a_person_has_asked_for_waits_for_that_person() -> None:
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    before = after.files
    after.do(go_on_by_itself_if_nobody_asks(after.house))
    assert (after.files, after.site.tasks.running) == (before, ())


@pytest.mark.parametrize("way", ["resume", "verify"])
def test_the_resume_of_the_operation_walks_the_same_course_as_far_as_it_goes(way: str) -> None:
    """`site.md` 3: from verified resources on, the upgrade's own resume goes on; a claimed start is found by either."""
    scene = yesterday(with_a_broker_inside)
    scene.do(executing(scene))
    after = scene.restart()
    if way == "resume":
        after.do(after.resuming())
    else:
        assert after.job(verify(after.house, after.caller, after.transition.operation_id)).error is None
    assert (after.stage, runs(after)) == (Stage.RESOURCES_VERIFIED, "old")
    assert len(backups(after)) == 1
    before = after.files
    after.do(after.resuming())
    assert after.files == before, "it only reports"
    assert resumed(after).error is None
    assert is_upgraded(after)


def test_the_resume_of_the_operation_takes_the_way_back_that_was_chosen() -> None:
    scene = yesterday()
    scene.do(executing(scene, SAFE))
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    after = scene.restart()
    after.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    assert after.refused(after.resuming()).code is Code.HEALTHCHECK_FAILED
    assert (runs(after), after.stage) == ("old", Stage.FAILED_RECOVERABLE)


def test_a_resume_that_is_refused_leaves_everything_as_it_is() -> None:
    scene = yesterday()
    scene.do(executing(scene))
    after = scene.restart()
    after.house = evolve(after.house)
    after.house.startup.passed = False
    before = after.files
    assert after.refused(resuming(after)).code is Code.STARTUP_CHECK_FAILED
    assert after.files == before
