"""Product (iii), switch and recovery: one caller over every class of the stored records, and every cut of what it does.

Foreign, contradictory and unreadable records are among the classes, so nothing is taken for granted of them: what is
watched is what was done, and that the way home is open from wherever it was left. Source: `seed 000` 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.machines.workflow_lifecycle import State
from ems_admin.workflows.arbiter.recovering import RecoveryRequest, preview_recovery, recover
from ems_admin.workflows.arbiter.switching import preview_switch, switch
from ems_admin.workflows.lifecycle import lifecycle_view
from ems_admin.workflows.ports.records import RefusalError
from tests.exploration.explorer import Act, Run, Thread, Watcher
from tests.exploration.footprint import Change
from tests.exploration.invariants import HOME, LED_HOME, net, reading_is_the_same_after_a_restart
from tests.exploration.restart import essence, restarted
from tests.exploration.ways import lead_home
from tests.memory.outside import RUNNING
from tests.workflows.lifecycle.classes import DISPATCHED, RUN
from tests.workflows.scene import B0, B1, B3, B5, B6, CONFIG, Scene

RELEASABLE: Final = frozenset({B0, B1, B6, DISPATCHED, RUN})
NEVER: Final = frozenset({B3, B5, CONFIG, RUNNING})
"""What neither a switch nor a recovery ever touches, whatever the records say."""
ENDED_ALL_THE_SAME: Final = frozenset({Code.SETUP_ARTIFACT_REVIEW_REQUIRED, Code.ABANDON_CLEANUP_INCOMPLETE})
STALE: Final = "sha256:" + "0" * 64


def shown(scene: Scene) -> str:
    """Give the fingerprint that a page presents."""
    return scene.do(lifecycle_view(scene.house)).fingerprint


def switching(target: Target) -> Act:
    return lambda scene: switch(scene.house, scene.caller, target, fingerprint=shown(scene), confirm=True)


def recovering(mode: Mode) -> Act:
    def act(scene: Scene) -> Any:
        asked = RecoveryRequest(mode=mode, fingerprint=shown(scene), confirm=True, reason="explored")
        return recover(scene.house, scene.caller, asked)

    return act


def too_late(scene: Scene) -> Any:
    """Come with the fingerprint of another state."""
    return switch(scene.house, scene.caller, Target.NONE, fingerprint=STALE, confirm=True)


RECOVERIES: Final[Mapping[str, Act]] = {f"recover, {mode}": recovering(mode) for mode in Mode}
ACTS: Final[Mapping[str, Act]] = {
    **{f"switch to {target}": switching(target) for target in Target},
    **RECOVERIES,
    "too late": too_late,
}


def _previewed_switch(target: Target) -> Callable[[Scene], bool]:
    def permitted(scene: Scene) -> bool:
        return scene.do(preview_switch(scene.house, target)).decision.refusal is None

    return permitted


def _previewed_recovery(mode: Mode) -> Callable[[Scene], bool]:
    def permitted(scene: Scene) -> bool:
        preview = scene.do(preview_recovery(scene.house))
        return preview.safe_available if mode is Mode.SAFE else preview.release_available

    return permitted


PREVIEWS: Final[Mapping[str, Callable[[Scene], bool]]] = {
    **{f"switch to {target}": _previewed_switch(target) for target in Target},
    **{f"recover, {mode}": _previewed_recovery(mode) for mode in Mode},
    "too late": lambda _scene: False,
}
"""What the preview of each act promises: that it would do what it says."""


@define(kw_only=True)
class Arbitration(Watcher):
    """The watcher of one act. Mutable: it remembers how it ended."""

    name: str
    promised: bool

    def landed(self, run: Run, thread: Thread, change: Change) -> None:
        assert change.name not in NEVER, f"{self.name} touched {change.name}"
        if self.name == f"recover, {Mode.RELEASE_STALE_STATE}" and change.name in RELEASABLE:
            assert change.after is None, f"a release has written {change.name}"
            a_released_record_was_backed_up(run.files.plain(), change)

    def ended(self, run: Run) -> None:
        assert run.scene.house.work.holder is None, "work is held by nobody"
        (thread, *_workers) = run.threads
        refusal = thread.refusal
        changes = {name for name in net(thread.changes) if not name.startswith("state/workflow-recovery/")}
        if refusal is not None and Code(refusal.code) not in ENDED_ALL_THE_SAME:
            assert not changes, f"{self.name} was refused with {refusal.code} and changed {sorted(changes)}"
            assert not self.promised, f"{self.name} was promised, and refused with {refusal.code}"
        if self.name == "too late":
            assert refusal is not None, "a state that nobody was shown was acted upon"
            assert refusal.code == Code.WORKFLOW_LIFECYCLE_CHANGED
        if refusal is None and self.name == f"switch to {Target.NONE}":
            view = run.scene.do(lifecycle_view(run.scene.house))
            assert view.lifecycle.state is State.IDLE, "a switch to nothing has left something"
        if (world := essence(run.scene.site.world)) not in LED_HOME:
            LED_HOME.add(world)
            reading_is_the_same_after_a_restart(run.scene)
            lead_home(run.scene)

    def cut(self, run: Run) -> None:
        world = essence(run.scene.site.world)
        if world in HOME:
            return
        after = restarted(run.scene)
        settled = after.files
        again = restarted(after)
        assert again.files == settled, "I6: a second start changes what the first one left"
        lead_home(again)
        HOME.add(world)


def a_released_record_was_backed_up(files: Mapping[str, bytes], change: Change) -> None:
    """`seed 000` 7.4: the copy first, then the manifest, and only then the record goes."""
    name = change.name.rpartition("/")[2]
    copies = [data for copy, data in files.items() if copy.startswith("state/workflow-recovery/") and name in copy]
    assert change.before in copies, f"{change.name} went, and there is no copy of it"
    assert any(copy.endswith("recovery-manifest.json") for copy in files), f"{change.name} went before the manifest"


def promise(name: str, scene: Scene) -> bool:
    """Say what the preview promises."""
    try:
        return PREVIEWS[name](scene)
    except RefusalError:
        return False
