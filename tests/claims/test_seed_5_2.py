"""What each action of a person removes, and that it touches nothing else (`seed 000` 5.2, 1.1)."""

from __future__ import annotations

import pytest

from ems_admin.workflows.setup.supersede import supersede
from tests.memory.house import TAG
from tests.workflows.places import prepared, running, secret_draft
from tests.workflows.scene import B0, B1, B3, B4, B5, CONFIG, CREDENTIALS, Scene

RUNTIME = "/data/runtime-state.json"


def lived_in() -> Scene:
    """A prepared Setup on a site that has a past: an EMS that ran, backups, a known-good build, another release."""
    past, scene = running(), prepared(draft=secret_draft())
    scene.site.world.files |= {
        B5: past.files[B5],
        "backups/config/20250101T000000Z.json": b'{"older": 1}',
        "releases/v0.1.0/manifest.json": b"{}",
        "generated/config.json": b'{"of an older Admin": 1}',
        RUNTIME: b'{"ui.theme": "dark"}',
        "/running-ems": past.files["/running-ems"],
    }
    return scene


@pytest.mark.parametrize("act", ["restart or discard", "supersede"])
def test_ending_a_setup_changes_its_own_files_and_no_byte_besides(act: str) -> None:
    """Rows Restart setup and Discard setup; 1.1 B4, B5, B8 to B11: EMS, config, data, backups, caches, known-good."""
    scene = lived_in()
    before, old = scene.files, f"workflows/guided-setup/{scene.workflow_id}/"
    assert {CONFIG, CREDENTIALS, B4, B5} <= before.keys()
    scene.do(
        scene.abandoning()
        if act == "restart or discard"
        else supersede(scene.house, scene.caller, scene.workflow_id, TAG)
    )
    changed = {name for name in before if scene.files.get(name) != before[name]}
    assert changed == {B0, B1, B3, *(name for name in before if name.startswith(old))}
    assert not [name for name in scene.files if name.startswith(old)]
    assert B3 not in scene.files
