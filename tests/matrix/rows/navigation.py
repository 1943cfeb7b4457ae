"""Rows 1 to 5b: from desk to desk."""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.switch import SwitchAction, Target
from ems_admin.machines.records.setup import CleanupState
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.values.tags import Direction
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.arbiter.start_path import Choice, start_path
from ems_admin.workflows.arbiter.switching import preview_switch, switch
from ems_admin.workflows.install_state import install_view
from ems_admin.workflows.maintenance.config import live_config
from ems_admin.workflows.maintenance.overview import overview
from ems_admin.workflows.upgrade.executing import execute
from ems_admin.workflows.upgrade.gate import require_upgrade_open
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.matrix.judgement import Played
from tests.matrix.show import Show, Theatre, plays
from tests.matrix.upgrades import installed_long_ago, to_upgrade, upgrading
from tests.memory.house import TAG
from tests.workflows.maintenance.edits import edited, saving
from tests.workflows.places import prepared
from tests.workflows.scene import B1, B4
from tests.workflows.stubborn import Stubborn
from tests.workflows.test_offers import NOBODYS
from tests.workflows.upgrade.upgrades import agreeing


def to_maintenance(show: Show) -> None:
    """Go through the second door and look around."""
    scene = show.scene
    path = show.allowed(start_path(scene.house, scene.caller, Choice.MANAGE_EXISTING, confirm=False))
    assert (path.route, path.setup_workflow_id) == ("maintenance", None)
    assert show.allowed(live_config(scene.house)).config is not None
    assert show.allowed(overview(scene.house)).installed is not None


@plays("1")
def setup_to_maintenance(theatre: Theatre) -> Played:
    show = Show(prepared())
    to_maintenance(show)
    show.refused(saving(show.scene, edited(show.scene)))
    return show.end()


@plays("2")
def maintenance_to_setup(theatre: Theatre) -> Played:
    installed = installed_long_ago()
    for name in (B1, B4):
        del installed.site.world.files[name]
    show = Show(installed)
    to_maintenance(show)
    scene = show.scene
    asked = scene.refused(start_path(scene.house, scene.caller, Choice.SETUP_NEW, confirm=False))
    assert asked.code == Code.EXISTING_INSTALL_CONFLICT
    begun = scene.open(confirm=True)
    assert begun.route == "setup"
    assert scene.open().setup_workflow_id == begun.setup_workflow_id, "from then on it is resumed"
    return show.end()


def both_phases(show: Show) -> None:
    show.refused(validate_upgrade(show.scene.house, TAG))
    show.refused(execute(show.scene.house, show.scene.caller, NOBODYS))


@plays("3")
def setup_to_upgrade(theatre: Theatre) -> Played:
    show = Show(prepared())
    scene = show.scene
    both_phases(show)
    lets_go = scene.house
    scene.house = evolve(lets_go, setup_files=Stubborn(scene.site.world))
    preview = scene.do(preview_switch(scene.house, Target.GUIDED_UPGRADE))
    assert preview.decision.action is SwitchAction.DISCARD_GUIDED_SETUP
    fingerprint = preview.view.fingerprint
    show.refused(switch(scene.house, scene.caller, Target.GUIDED_UPGRADE, fingerprint=fingerprint, confirm=True))
    both_phases(show)
    assert scene.setup.cleanup.state is CleanupState.PENDING
    scene.house = lets_go
    show.allowed(scene.abandoning())
    show.allowed(require_upgrade_open(scene.house))
    return show.end()


@plays("4")
def upgrade_to_maintenance(theatre: Theatre) -> Played:
    show = Show(upgrading(Stage.RESOURCES_VERIFIED))
    to_maintenance(show)
    refusal = show.scene.refused(saving(show.scene, edited(show.scene)))
    assert refusal.code == Code.SYSTEM_TRANSITION_IN_PROGRESS, "to look is no act, to write is one"
    return show.end()


@plays("5")
def maintenance_to_upgrade(theatre: Theatre) -> Played:
    scene = to_upgrade()
    show = Show(scene)
    to_maintenance(show)
    found = show.allowed(validate_upgrade(scene.house, TAG))
    assert found.upgrade_direction is Direction.NEWER
    agreed = show.allowed(agreeing(scene))
    played = show.end()
    assert scene.job(execute(scene.house, scene.caller, agreed)).error is None, "and what was agreed to is done"
    return played


@plays("5a")
def upgrade_to_setup(theatre: Theatre) -> Played:
    show = Show(upgrading(Stage.RESOURCES_VERIFIED))
    scene = show.scene
    preview = scene.do(preview_switch(scene.house, Target.GUIDED_SETUP))
    assert (preview.decision.action, preview.decision.refusal) == (SwitchAction.CANCEL_GUIDED_UPGRADE, None)
    unsure = switch(scene.house, scene.caller, Target.GUIDED_SETUP, fingerprint=preview.view.fingerprint, confirm=False)
    assert scene.refused(unsure).code == Code.CONFIRMATION_REQUIRED
    done = show.allowed(
        switch(scene.house, scene.caller, Target.GUIDED_SETUP, fingerprint=preview.view.fingerprint, confirm=True)
    )
    assert done.action is SwitchAction.CANCEL_GUIDED_UPGRADE
    assert done.setup_workflow_id == scene.setup.workflow_id
    assert done.setup_intent_id is not None
    beyond = upgrading(Stage.HEALTHCHECK_PENDING)
    before = beyond.files
    fingerprint = beyond.do(preview_switch(beyond.house, Target.GUIDED_SETUP)).view.fingerprint
    late = switch(beyond.house, beyond.caller, Target.GUIDED_SETUP, fingerprint=fingerprint, confirm=True)
    assert beyond.refused(late).code == Code.WORKFLOW_OPERATION_IN_PROGRESS
    assert beyond.files == before
    return show.end()


@plays("5b")
def looking_around(theatre: Theatre) -> Played:
    show = Show(prepared())
    scene, workflow_id = show.scene, show.scene.workflow_id
    to_maintenance(show)
    show.allowed(install_view(scene.house))
    show.allowed(alignment_status(scene.house))
    show.allowed(preview_switch(scene.house, Target.GUIDED_UPGRADE))
    assert scene.open().setup_workflow_id == workflow_id
    return show.end()
