"""The release: copies, then their list, then the records, each only with the bytes that were shown (`seed 000` 7.4)."""

from __future__ import annotations

from collections.abc import Coroutine
from hashlib import sha256
from typing import Any

import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.lifecycle.release import Release
from ems_admin.machines.records.recovery import RecoveryManifest
from ems_admin.workflows.arbiter.recovering import Recovered
from ems_admin.workflows.arbiter.releasing import Released
from ems_admin.workflows.ports.engine import Activity
from tests.stores.records import RUN as WALK
from tests.workflows.lifecycle.classes import BROKEN, DISPATCHED, RUN, Stored, stand
from tests.workflows.lifecycle.test_recovery import preview, recovering
from tests.workflows.scene import B0, B1, B3, B5, B6, CONFIG, CREDENTIALS, INTENT, Scene

B7 = "state/pending-admin-update.json"
NAMED = (RUN, DISPATCHED, B7, INTENT, B6, B0, B1)
BACKUPS = "state/workflow-recovery/"


def releasing(scene: Scene, **changes: Any) -> Coroutine[Any, Any, Recovered]:
    return recovering(scene, Mode.RELEASE_STALE_STATE, **changes)


def released(scene: Scene, **changes: Any) -> Released:
    done = scene.do(releasing(scene, **changes)).released
    assert done is not None
    return done


def everything_broken() -> Scene:
    """Every record that a release may name is there, with bytes of its own, and cannot be read."""
    return stand(Stored("absent", "absent"), **{name: BROKEN + name.encode() for name in NAMED})


def backups(scene: Scene) -> dict[str, bytes]:
    return {name: data for name, data in scene.files.items() if name.startswith(BACKUPS)}


def manifest(scene: Scene, folder: str | None) -> RecoveryManifest:
    return codec.decode(scene.files[f"{folder}/recovery-manifest.json"], RecoveryManifest)


def test_what_cannot_be_read_is_copied_listed_and_gone() -> None:
    """Seed 000 7.4: files[{name, reason, sha256, bytes}] beside identity, and the bytes as they were."""
    scene = everything_broken()
    before, shown = scene.files, preview(scene).view.fingerprint
    done = released(scene, reason=" it is stuck ")
    assert [file.name for file in done.files] == list(NAMED)
    for file in done.files:
        kept = scene.files[f"{done.folder}/{file.name.removeprefix('state/')}"]
        assert kept == before[file.name]
        assert (file.sha256, file.bytes, file.reason) == (
            sha256(kept).hexdigest(),
            len(kept),
            Release.UNREADABLE_STATE,
        )
        assert file.name not in scene.files
    told = manifest(scene, done.folder)
    assert (told.mode, told.reason, told.lifecycle_fingerprint) == ("release_stale_state", "it is stuck", shown)
    assert (told.files, told.admin_revision) == (done.files, "a" * 40)
    assert preview(scene).view.lifecycle.owner == "none"
    assert {entry.line.key for entry in scene.site.journal.entries if entry.line.trigger == "release"} == set(NAMED)


def test_the_order_is_copies_then_list_then_records() -> None:
    """Seed 000 7.4: the order is fixed."""
    scene = everything_broken()
    folder = released(scene).folder
    copies = [f"{folder}/{name.removeprefix('state/')}" for name in NAMED]
    assert scene.durable == [folder, *copies, f"{folder}/recovery-manifest.json", *NAMED]


def test_no_content_reaches_the_manifest() -> None:
    """Seed 000 7.4.1: identity and hashes only, so no secret that a malformed record held."""
    scene = stand(Stored("absent", "absent"), **{B1: b'{"password": "hunter2"'})
    folder = released(scene).folder
    assert b"hunter2" not in scene.files[f"{folder}/recovery-manifest.json"]
    assert b"hunter2" in scene.files[f"{folder}/pending-transition.json"]


def test_a_second_release_finds_nothing_left() -> None:
    """Seed 000 7.4.1: it answers released: [] and leaves no folder."""
    scene = everything_broken()
    released(scene)
    before = scene.files
    assert released(scene) == Released(files=(), folder=None)
    assert scene.files == before


def test_two_releases_of_one_second_lie_in_two_folders() -> None:
    """site.md 4: a collision gets -2, -3."""
    scene, folders = Scene(), []
    for _ in range(3):
        scene.site.world.files[B1] = BROKEN
        folders.append(released(scene).folder)
    stamp = f"{BACKUPS}20260101T120000Z"
    assert folders == [stamp, f"{stamp}-2", f"{stamp}-3"]


@pytest.mark.parametrize(
    ("stored", "names", "reason"),
    [
        (Stored("active", "unsupported"), {B1}, Release.UNSUPPORTED_TRANSITION_MODE),
        (
            Stored("active of another", "fresh_install at resources_verified"),
            {B0},
            Release.SETUP_TRANSITION_CONTEXT_MISMATCH,
        ),
        (
            Stored("active of none", "fresh_install at failed_recoverable"),
            {B0},
            Release.SETUP_TRANSITION_OWNER_UNPROVEN,
        ),
        (Stored("absent", "guided_upgrade at resources_verified", "unusable"), {B6}, Release.UNUSABLE_UPGRADE_CONTEXT),
        (Stored("active", "unsupported", "absent", "launched"), {B1, DISPATCHED}, Release.UNSUPPORTED_TRANSITION_MODE),
        (Stored("absent", "completed", "absent", "unreadable"), {DISPATCHED}, Release.UNREADABLE_STATE),
    ],
)
def test_a_readable_record_is_released_only_for_its_reason(stored: Stored, names: set[str], reason: Release) -> None:
    """Seed 000 7.4: unreadable is not the only unusable; everything else stays as it is."""
    scene = stand(stored)
    before = scene.files
    done = released(scene)
    assert ({file.name for file in done.files}, {file.reason for file in done.files}) == (names, {reason})
    left = {name: data for name, data in scene.files.items() if not name.startswith(BACKUPS)}
    assert left == {name: data for name, data in before.items() if name not in names}


def test_the_walk_goes_with_the_operation_that_it_was_about() -> None:
    """site.md 4: dispatch and run when unreadable, or together with the B1 that is released, with its reason."""
    stored = Stored("absent", "unreadable", "absent", "launched")
    scene = stand(stored, **{RUN: codec.encode(WALK)})
    assert {file.name: str(file.reason) for file in released(scene).files} == dict.fromkeys(
        (RUN, DISPATCHED, B1), "unreadable_state"
    )
    scene = stand(Stored("absent", "completed", "absent", "launched"), **{RUN: codec.encode(WALK)})
    assert released(scene).files == ()


def test_what_is_never_in_scope_stays_also_when_it_cannot_be_read() -> None:
    """Seed 000 7.4: marker, known-good, config, stack file, credentials."""
    never = (B3, B5, CONFIG, CREDENTIALS, "/stack.json", "state/selected-release.json", "state/native-services.json")
    scene = stand(Stored("unreadable", "unreadable"), **dict.fromkeys(never, BROKEN))
    released(scene)
    assert {name: scene.files.get(name) for name in never} == dict.fromkeys(never, BROKEN)


# What keeps it from going on


@pytest.mark.parametrize(
    ("seen", "code"),
    [(Activity.ACTIVE, Code.REPLACEMENT_ACTIVE), (Activity.UNKNOWN, Code.INSTALL_STATE_UNAVAILABLE)],
)
@pytest.mark.parametrize("stored", [Stored("unreadable", "unreadable"), Stored("absent", "absent")])
def test_until_no_replacement_is_proven_to_run_nothing_goes(stored: Stored, seen: Activity, code: Code) -> None:
    """Seed 000 7.4.1; D1: three answers, and only one of them lets a release continue."""
    scene = stand(stored)
    scene.engine.replacement = seen
    before = scene.files
    assert scene.refused(releasing(scene)).code is code
    assert (scene.files, scene.house.work.holder) == (before, None)
    if stored.setup != "absent":
        assert (preview(scene).blocking, preview(scene).release_available) == (code, False)


def test_the_bytes_are_held_against_what_was_shown_once_more_under_the_lock() -> None:
    """Seed 000 7.2: whatever is written meanwhile stays, and so does everything behind it."""
    scene = everything_broken()
    work = releasing(scene)
    scene.until(work, lambda mark: mark.name == f"hold {B0}")
    scene.site.world.files[B0] = b"{{ somebody was faster"
    refusal = scene.refused(work)
    assert (refusal.code, refusal.detail) == (Code.WORKFLOW_LIFECYCLE_CHANGED, B0)
    assert scene.files[B0] == b"{{ somebody was faster"
    assert B1 in scene.files


def test_a_record_that_changes_before_its_copy_is_not_released() -> None:
    scene = everything_broken()
    work = releasing(scene)
    scene.until(work, lambda mark: mark.name == f"back up {B0}")
    scene.site.world.files[B0] = b"{{"
    assert scene.refused(work).code is Code.WORKFLOW_LIFECYCLE_CHANGED
    assert set(NAMED) <= set(scene.files)


def test_of_two_releases_at_once_exactly_one_acts() -> None:
    scene = everything_broken()
    shown = preview(scene).view.fingerprint
    first = releasing(scene, fingerprint=shown)
    scene.until(first, lambda mark: mark.name == f"hold {B0}")
    second = releasing(scene, fingerprint=shown)
    assert second.send(None).name == "lock lifecycle"
    scene.do(first)
    assert scene.refused(second).code is Code.WORKFLOW_LIFECYCLE_CHANGED
    assert len({name.split("/")[2] for name in backups(scene)}) == 1
