"""Rows 22a to 26c: success, cleanup, and what an end and a running work do to one another."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.setup import NO_ARTIFACTS, CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.jobs import Job, JobStatus
from ems_admin.workflows.setup.supersede import supersede
from ems_admin.workflows.upgrade.gate import require_upgrade_open
from tests.matrix.judgement import Played
from tests.matrix.show import Show, Theatre, plays
from tests.matrix.upgrades import upgrading
from tests.memory.house import TAG
from tests.workflows.places import prepared, reviewed, running, written
from tests.workflows.scene import B0, B3, B5, CONFIG, Scene
from tests.workflows.situations import something_is_ended
from tests.workflows.stubborn import Stubborn
from tests.workflows.upgrade.upgrades import resumed


@plays("22a")
def upgrade_completes(theatre: Theatre) -> Played:
    scene = upgrading(Stage.HEALTHCHECK_PENDING)
    show = Show(scene)
    assert resumed(scene).error is None
    assert scene.record(B5, KnownGood).system_tag == TAG
    return show.end()


def everything_else_is_closed(scene: Scene) -> None:
    """While a cleanup is owed, neither a Setup nor either phase of an upgrade begins."""
    again = start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=True)
    assert scene.refused(again).code is Code.SETUP_CLEANUP_REQUIRED
    assert scene.refused(require_upgrade_open(scene.house)).code == Code.SETUP_CLEANUP_REQUIRED


@plays("23")
def cleanup_that_failed(theatre: Theatre) -> Played:
    scene = prepared()
    lets_go, workflow_id = scene.house, scene.workflow_id
    show = Show(scene)
    scene.house = evolve(lets_go, setup_files=Stubborn(scene.site.world))
    show.refused(scene.abandoning())
    everything_else_is_closed(scene)
    scene.house = lets_go
    played = show.end()
    after = scene.restart(start_up=False)
    assert (after.setup.status, after.setup.cleanup.state) == (WorkflowStatus.ABANDONED, CleanupState.PENDING)
    after.do(after.abandoning(workflow_id=workflow_id))
    assert after.setup.cleanup.state is CleanupState.COMPLETE, "the same id converges"
    after.do(after.abandoning(workflow_id=workflow_id))
    after.do(require_upgrade_open(after.house))
    return played


@plays("23a")
def cleanup_that_nobody_can_prove(theatre: Theatre) -> Played:
    scene = prepared()
    scene.put(B3, evolve(scene.marker, workflow_id="w" * 43))
    marker = scene.files[B3]
    show = Show(scene)
    show.refused(scene.abandoning())
    everything_else_is_closed(scene)
    played = show.end()
    assert scene.refused(scene.abandoning()).code is Code.SETUP_ARTIFACT_REVIEW_REQUIRED, "a recheck never converts it"
    assert scene.files[B3] == marker
    assert scene.setup.cleanup.state is CleanupState.REVIEW_REQUIRED
    return played


@plays("23b")
def nothing_was_claimed(theatre: Theatre) -> Played:
    installed = running()
    scene = Scene()
    scene.site.ids.count = installed.site.ids.count
    scene.site.world.files |= {name: installed.files[name] for name in (B3, B5, CONFIG, "/stack.json")}
    scene.site.world.files["generated/config.json"] = b"{}"
    scene.open(confirm=True)
    assert scene.fetch().error is None
    show = Show(scene)
    ended = show.allowed(scene.abandoning())
    assert ended.cleanup == ()
    assert scene.setup.cleanup.state is CleanupState.COMPLETE
    scene.do(require_upgrade_open(scene.house))
    return show.end()


def both_ends(show: Show) -> None:
    scene = show.scene
    show.refused(scene.abandoning())
    show.refused(supersede(scene.house, scene.caller, scene.workflow_id, TAG))


@plays("26")
def end_during_a_mutation(theatre: Theatre) -> Played:
    scene = reviewed()
    running_apply = scene.applying()
    scene.until(running_apply, lambda _mark: scene.house.work.holder is not None)
    show = Show(scene)
    told = scene.refused(scene.abandoning())
    assert told.more["operation"] == WorkKind.CONFIG_APPLY
    both_ends(show)
    played = show.end()
    scene.do(running_apply)
    assert scene.setup.status is WorkflowStatus.ACTIVE
    assert CONFIG in scene.files, "it ended as if nobody had asked"
    scene.do(scene.abandoning())
    return played


@plays("26a")
def mutation_during_an_end(theatre: Theatre) -> Played:
    scene = reviewed()
    something_is_ended(scene)
    show = Show(scene)
    show.refused(scene.applying())
    show.refused(scene.writing())
    assert not [name for name in scene.durable if "credentials" in name], "before any secret is staged"
    return show.end()


def preparing() -> tuple[Scene, Job]:
    """A worker prepares, and has not come to its first durable step."""
    scene = written()
    job = scene.do(scene.preparing())
    scene.site.tasks.running[0].step()
    return scene, job


@plays("26b")
def end_during_a_worker(theatre: Theatre) -> Played:
    scene, job = preparing()
    show = Show(scene)
    both_ends(show)
    played = show.end()
    scene.finish()
    assert (job.status, scene.marker.workflow_id) == (JobStatus.SUCCEEDED, scene.workflow_id)
    scene.do(scene.abandoning())
    assert scene.setup.status is WorkflowStatus.ABANDONED, "once it has ended"
    return played


@plays("26c")
def superseded_worker(theatre: Theatre) -> Played:
    scene, job = preparing()
    scene.put(B0, evolve(scene.setup, workflow_id="w" * 43, artifacts=NO_ARTIFACTS))
    show = Show(scene)
    scene.finish()
    assert job.error is not None
    show.told.append(Code(job.error.code))
    assert job.status is JobStatus.FAILED
    assert B3 not in scene.files
    return show.end()
