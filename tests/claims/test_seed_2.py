"""Ways in which the config is written, and what authority each demands (`seed 000` 2, 2.4)."""

from __future__ import annotations

from ems_admin.machines.records.transition import Mode
from ems_admin.workflows.setup import system_build
from tests.workflows.places import fetched, opened
from tests.workflows.scene import CONFIG, Scene


def backups(scene: Scene) -> list[bytes]:
    return [data for name, data in scene.files.items() if "backups/config/" in name]


def over_an_older_config() -> Scene:
    """A live config is there, and the person has agreed to set up anew."""
    scene = fetched()
    scene.site.world.files[CONFIG] = b'{"older": 1}'
    scene.review()
    return scene


def test_an_apply_keeps_a_copy_of_what_it_replaces() -> None:
    """2, W1: backup yes."""
    scene = over_an_older_config()
    scene.do(scene.applying(overwrite=True))
    assert backups(scene) == [b'{"older": 1}']


def test_an_export_replaces_nothing_that_is_live_and_keeps_no_copy() -> None:
    """2, W2: the target is the workflow's own directory; backup no."""
    scene = over_an_older_config()
    scene.do(scene.writing())
    assert (scene.files[CONFIG], backups(scene)) == (b'{"older": 1}', [])


def test_a_deployment_keeps_a_copy_of_what_it_replaces() -> None:
    """2, W3: backup yes."""
    scene = over_an_older_config()
    scene.do(scene.writing())
    assert scene.job(scene.preparing(overwrite=True)).error is None
    assert scene.files[CONFIG] != b'{"older": 1}'
    assert b'{"older": 1}' in backups(scene)


def test_both_release_routes_do_the_same_in_their_own_mode() -> None:
    """2.4: one handler, one claim; only the mode of the operation that they open is different."""
    seen = {}
    for mode in (Mode.FRESH_INSTALL, Mode.AUTOMATED_SETUP):
        scene = opened()
        job = scene.fetch(mode=mode, row=system_build.PREPARE)
        assert job.error is None
        assert (scene.transition.mode, scene.setup.transition_mode) == (mode, mode)
        seen[mode] = (job.kind, scene.transition.stage)
    assert len(set(seen.values())) == 1
