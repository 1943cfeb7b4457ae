"""What must hold in every state that two callers and a power cut can lead to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from attrs import define, field

from ems_admin import codec
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.setup import OWNER, GeneratedMetadata, GuidedSetup, WorkflowStatus
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.setup_intent import IntentState
from ems_admin.machines.workflow_lifecycle import State
from ems_admin.workflows.lifecycle import lifecycle
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.views.console import console
from tests.exploration.explorer import Change, Run, Thread, Watcher
from tests.workflows.scene import B0, B1, B3, B4, B5, CONFIG, INTENT, Scene


@cache
def decode(data: bytes, kind: Any) -> Any:
    """Decode a record, equal bytes once."""
    return codec.decode(data, kind)


KINDS: dict[str, Any] = {
    B0: GuidedSetup,
    B1: Transition,
    B3: DeploymentMarker,
    B4: SelectedRelease,
    B5: KnownGood,
    INTENT: ConfigCommit,
}
MOVED = frozenset({Code.STALE_SETUP_CONFIG})
"""Refusals that are committed with a changed record."""
CLAIMS = frozenset({Code.SETUP_OPERATION_IN_PROGRESS, Code.WORK_IN_PROGRESS})


@define
class Invariants(Watcher):
    """The watcher of every exploration. Mutable: it remembers which operations there were."""

    configs: frozenset[bytes | None]
    """What the live config may ever be."""
    intents: Mapping[str, str] = field(factory=dict)
    """By name of caller: the confirmation that it presents."""
    outcomes: set[tuple[str | None, ...]] = field(factory=set)
    """How all callers ended, over all schedules: the code, or `None` for success."""

    def landed(self, run: Run, thread: Thread, change: Change) -> None:
        files = run.scene.site.world.files
        records_are_readable(files)
        every_operation_has_its_owner(files)
        every_artifact_has_its_owner(files)
        assert files.get(CONFIG) in self.configs, "the live config is one that nobody has reviewed"
        if change.name == CONFIG:
            assert setup_of(files).status is WorkflowStatus.ACTIVE, "a config was written for a workflow that has ended"

    def ended(self, run: Run) -> None:
        assert run.scene.house.work.holder is None, "work is held by nobody"
        assert not run.scene.site.world.held, "a lock is held by nobody"
        for thread in run.threads:
            refusal = thread.refusal
            if refusal is not None and refusal.code not in MOVED:
                assert not net(thread.changes), (
                    f"{thread.name} was refused with {refusal.code} and changed {thread.changes}"
                )
            if refusal is not None and refusal.code in CLAIMS and thread.name in self.intents:
                intent = run.scene.house.intents.kept[self.intents[thread.name]]
                assert intent.state is not IntentState.CONSUMED, "a refused claim has spent the confirmation"
        codes = tuple(None if t.refusal is None else str(t.refusal.code) for t in run.threads if t.name[:6] == "caller")
        self.outcomes.add(codes)
        files = run.scene.site.world.files
        assert INTENT not in files, "a config commit is left open"
        both_records_agree(files)

    def cut(self, run: Run) -> None:
        after = run.scene.restart()
        assert after.house.startup.passed, after.house.startup.failed_by
        files = after.site.world.files
        records_are_readable(files)
        every_operation_has_its_owner(files)
        assert INTENT not in files, "a start has left a config commit open"
        assert files.get(CONFIG) in self.configs, "a start has made a config live that nobody has reviewed"
        settled = after.files
        again = after.restart()
        assert again.files == settled, "a second start changes what the first one left"
        offered_ways_lead_home(again)


def net(changes: list[Change]) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Put the changes of one caller together: only what is different in the end counts. A backup is no change."""
    first: dict[str, bytes | None] = {}
    last: dict[str, bytes | None] = {}
    for change in changes:
        first.setdefault(change.name, change.before)
        last[change.name] = change.after
    return {
        name: (first[name], last[name])
        for name in last
        if first[name] != last[name] and not name.startswith("backups/")
    }


def setup_of(files: Mapping[str, bytes]) -> GuidedSetup:
    setup: GuidedSetup = decode(files[B0], GuidedSetup)
    return setup


def records_are_readable(files: Mapping[str, bytes]) -> None:
    """Every record decodes, at every place."""
    for name, kind in KINDS.items():
        if name in files:
            decode(files[name], kind)
    for name, data in files.items():
        if name.endswith("config.meta.json"):
            decode(data, GeneratedMetadata)


def every_operation_has_its_owner(files: Mapping[str, bytes]) -> None:
    """A living Setup operation is named by the workflow, from its first moment to its last."""
    if B1 not in files:
        return
    transition = decode(files[B1], Transition)
    if is_terminal(transition) or transition.mode not in SETUP_MODES:
        return
    assert B0 in files, "an operation that no workflow could name"
    setup = setup_of(files)
    assert setup.operation_id == transition.operation_id, "a living operation that its workflow does not name"
    assert setup.status is WorkflowStatus.ACTIVE, "a living operation of a workflow that has ended"


def every_artifact_has_its_owner(files: Mapping[str, bytes]) -> None:
    """Nothing generated lies anywhere but below its workflow, and a marker names its own."""
    if B3 not in files:
        return
    marker = decode(files[B3], DeploymentMarker)
    assert marker.owner == OWNER
    claimed = setup_of(files).artifacts.deployment_marker if B0 in files else None
    assert claimed is None or marker.workflow_id == setup_of(files).workflow_id, "a claim on somebody else's marker"


def both_records_agree(files: Mapping[str, bytes]) -> None:
    """Outside of a creation the workflow names no operation that never was."""
    if B0 not in files or setup_of(files).operation_id is None:
        return
    assert B1 in files, "the workflow names an operation that never was"
    assert decode(files[B1], Transition).operation_id == setup_of(files).operation_id


def offered_ways_lead_home(scene: Scene) -> None:
    """What the console offers leads to idle: ending it, if need be after going on once."""
    for _ in range(4):
        if scene.do(lifecycle(scene.house)).state is State.IDLE:
            return
        offered = {o.action.action for o in scene.do(console(scene.house)).actions if o.refusal is None}
        assert offered & {"abandon", "resume"}, f"no way out, only {sorted(offered)}"
        try:
            if "abandon" in offered:
                scene.do(scene.abandoning(workflow_id=setup_of(scene.files).workflow_id if B0 in scene.files else None))
            else:
                scene.do(scene.resuming())
        except RefusalError:
            assert "abandon" not in offered, "the way out was offered and refused"
    raise AssertionError("four offered ways, and not at home")
