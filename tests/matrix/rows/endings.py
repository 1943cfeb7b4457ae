"""Rows 15 to 18c: ends and failures."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.alignment.returning import return_to_running_build
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.setup.supersede import supersede
from tests.matrix.judgement import Played
from tests.matrix.show import Show, Theatre, plays
from tests.matrix.upgrades import installed_long_ago, upgrading
from tests.memory.house import TAG
from tests.workflows.foreign import failed_upgrade
from tests.workflows.places import begun, failed, prepared
from tests.workflows.scene import B1, B5, B6, Scene
from tests.workflows.upgrade.upgrades import resumed

UNHEALTHY = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")


@plays("15")
def restart_setup(theatre: Theatre) -> Played:
    show = Show(prepared())
    scene, old = show.scene, show.scene.workflow_id
    show.allowed(scene.abandoning())
    begun = scene.open(confirm=True)
    assert begun.setup_workflow_id not in {old, None}
    assert begun.setup_intent_id is not None
    return show.end()


@plays("16")
def discard_setup(theatre: Theatre) -> Played:
    show = Show(failed())
    scene = show.scene
    before = scene.files
    for other, code in ((None, Code.SETUP_WORKFLOW_REQUIRED), ("w" * 43, Code.SETUP_WORKFLOW_NOT_ACTIVE)):
        assert scene.refused(scene.abandoning(workflow_id=other)).code is code
    assert scene.files == before
    show.allowed(scene.abandoning())
    assert scene.setup.status is WorkflowStatus.ABANDONED
    return show.end()


@plays("16a")
def cancel_upgrade(theatre: Theatre) -> Played:
    show = Show(upgrading(Stage.FAILED_RECOVERABLE))
    scene = show.scene
    show.allowed(call_off(scene.house, scene.caller, scene.transition.operation_id, confirm=True))
    return show.end()


@plays("16b")
def unknown_owner(theatre: Theatre) -> Played:
    scene = installed_long_ago()
    scene.put(B1, evolve(scene.transition, stage=Stage.RESOURCES_VERIFIED))
    operation_id = scene.transition.operation_id
    scene.site.world.files[B1] = scene.files[B1].replace(Mode.FRESH_INSTALL.encode(), b"time_travel")
    show = Show(scene)
    show.refused(call_off(scene.house, scene.caller, operation_id, confirm=True))
    return show.end()


@plays("16c")
def cancel_past_the_setup(theatre: Theatre) -> Played:
    show = Show(prepared())
    scene = show.scene
    show.refused(call_off(scene.house, scene.caller, scene.transition.operation_id, confirm=True))
    return show.end()


@plays("16d")
def another_build(theatre: Theatre) -> Played:
    show = Show(prepared())
    scene, old = show.scene, show.scene.workflow_id
    done = show.allowed(supersede(scene.house, scene.caller, old, TAG))
    assert (done.superseded_workflow_id, scene.setup.workflow_id) == (old, done.setup_workflow_id)
    assert old != done.setup_workflow_id
    assert (scene.setup.selected_system_tag, scene.setup.operation_id) == (TAG, None)
    scene.workflow_id, scene.intent_id = done.setup_workflow_id, done.setup_intent_id
    played = show.end()
    assert scene.fetch().error is None, "the fresh confirmation is good for the new workflow"
    return played


def becomes_unhealthy(scene: Scene) -> None:
    scene.engine.fails["probe"] = UNHEALTHY


@plays("17")
def failure(theatre: Theatre) -> Played:
    scene = prepared()
    scene.site.world.files.setdefault("/running-ems", scene.transition.ems_digest.encode())
    show = Show(scene)
    becomes_unhealthy(scene)
    job = show.job(scene.starting())
    assert (job.status, scene.transition.error_code) == (JobStatus.FAILED, Code.HEALTHCHECK_FAILED)
    upgrade = upgrading(Stage.HEALTHCHECK_PENDING)
    context, good = upgrade.files[B6], upgrade.files[B5]
    becomes_unhealthy(upgrade)
    assert upgrade.refused(upgrade.resuming()).code is Code.HEALTHCHECK_FAILED
    assert upgrade.stage is Stage.FAILED_RECOVERABLE
    assert (upgrade.files[B6], upgrade.files[B5]) == (context, good), "kept for the upgrade that may go on"
    return show.end()


@plays("18")
def going_on_and_discarding(theatre: Theatre) -> Played:
    show = Show(failed())
    scene, kept = show.scene, show.scene.transition.resume_stage
    show.allowed(scene.resuming())
    assert scene.stage is kept is Stage.EMS_OPERATION_PENDING
    assert scene.transition.error_code is None
    show.allowed(scene.abandoning())
    for goes_on in (True, False):
        upgrade = upgrading(Stage.FAILED_RECOVERABLE)
        if goes_on:
            assert resumed(upgrade).error is None
            assert upgrade.stage is Stage.COMPLETED
        else:
            upgrade.do(call_off(upgrade.house, upgrade.caller, upgrade.transition.operation_id, confirm=True))
            assert (upgrade.stage, B6 in upgrade.files) == (Stage.CANCELLED, False)
    return show.end()


@plays("18a")
def no_return_for_a_setup(theatre: Theatre) -> Played:
    show = Show(failed())
    scene = show.scene
    show.refused(return_to_running_build(scene.house, scene.caller, scene.transition.operation_id, confirm=True))
    return show.end()


@plays("18b")
def return_of_an_upgrade(theatre: Theatre) -> Played:
    scene = failed_upgrade()
    old = scene.transition.operation_id
    show = Show(scene)
    job = show.job(return_to_running_build(scene.house, scene.caller, old, confirm=True))
    begun = scene.transition
    assert (job.error, job.operation_id) == (None, begun.operation_id)
    assert (begun.mode, begun.operation_id != old) == (Mode.ALIGN_EXISTING_INSTALL, True)
    return show.end()


@plays("18c")
def discard_during_an_import(theatre: Theatre) -> Played:
    scene = begun()
    job = scene.do(verify(scene.house, scene.caller, scene.transition.operation_id))
    while scene.transition.resources_claimed_at is None:
        scene.site.tasks.running[0].step()
    assert (job.kind, job.status) == (WorkKind.TRANSITION_RESUME, JobStatus.RUNNING)
    show = Show(scene)
    show.refused(scene.abandoning())
    played = show.end()
    scene.finish()
    assert scene.stage is Stage.RESOURCES_VERIFIED
    scene.do(scene.abandoning())
    assert scene.setup.status is WorkflowStatus.ABANDONED, "after the import it is done"
    return played
