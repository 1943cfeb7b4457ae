"""What must hold wherever callers and a power cut can lead to: I1 to I7 of `seed 000` 5, and the way home."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from attrs import define, field

from ems_admin import codec
from ems_admin.machines.alignment.outlook import is_terminal
from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.replacement import Dispatch
from ems_admin.machines.records.setup import OWNER, GeneratedMetadata, GuidedSetup, WorkflowStatus
from ems_admin.machines.records.transition import SETUP_MODES, Transition
from ems_admin.machines.setup_intent import IntentState
from ems_admin.workflows.lifecycle import lifecycle_view
from tests.exploration.explorer import Run, Thread, Watcher
from tests.exploration.footprint import Change
from tests.exploration.restart import essence, restarted
from tests.exploration.ways import lead_home
from tests.memory.outside import RUNNING
from tests.workflows.scene import B0, B1, B3, B4, B5, CONFIG, INTENT, Scene

DISPATCH: Final = "state/replacement-dispatch.json"
KINDS: Final[dict[str, Any]] = {
    B0: GuidedSetup,
    B1: Transition,
    B3: DeploymentMarker,
    B4: SelectedRelease,
    B5: KnownGood,
    INTENT: ConfigCommit,
    DISPATCH: Dispatch,
}
MOVED: Final[Mapping[Code, frozenset[str]]] = {
    Code.STALE_SETUP_CONFIG: frozenset({B0}),
    Code.ADMIN_IDENTITY_MISMATCH: frozenset({B1}),
    Code.REPLACEMENT_ATTEMPTS_EXHAUSTED: frozenset({B1, DISPATCH}),
}
"""Refusals that are committed with a changed record, and which one that is."""
RETRIED: Final = frozenset({Code.SYSTEM_BUILD_UNAVAILABLE, Code.HEALTHCHECK_FAILED})
"""What work finds out that was begun with a retry: the retry stands."""
CLAIMS: Final = frozenset({Code.SETUP_OPERATION_IN_PROGRESS, Code.WORK_IN_PROGRESS})
UNPROVEN: Final = frozenset(
    {
        Code.TRANSITION_COMMIT_UNPROVABLE,
        Code.TRANSITION_STAGE_COMMIT_UNPROVABLE,
        Code.SETUP_TRANSITION_LINK_UNRECONCILED,
        Code.STATE_COMMIT_UNPROVABLE,
    }
)
"""Answers that say: nobody can tell what is on the disk."""
NOT_WRITTEN: Final = UNPROVEN | {
    Code.SETUP_TRANSITION_LINK_FAILED,
    Code.TRANSITION_STATE_WRITE_FAILED,
    Code.STATE_WRITE_FAILED,
}


@cache
def decode(data: bytes, kind: Any) -> Any:
    """Decode a record, equal bytes once."""
    return codec.decode(data, kind)


HOME: Final[set[int]] = set()
"""Worlds whose restart has been looked at and has led home, over all explorations of this process."""
LED_HOME: Final[set[int]] = set()
"""Worlds from which the process that was there has led home."""


@define(kw_only=True)
class Invariants(Watcher):
    """The watcher of two callers. Mutable: it remembers how they ended."""

    configs: frozenset[bytes | None]
    """What the live config may ever be."""
    intents: Mapping[str, str] = field(factory=dict)
    """By name of caller: the confirmation that it presents."""
    owned: bool = True
    """Whether a living operation is its workflow's own; where it is not, only a release leads out."""
    ends: frozenset[str] = frozenset()
    """Callers who only end something: the live config and the running EMS are none of their business."""
    outcomes: set[tuple[str | None, ...]] = field(factory=set)
    """How all callers ended, over all schedules: the code, or `None` for success."""

    def landed(self, run: Run, thread: Thread, change: Change) -> None:
        files = run.files.plain()
        records_are_readable(files)
        if self.owned:
            every_operation_has_its_owner(files)
        every_artifact_has_its_owner(files)
        assert files.get(CONFIG) in self.configs, "I3: the live config is one that nobody has reviewed"
        if change.name == CONFIG:
            assert setup_of(files).status is WorkflowStatus.ACTIVE, "a config was written for a workflow that has ended"
        if change.name in {CONFIG, RUNNING}:
            assert thread.name not in self.ends, f"I2: {thread.name} only ends something, and changed {change.name}"

    def ended(self, run: Run) -> None:
        assert run.scene.house.work.holder is None, "work is held by nobody"
        assert not set.__len__(run.scene.site.world.held), "a lock is held by nobody"
        for thread in run.threads:
            refusal_has_changed_nothing(thread, struck=any(other.struck for other in run.threads))
            self._confirmation_is_unspent(run, thread)
        codes = tuple(None if t.refusal is None else str(t.refusal.code) for t in run.threads if t.name[:6] == "caller")
        self.outcomes.add(codes)
        files = run.files.plain()
        if not any(thread.struck for thread in run.threads):
            assert INTENT not in files, "a config commit is left open"
            if self.owned:
                both_records_agree(files)
        world = essence(run.scene.site.world)
        if not run.scene.site.world.blind and world not in LED_HOME:
            LED_HOME.add(world)
            reading_is_the_same_after_a_restart(run.scene)
            lead_home(run.scene)  # the schedule is over: what happens to its scene now is nobody else's

    def cut(self, run: Run) -> None:
        world = essence(run.scene.site.world)
        if world in HOME:
            return
        after = restarted(run.scene)
        assert after.house.startup.passed, after.house.startup.failed_by
        files = after.site.world.files
        records_are_readable(files)
        if self.owned:
            every_operation_has_its_owner(files)
        assert INTENT not in files, "a start has left a config commit open"
        assert files.get(CONFIG) in self.configs, "a start has made a config live that nobody has reviewed"
        settled = after.files
        again = restarted(after)
        assert again.files == settled, "I6: a second start changes what the first one left"
        lead_home(again)
        HOME.add(world)

    def _confirmation_is_unspent(self, run: Run, thread: Thread) -> None:
        refusal = thread.refusal
        if refusal is not None and refusal.code in CLAIMS and thread.name in self.intents:
            intent = run.scene.house.intents.kept[self.intents[thread.name]]
            assert intent.state is not IntentState.CONSUMED, "a refused claim has spent the confirmation"


def refusal_has_changed_nothing(thread: Thread, *, struck: bool) -> None:
    """A refusal changes nothing, and one that is committed changes exactly its record."""
    if thread.refusal is None:
        return
    code, changes = Code(thread.refusal.code), net(thread.changes)
    if struck and code in NOT_WRITTEN:
        if "not committed" in thread.struck:
            before, after = (named_in(data) for data in changes.get(B1, (None, None)))
            assert before == after, f"{thread.name}: not committed, and there is another operation"
            owners = [decode(data, GuidedSetup).operation_id for data in changes.get(B0, ()) if data is not None]
            assert len(set(owners)) <= 1, f"{thread.name}: not committed, and the workflow names another operation"
        return
    assert not thread.struck, f"{thread.name} met {thread.struck}, and was refused with {code}"
    allowed = MOVED.get(code, frozenset()) | ({B1} if code in RETRIED else frozenset())
    assert set(changes) <= allowed, f"{thread.name} was refused with {code} and changed {sorted(changes)}"


def named_in(data: bytes | None) -> str | None:
    """Name the operation of B1's bytes."""
    return None if data is None else str(decode(data, Transition).operation_id)


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
    for name, data in files.items():
        if name in KINDS:
            decode(data, KINDS[name])
        elif name.endswith("config.meta.json"):
            decode(data, GeneratedMetadata)


def every_operation_has_its_owner(files: Mapping[str, bytes]) -> None:
    """I1: a living Setup operation is named by the workflow, from its first moment to its last."""
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
    """I1: nothing generated lies anywhere but below its workflow, and a marker names its own."""
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


def reading_is_the_same_after_a_restart(scene: Scene) -> None:
    """I5, I6: a page that is loaded again, and a process that starts again, read the records alike."""
    now, refreshed = (scene.do(lifecycle_view(scene.house)) for _ in range(2))
    assert (now.lifecycle, now.fingerprint) == (refreshed.lifecycle, refreshed.fingerprint), "I5: a refresh reads anew"
    later = restarted(scene, start_up=False)
    read = later.do(lifecycle_view(later.house))
    assert (now.lifecycle, now.fingerprint) == (read.lifecycle, read.fingerprint), "I6: a restart reads otherwise"
