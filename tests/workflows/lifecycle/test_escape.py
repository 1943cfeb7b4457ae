"""Escape: from every class of the stored records the offered acts alone lead to an idle console.

No file is deleted by hand and no expiry is waited for; the engine answers, the disk can be written, nothing runs.
Source: `seed 000` 7; I4; `faults.md` F45.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import CleanupState
from ems_admin.workflows.lifecycle.view import lifecycle, lifecycle_view
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.views.offers import offers
from tests.workflows.lifecycle.classes import DISPATCHES, SETUPS, TRANSITIONS, UPGRADES, Stored, stand
from tests.workflows.scene import B0, Scene
from tests.workflows.test_offers import ACTS, name_what_the_page_names

PREFERRED = ("recover_release", "recover_safe", "resume", "switch_to_none", "abandon")
"""Which of the offered ways is tried first, of those that end something or go on."""
ENOUGH = 8
"""Acts: a release, a few ends, and what lies between."""


def way_out(scene: Scene) -> list[str]:
    """Go by the buttons until the console is idle; give the acts that it took."""
    gone: list[str] = []
    while scene.do(lifecycle(scene.house)).state != "idle":
        offered = buttons(scene)
        act = next((name for name in PREFERRED if name in offered and gone[-2:] != [name, name]), None)
        if act is None or len(gone) == ENOUGH:
            message = f"stuck after {gone}, offered {offered}"
            raise AssertionError(message)
        gone.append(act)
        name_what_the_page_names(scene)
        try:
            scene.do(ACTS[act](scene))
            scene.finish()
        except RefusalError as refused:
            _answer(scene, refused)
    return gone


def buttons(scene: Scene) -> frozenset[str]:
    """Name what is offered and permitted now, as the console reads it."""
    view = scene.do(lifecycle_view(scene.house))
    return frozenset(o.action.action for o in scene.do(offers(scene.house, view)) if o.refusal is None)


def _answer(scene: Scene, refused: RefusalError) -> None:
    """What an offered act finds out is answered by the next look, or by the way that its own refusal names."""
    if refused.refusal.code == Code.SETUP_ARTIFACT_REVIEW_REQUIRED:
        assert scene.setup.cleanup.state is CleanupState.REVIEW_REQUIRED
        leaving = disown(scene.house, scene.caller, scene.setup.workflow_id, confirm=True, reason="they may stay")
        scene.do(leaving)


def bounded() -> Iterator[Stored]:
    """Give every B0 beside every B1, and every B6 and dispatch record beside the pairs that bear on them."""
    for setup, transition in product(SETUPS, TRANSITIONS):
        yield Stored(setup, transition)
        yield Stored(setup, transition, "of the operation", "launched")
    beside = product(("absent", "active", "unreadable"), UNCERTAIN, UPGRADES, DISPATCHES)
    yield from (Stored(*names) for names in beside)


UNCERTAIN = ("completed", "unreadable", "unsupported", "guided_upgrade at admin_reconnect_pending")


def test_from_every_class_the_offered_acts_lead_to_idle() -> None:
    """`seed 000` 3.1, 5; F41."""
    longest: list[str] = []
    for stored in bounded():
        gone = way_out(stand(stored))
        longest = max(longest, gone, key=len)
    assert 1 < len(longest) <= ENOUGH


def test_what_is_left_behind_is_idle_after_a_restart_as_well() -> None:
    for setup in SETUPS:
        for transition in TRANSITIONS:
            scene = stand(Stored(setup, transition, "of the operation"))
            way_out(scene)
            assert scene.do(lifecycle(scene.restart().house)).state == "idle", (setup, transition)


@pytest.mark.parametrize("upgrade", [name for name in UPGRADES if name != "absent"])
def test_what_lies_about_without_an_owner_is_cleared_or_set_aside_as_well(upgrade: str) -> None:
    scene = stand(Stored("absent", "absent", upgrade))
    assert scene.do(lifecycle(scene.house)).recoverable
    (way,) = buttons(scene) & {"recover_safe", "recover_release"}
    scene.do(ACTS[way](scene))
    assert not scene.do(lifecycle(scene.house)).recoverable
    assert B0 not in scene.files
