"""Who owns the console, read from the records together (`seed 000` 7.1, 7.2; `site.md` 1.10, 1.11)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ArtifactKind as Kind
from ems_admin.machines.records.setup import ArtifactStatus as Status
from ems_admin.machines.records.setup import CleanupEntry, CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.workflow_lifecycle import Owner, State
from ems_admin.workflows.lifecycle import lifecycle, lifecycle_view
from ems_admin.workflows.ports.engine import Activity
from tests.stores.records import UPGRADE
from tests.workflows.places import PLACES, again, fetched, opened, written
from tests.workflows.scene import B0, B1, B6, Scene
from tests.workflows.situations import SITUATIONS


def verdict(scene: Scene) -> tuple[Owner, State, Code | None]:
    view = scene.do(lifecycle(scene.house))
    return view.owner, view.state, view.blocking_reason


SETUP, NONE, UNKNOWN, CONFLICT = Owner.GUIDED_SETUP, Owner.NONE, Owner.UNKNOWN, Owner.CONFLICT

VERDICTS = [
    ("nowhere", "nothing", (NONE, State.IDLE, None)),
    ("opened", "nothing", (SETUP, State.ACTIVE, None)),
    ("prepared", "nothing", (SETUP, State.ACTIVE, None)),
    ("failed", "nothing", (SETUP, State.ACTIVE, None)),
    ("running", "nothing", (NONE, State.IDLE, None)),
    ("written", "B0 is broken", (UNKNOWN, State.MALFORMED, Code.WORKFLOW_STATE_MALFORMED)),
    ("written", "B1 is broken", (UNKNOWN, State.MALFORMED, Code.WORKFLOW_STATE_MALFORMED)),
    ("running", "B1 is broken", (UNKNOWN, State.MALFORMED, Code.WORKFLOW_STATE_MALFORMED)),
    ("written", "B0 is gone", (SETUP, State.ACTIVE, None)),
    ("written", "setup work runs", (SETUP, State.OPERATION_RUNNING, Code.SETUP_OPERATION_IN_PROGRESS)),
    ("written", "a resume runs", (SETUP, State.OPERATION_RUNNING, Code.WORKFLOW_OPERATION_IN_PROGRESS)),
    ("written", "maintenance runs", (SETUP, State.ACTIVE, None)),
    (
        "prepared",
        "operation at ems_operation_running",
        (SETUP, State.OPERATION_RUNNING, Code.WORKFLOW_OPERATION_IN_PROGRESS),
    ),
    (
        "prepared",
        "a replacement runs",
        (SETUP, State.OPERATION_RUNNING, Code.WORKFLOW_OPERATION_IN_PROGRESS),
    ),
    ("written", "operation of guided_upgrade", (CONFLICT, State.CONFLICT, Code.WORKFLOW_OWNER_CONFLICT)),
    ("written", "operation of align_existing_install", (CONFLICT, State.CONFLICT, Code.WORKFLOW_OWNER_CONFLICT)),
    ("written", "another operation", (SETUP, State.ACTIVE, Code.WORKFLOW_SWITCH_BLOCKED)),
    ("written", "no link", (SETUP, State.ACTIVE, Code.WORKFLOW_SWITCH_BLOCKED)),
    ("written", "operation at cancelled", (SETUP, State.ACTIVE, None)),
    ("written", "cleanup pending", (SETUP, State.CLEANUP_PENDING, Code.WORKFLOW_RECOVERY_REQUIRED)),
    ("written", "cleanup review_required", (SETUP, State.REVIEW_REQUIRED, Code.WORKFLOW_RECOVERY_REQUIRED)),
    ("written", "cleanup complete", (NONE, State.IDLE, None)),
]


@pytest.mark.parametrize(("place", "situation", "expected"), VERDICTS)
def test_the_records_say_who_owns_the_console(
    place: str, situation: str, expected: tuple[Owner, State, Code | None]
) -> None:
    scene = again(place)
    SITUATIONS[situation](scene)
    assert verdict(scene) == expected


def test_running_work_outranks_a_broken_record() -> None:
    scene = written()
    scene.site.world.files[B0] = b"{"
    scene.house.work.begin(WorkKind.CONFIG_WRITE)
    assert verdict(scene)[:2] == (UNKNOWN, State.OPERATION_RUNNING)


def test_an_unsupported_mode_is_nobodys_and_not_malformed() -> None:
    scene = written()
    data = scene.site.world.files[B1].replace(b'"fresh_install"', b'"somebody_elses"')
    scene.site.world.files[B1] = data
    assert verdict(scene) == (UNKNOWN, State.ACTIVE, Code.WORKFLOW_OWNER_UNKNOWN)


def test_a_review_that_was_never_the_workflows_claims_nothing() -> None:
    scene = opened()
    scene.do(scene.abandoning())
    entry = CleanupEntry(kind=Kind.DEPLOYMENT_MARKER, status=Status.REVIEW_REQUIRED)
    review = evolve(scene.setup.cleanup, state=CleanupState.REVIEW_REQUIRED, review_count=1, artifacts=(entry,))
    scene.put(B0, evolve(scene.setup, status=WorkflowStatus.ABANDONED, cleanup=review))
    before = scene.files
    assert verdict(scene)[0] is NONE
    assert scene.files == before, "a verdict resolves nothing"


def test_an_engine_that_is_silent_does_not_lock_a_setup_that_handed_nothing_over() -> None:
    scene = written()
    scene.engine.replacement = Activity.UNKNOWN
    assert verdict(scene) == (SETUP, State.ACTIVE, None)


def test_an_upgrade_context_that_nobody_owns_is_something_to_recover() -> None:
    scene = Scene()
    assert not scene.do(lifecycle(scene.house)).recoverable
    scene.put(B6, UPGRADE)
    assert scene.do(lifecycle(scene.house)).recoverable


# The fingerprint


def fingerprint(scene: Scene) -> str:
    return scene.do(lifecycle_view(scene.house)).fingerprint


@pytest.mark.parametrize("place", PLACES)
def test_a_restart_keeps_the_fingerprint(place: str) -> None:
    scene = again(place)
    assert fingerprint(scene) == fingerprint(scene.restart())


def test_every_fact_behind_the_verdict_changes_the_fingerprint() -> None:
    seen = {fingerprint(written())}
    scene = written()
    setup, transition = scene.setup, scene.transition
    for changed in (
        evolve(transition, stage=Stage.EMS_OPERATION_PENDING),
        evolve(transition, mode=Mode.AUTOMATED_SETUP),
    ):
        scene.put(B1, changed)
        seen.add(fingerprint(scene))
    scene.put(B1, transition)
    scene.put(B0, evolve(setup, operation_id=None))
    seen.add(fingerprint(scene))
    for broken in (b"{", b"{{"):
        scene.site.world.files[B0] = broken
        seen.add(fingerprint(scene))
    assert len(seen) == 6


def test_what_comes_and_goes_with_a_process_is_no_part_of_the_fingerprint() -> None:
    scene = fetched()
    before = fingerprint(scene)
    scene.house.work.begin(WorkKind.CONFIG_WRITE)
    assert fingerprint(scene) == before
