"""Rows 19 to 25a: the config between two desks."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.config.preview import preview
from tests.matrix.judgement import Played
from tests.matrix.show import Show, Theatre, plays
from tests.matrix.upgrades import upgrading
from tests.workflows.maintenance.edits import edited, live, saving
from tests.workflows.places import failed, prepared, reviewed, running, written
from tests.workflows.scene import B0, B1, B2A, CONFIG, PowerCut, Scene

HOUR = timedelta(hours=1)


def save(scene: Scene) -> Coroutine[Any, Any, Any]:
    return saving(scene, edited(scene))


@plays("19")
def maintenance_beside_a_failure(theatre: Theatre) -> Played:
    scene = failed()
    show = Show(scene)
    show.refused(save(scene))
    played = show.end()
    scene.do(scene.abandoning())
    assert scene.do(save(scene)).changed, "once the operation is over"
    upgrade = upgrading(Stage.FAILED_RECOVERABLE)
    assert upgrade.refused(save(upgrade)).code is Code.SYSTEM_TRANSITION_IN_PROGRESS
    upgrade.do(call_off(upgrade.house, upgrade.caller, upgrade.transition.operation_id, confirm=True))
    assert upgrade.do(save(upgrade)).changed
    return played


@plays("20")
def maintenance_after_the_setup(theatre: Theatre) -> Played:
    scene = prepared()
    scene.do(scene.abandoning())
    show = Show(scene)
    assert show.allowed(save(scene)).changed
    assert live(scene)["system"]["max_total_power"] == 4000
    return show.end()


def saved_meanwhile() -> Scene:
    """The whole way of seed 000 2.1: a Setup writes, its operation ends without it, Maintenance saves, it goes on."""
    scene = installed_before(running())
    scene.open(confirm=True)
    assert scene.fetch().error is None
    scene.review()
    scene.do(scene.writing())
    scene.site.clock.pass_time(HOUR)
    scene.open()
    scene.cut_after = len(scene.durable) + 1
    with pytest.raises(PowerCut):
        scene.do(scene.fetching())
    assert scene.stage is Stage.CANCELLED, "the expired operation is over, and the next one not begun"
    scene = scene.restart()
    assert scene.do(save(scene)).changed
    scene.open()
    assert scene.fetch().error is None
    return scene


def installed_before(scene: Scene) -> Scene:
    """Give an install without the records of its Setup."""
    for name in (B0, B1):
        del scene.site.world.files[name]
    return scene


@plays("21")
def stale_deployment(theatre: Theatre) -> Played:
    scene = saved_meanwhile()
    show = Show(scene)
    show.refused(scene.preparing(overwrite=True))
    return show.end()


@plays("21a")
def nobodys_config(theatre: Theatre) -> Played:
    scene = written()
    del scene.site.world.files[f"workflows/guided-setup/{scene.workflow_id}/generated/{B2A}"]
    show = Show(scene)
    show.refused(scene.preparing(overwrite=True))
    return show.end()


def changed_by_hand() -> Scene:
    scene = reviewed()
    scene.site.world.files[CONFIG] = b'{"schema_version": 1}\n'
    return scene


@plays("24")
def stale_preview(theatre: Theatre) -> Played:
    scene = changed_by_hand()
    show = Show(scene)
    show.refused(scene.applying(overwrite=True))
    assert scene.setup.preview is None, "what was shown is not what would come of it"
    other = changed_by_hand()
    show.told.append(Code(other.refused(other.writing()).code))
    assert other.setup.preview is None
    assert scene.refused(scene.applying(overwrite=True)).code is Code.SETUP_PREVIEW_REQUIRED
    return show.end()


@plays("25")
def without_authority(theatre: Theatre) -> Played:
    show = Show(reviewed())
    scene = show.scene
    # A `config_revision` is accepted by the decoder and asked for by nobody: such a request names no workflow.
    show.refused(scene.applying(workflow_id=None, preview_id=None))
    show.refused(scene.writing(preview_id=None))
    played = show.end()
    scene.do(scene.applying())
    return played


@plays("25a")
def old_tab(theatre: Theatre) -> Played:
    old = written()
    old.do(old.abandoning())
    scene = old.restart()
    scene.open()
    assert scene.fetch().error is None
    show = Show(scene)
    yesterday = yesterdays_tab(scene, old)
    for work in (
        preview(scene.house, scene.caller, old.draft, old.workflow_id),
        scene.applying(**yesterday),
        scene.writing(**yesterday),
        scene.preparing(workflow_id=old.workflow_id),
        scene.starting(workflow_id=old.workflow_id),
        scene.abandoning(workflow_id=old.workflow_id),
    ):
        show.refused(work)
    return show.end()


def yesterdays_tab(scene: Scene, old: Scene) -> dict[str, Any]:
    """Say what the old tab still holds."""
    assert old.workflow_id != scene.workflow_id
    return {"workflow_id": old.workflow_id, "preview_id": old.preview_id}
