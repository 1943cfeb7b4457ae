"""The way home: what the console offers, done one after the other, each time by a process that has just started.

No file is deleted by hand, and no age is waited for. Source: I4, I7; `seed 000` 7; `faults.md` F45.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.setup import CleanupState
from ems_admin.machines.workflow_lifecycle import State
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.views.console import Console, console
from tests.crashes.ground import Ground
from tests.crashes.house import FileScene, process
from tests.crashes.killing import let_the_updater_walk
from tests.exploration.ways import ENDS, FORWARD, SELDOM, WAYS, name_what_the_page_names, offered
from tests.workflows.scene import Scene

MOST: Final = 8
"""Acts that a way home may take."""


def lead_home(ground: Ground, person: Scene) -> tuple[str, ...]:
    """Do what is offered, each time in a process that has just started, until nothing is in progress any more."""
    gone: list[str] = []
    while len(gone) <= MOST:
        if let_the_updater_walk(ground):
            gone.append("the updater ends")
        with process(ground, person) as scene:
            scene.start()
            view = scene.do(console(scene.house))
            if view.lifecycle.lifecycle.state is State.IDLE:
                return tuple(gone)
            gone += _one_act(scene, view)
    raise AssertionError(f"{gone}, and not at home")


def _one_act(scene: FileScene, view: Console) -> tuple[str, ...]:
    open_now = offered(view)
    name_what_the_page_names(scene)
    before = _everything(scene)
    for name in (*ENDS, *FORWARD):
        if name in open_now:
            done = _do(scene, name)
            if _everything(scene) != before:
                return done
    owner = view.lifecycle.lifecycle
    raise AssertionError(f"no way out of {owner.owner}, {owner.state}: only {sorted(open_now)}")


def _everything(scene: FileScene) -> tuple[object, ...]:
    return (scene.files, scene.site.world.host.picture())


def _do(scene: FileScene, name: str) -> tuple[str, ...]:
    """Do what is offered, and what its own refusal names; give the acts."""
    done: tuple[str, ...] = (name,)
    try:
        scene.do(WAYS[name](scene))
    except RefusalError as refused:
        refusal = refused.refusal
        assert name in FORWARD or refusal.code in SELDOM, f"{name} was offered and refused with {refusal.code}"
        if refusal.code in SELDOM and scene.setup.cleanup.state is CleanupState.REVIEW_REQUIRED:
            scene.do(WAYS["leave_files"](scene))
            done = (name, "leave_files")
    scene.finish()
    return done
