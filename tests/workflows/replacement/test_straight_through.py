"""From yesterday's Admin to a healthy EMS of the chosen build, every process on its own and every record real."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.host import ADMIN_NAME
from tests.memory.processes import Processes
from tests.memory.world import Call
from tests.workflows.replacement.moments import failure, walked
from tests.workflows.replacement.old_admin import OLD, as_new, handed_over, host, look, updaters
from tests.workflows.scene import Scene


def taken_over() -> Scene:
    """The walk has ended, and the new Admin serves."""
    scene = as_new(walked())
    scene.house.launcher.me = host(scene).admins_that_run()[0].id  # type: ignore[attr-defined]  # its own container
    return scene


def test_a_setup_goes_on_to_a_healthy_ems_under_its_new_admin() -> None:
    scene = taken_over()
    (admin,) = host(scene).admins_that_run()
    assert (admin.name, scene.stage) == (ADMIN_NAME, Stage.ADMIN_RECONNECT_PENDING)
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    assert view.next_actions[0].action == "resume"
    scene.do(scene.resuming())
    assert scene.stage is Stage.RESOURCES_VERIFIED
    assert len(updaters(scene)) == 1, "kept as evidence while its operation lives"
    scene.review()
    scene.do(scene.writing())
    assert scene.job(scene.preparing()).error is None
    assert scene.job(scene.starting()).error is None
    assert (scene.stage, scene.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED)
    look(scene)
    assert updaters(scene) == (), "and gone with its end (D10)"


def test_fetching_the_build_again_goes_on_on_the_target_as_a_resume_does() -> None:
    scene = taken_over()
    scene.open()
    assert scene.fetch().error is None
    assert scene.stage is Stage.RESOURCES_VERIFIED


@pytest.mark.parametrize("place", ["verify new admin", "start new admin"])
def test_while_it_may_still_be_rolled_back_the_new_admin_moves_nothing(place: str) -> None:
    """`replacement.md` 7.7: until U10 is noted, or the updater is proven inactive."""
    scene = handed_over()
    (updater,) = updaters(scene)
    processes = Processes(scene.site.world, scene.site.clock)
    while processes.step(updater.id) != Call(place):
        pass
    target = as_new(scene)
    view = target.do(alignment_status(target.house)).transition
    assert view is not None
    assert (view.next_actions, view.replacement_active) == ((), True), "what would be refused is not offered"
    assert target.refused(target.resuming()).code is Code.REPLACEMENT_ACTIVE
    assert target.stage is Stage.ADMIN_RECONNECT_PENDING
    assert target.house.work.holder is None


def test_another_admin_than_was_sent_for_is_recorded() -> None:
    """`site.md` 3: an answering edge."""
    scene = taken_over()
    scene.house = evolve(scene.house, identity=KnownIdentity(None))
    assert scene.refused(scene.resuming()).code is Code.ADMIN_UNVERIFIABLE
    assert scene.stage is Stage.ADMIN_RECONNECT_PENDING
    scene.house = evolve(scene.house, identity=KnownIdentity(OLD))
    look(scene)
    assert failure(scene) == (
        Stage.FAILED_RECOVERABLE,
        "replacement_updater_failed",
        Stage.ADMIN_UPDATE_PENDING,
    ), "the old one came back after U10: there is only forward, and that is a retry"
