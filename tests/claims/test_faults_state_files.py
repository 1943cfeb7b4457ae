"""Faults of files that no single machine owns (`faults.md` F02, F08, D8)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ArtifactKind, ArtifactStatus, CleanupEntry, CleanupState
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import NotCommitted, RefusalError
from ems_admin.workflows.setup.view import read_setup
from ems_admin.workflows.views.console import console
from tests.workflows.maintenance.edits import LEGACY, edited, installed, saving, taking_over
from tests.workflows.places import fetched, opened, prepared, secret_draft
from tests.workflows.scene import B0, CONFIG, CREDENTIALS, FULL_DISK, INTENT, Scene

READ_ONLY = NotCommitted(code=Code.ADMIN_DATA_NOT_WRITABLE, detail="state is 0:0, running as 1000:1000")
MOUNTED = NotCommitted(code=Code.CONFIG_FILE_NOT_REPLACEABLE, detail="ebusy")


def stranded() -> Scene:
    """A review that only ever named a file of the installed system: settling it is the one write on reading."""
    scene = opened()
    scene.do(scene.abandoning())
    entry = CleanupEntry(kind=ArtifactKind.DEPLOYMENT_MARKER, status=ArtifactStatus.REVIEW_REQUIRED)
    review = evolve(scene.setup.cleanup, state=CleanupState.REVIEW_REQUIRED, review_count=1, artifacts=(entry,))
    scene.put(B0, evolve(scene.setup, cleanup=review))
    return scene


@pytest.mark.parametrize("outcome", [FULL_DISK, READ_ONLY])
def test_reading_answers_although_its_one_write_fails(outcome: NotCommitted) -> None:
    """F02, on a full disk and on one that only reads; once there is space, reading settles it."""
    scene = stranded()
    before = scene.files
    scene.fail(B0, outcome, lasting=True)
    setup = scene.do(read_setup(scene.house))
    assert getattr(setup, "workflow_id", None) == scene.workflow_id
    assert scene.do(console(scene.house)).lifecycle.lifecycle.owner == "none"
    assert scene.files == before
    scene.site.world.faults.clear()
    scene.do(read_setup(scene.house))
    assert scene.setup.cleanup.state is CleanupState.COMPLETE


def old_layout() -> Scene:
    scene = prepared()
    scene.do(scene.abandoning())
    scene.site.world.files[LEGACY] = scene.site.world.files.pop(CONFIG)
    return scene


def reviewed_with_secrets() -> Scene:
    scene = fetched()
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {}}'
    scene.review(secret_draft())
    return scene


def written_with_secrets() -> Scene:
    scene = reviewed_with_secrets()
    scene.do(scene.writing())
    return scene


def with_another_password(scene: Scene) -> Coroutine[Any, Any, Any]:
    draft = edited(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    return saving(scene, draft, backup=False)


Act = Callable[[Scene], Coroutine[Any, Any, Any]]
PATHS: dict[str, tuple[Callable[[], Scene], Act]] = {
    "W1": (reviewed_with_secrets, lambda scene: scene.applying()),
    "W3": (written_with_secrets, lambda scene: scene.preparing()),
    "W4": (installed, with_another_password),
    "W8": (old_layout, taking_over),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_config_that_cannot_be_replaced_says_so_and_takes_its_secrets_back(path: str) -> None:
    """F08, D8 on every way of the config that exists: secrets byte-exact, no leftover, and a preview stays valid."""
    stand, act = PATHS[path]
    scene = stand()
    kept = {name: scene.files.get(name) for name in (CONFIG, CREDENTIALS, LEGACY, B0)}
    scene.fail(CONFIG, MOUNTED)
    assert met(scene, act) is Code.CONFIG_FILE_NOT_REPLACEABLE
    assert {name: scene.files.get(name) for name in kept} == kept
    assert INTENT not in scene.files
    assert not [name for name in scene.files if name.endswith((".kept", ".tmp"))]
    assert met(scene, act) is None, "once it can be replaced, the same request succeeds"


def met(scene: Scene, act: Act) -> str | None:
    """Give the code that the act comes to, in its answer or in its job."""
    try:
        done = scene.do(act(scene))
    except RefusalError as refused:
        return refused.refusal.code
    scene.finish()
    return done.error.code if isinstance(done, Job) and done.error else None
