"""The ways on that the console offers, walked as a person would: what is offered leads home, and never to a refusal.

Nothing else is used: no file is deleted, no age is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from ems_admin.codec import DecodeError
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import CleanupState
from ems_admin.machines.workflow_lifecycle import State
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.disown import disown
from ems_admin.workflows.views.console import Console, console
from tests.exploration.restart import essence, restarted, updaters_end
from tests.workflows.scene import Scene
from tests.workflows.test_offers import ACTS

MOST: Final = 8
"""Acts that a way home may take."""
ENDS: Final = ("abandon", "switch_to_none", "recover_safe", "recover_release")
"""What ends something. Offered, it is never refused."""
FORWARD: Final = ("resume",)
"""What goes on, and may find out on the way that it cannot."""
SELDOM: Final = frozenset({"setup_artifact_review_required", "abandon_cleanup_incomplete"})
"""An end that tells of leftovers has happened all the same."""
HOMEWARD: Final[set[int]] = set()
"""Worlds from which the way home has been walked, where nothing is at work."""
Way = Callable[[Scene], Coroutine[Any, Any, Any]]


def offered(view: Console) -> frozenset[str]:
    """List every act that stands open, by name."""
    return frozenset(offer.action.action for offer in view.actions if offer.refusal is None)


def lead_home(scene: Scene) -> Scene:
    """Walk until nothing is in progress any more, and give the process that has got there.

    An updater that runs goes to its end, and then it is the Admin that it has brought who goes on. Raises
    `AssertionError` where no way leads on.
    """
    passed: set[int] = set()
    for _ in range(MOST):
        if updaters_end(scene.site.world, scene):
            scene = restarted(scene)
        passed.add(essence(scene.site.world))
        if not passed.isdisjoint(HOMEWARD):
            HOMEWARD.update(passed)
            return scene
        view = scene.do(console(scene.house))
        if view.lifecycle.lifecycle.state is State.IDLE:
            HOMEWARD.update(passed)
            return scene
        open_now = offered(view)
        name_what_the_page_names(scene)
        for name in (*ENDS, *FORWARD):
            if name in open_now and _changes(scene, name):
                break
        else:
            owner = view.lifecycle.lifecycle
            raise AssertionError(f"no way out of {owner.owner}, {owner.state}: only {sorted(open_now)}")
    raise AssertionError(f"{MOST} offered ways, and not at home")


def _changes(scene: Scene, name: str) -> bool:
    """Do what is offered, and say whether it has led on."""
    before = scene.files
    try:
        scene.do(WAYS[name](scene))
    except RefusalError as refused:
        refusal: Refusal = refused.refusal
        known = name in FORWARD or refusal.code in SELDOM
        assert known, f"{name} was offered and refused with {refusal.code}, {refusal.detail}"
        if refusal.code in SELDOM and scene.setup.cleanup.state is CleanupState.REVIEW_REQUIRED:
            leaving = disown(scene.house, scene.caller, scene.setup.workflow_id, confirm=True, reason="they may stay")
            scene.do(leaving)  # the way that this very refusal names
    scene.finish()
    return scene.files != before


def name_what_the_page_names(scene: Scene) -> None:
    """A page knows the workflow that the console shows."""
    try:
        scene.workflow_id = scene.setup.workflow_id
    except (KeyError, DecodeError):
        scene.workflow_id = None


WAYS: Final[dict[str, Way]] = dict(ACTS)
