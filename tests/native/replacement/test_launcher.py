"""What an Admin tries before it is replaced, and its updater, told by a lock (`replacement.md` 7.2, 7.8)."""

import json
import os
import shutil
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.codec import encode
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import OwnIdentity, Program
from ems_admin.machines.records.transition import Transition
from ems_admin.native import programs, updater_locks
from ems_admin.native.replacement import incumbent, trees
from ems_admin.native.replacement.admins import Role
from ems_admin.native.replacement.incumbent import Reachable
from ems_admin.native.replacement.launcher import NativeLauncher
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.stores.host import HostClock
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Progress
from ems_admin.workflows.ports.replacement import Launch, UpdaterState
from tests.native.host import until
from tests.native.replacement.stage import NEW, OLD, OPERATION, REVISIONS, Stage
from tests.stores.records import MANIFEST, TRANSITION

LAUNCH = Launch(operation_id=OPERATION, attempt=1, container="c", image=None)
OTHER = "1" * 32
TAG = "v2.0.0"


def launcher(stage: Stage, digest: str | None, url: str | None = "http://127.0.0.1:9") -> NativeLauncher:
    own = OwnIdentity(
        system_tag="v1.0.0",
        build_id=OLD,
        revision=REVISIONS[OLD],
        built_at=datetime(2026, 1, 1, tzinfo=UTC),
        digest=digest,
        requires="0" * 64,
    )
    pointer = Pointer(store=stage.files.current_admin, clock=HostClock())
    return NativeLauncher(admins=stage.admins, pointer=pointer, own=own, reachable=Reachable(url=url))


def imported(stage: Stage, way: str = "good") -> Transition:
    """Import the build that is to come, and give the operation that names it."""
    digest = stage.program(NEW, way)
    packed = stage.place.packed(TAG, "programs/admin")
    shutil.copytree(stage.place.program(NEW, "programs/admin"), packed)
    shutil.rmtree(stage.place.programs / NEW)
    program = Program(directory="programs/admin", command=("{python}", "-m", "ems_admin"), sha256=digest)
    manifest = evolve(MANIFEST, system_tag=TAG, build_id=NEW, revision=REVISIONS[NEW], programs={"admin": program})
    (packed.parents[1] / "manifest.json").write_bytes(encode(manifest))
    return evolve(TRANSITION, system_tag=TAG, build_id=NEW, revision=REVISIONS[NEW], admin_digest=digest)


def failed(outcome: Done | EngineFailure) -> EngineFailure:
    assert isinstance(outcome, EngineFailure), outcome
    return outcome


async def test_the_new_program_is_brought_checked_and_tried_before_anything_is_touched(stage: Stage) -> None:
    transition = imported(stage)
    told: list[Progress] = []
    assert await launcher(stage, stage.program(OLD)).prepare(transition, told.append) == Done()
    assert [one.step for one in told] == ["place", "image", "digest", "smoke"]
    tree = trees.tree_of(stage.place, NEW)
    assert tree is not None
    assert tree.sha256 == transition.admin_digest
    assert trees.is_whole(tree, transition.admin_digest)
    assert stage.pointed is None
    assert await launcher(stage, tree_digest(stage)).prepare(transition, told.append) == Done()


def tree_digest(stage: Stage) -> str:
    tree = trees.tree_of(stage.place, OLD)
    assert tree is not None
    return programs.digest(tree.root)


async def test_a_program_that_does_not_say_which_build_it_is_fails_the_smoke_run(stage: Stage) -> None:
    """F20."""
    transition = imported(stage, "mute")
    outcome = failed(await launcher(stage, stage.program(OLD)).prepare(transition, lambda _told: None))
    assert (outcome.code, outcome.message) == (Code.IMAGE_SMOKE_FAILED, "ems-admin, build ?")


async def test_another_program_than_the_one_that_was_verified_is_not_taken(stage: Stage) -> None:
    """F21."""
    transition = evolve(imported(stage), admin_digest="f" * 64)
    outcome = failed(await launcher(stage, stage.program(OLD)).prepare(transition, lambda _told: None))
    assert outcome.code is Code.IMAGE_DIGEST_MISMATCH


async def test_a_build_without_its_import_is_unavailable(stage: Stage) -> None:
    transition = evolve(TRANSITION, system_tag=TAG, build_id=NEW)
    outcome = failed(await launcher(stage, stage.program(OLD)).prepare(transition, lambda _told: None))
    assert outcome.code is Code.IMAGE_UNAVAILABLE


async def test_without_its_own_program_an_admin_does_not_let_itself_be_replaced(stage: Stage) -> None:
    """F24, F33."""
    transition = imported(stage)
    outcome = failed(await launcher(stage, "e" * 64).prepare(transition, lambda _told: None))
    assert outcome.code is Code.ROLLBACK_NOT_POSSIBLE


@pytest.mark.parametrize(("digest", "url"), [(None, "http://127.0.0.1:9"), ("e" * 64, None)])
async def test_an_admin_that_cannot_name_itself_or_is_not_reached_is_not_replaced(
    stage: Stage, digest: str | None, url: str | None
) -> None:
    outcome = failed(await launcher(stage, digest, url).prepare(imported(stage), lambda _told: None))
    assert outcome.code is Code.ADMIN_UNVERIFIABLE


async def test_a_started_updater_holds_its_lock_as_long_as_it_lives_and_its_end_is_known(stage: Stage) -> None:
    """`replacement.md` 7.8: held is running, free and claimed is exited, free and unclaimed is absent."""
    hand = launcher(stage, stage.program(OLD))
    assert await hand.start(LAUNCH) == Done()
    assert (await hand.look(OPERATION, 1, claimed=False)).state is UpdaterState.RUNNING
    assert (await hand.look(OPERATION, 2, claimed=False)).state is UpdaterState.RUNNING  # an earlier one counts
    assert await hand.others(OPERATION) is Activity.INACTIVE
    assert await hand.others(OTHER) is Activity.ACTIVE
    assert failed(await hand.discard(OPERATION, 1)).code is Code.REPLACEMENT_ACTIVE
    before = stage.admins.find(stage.admins.mark(Role.UPDATER, OPERATION, 1))
    assert await hand.start(LAUNCH) == Done()
    assert stage.admins.find(stage.admins.mark(Role.UPDATER, OPERATION, 1)) == before  # not doubled
    assert before is not None
    os.kill(before.pid, signal.SIGKILL)
    until(lambda: updater_locks.replacement_activity(stage.place.state, OPERATION) is Activity.INACTIVE)
    seen = await hand.look(OPERATION, 1, claimed=True)
    assert seen.state is UpdaterState.EXITED
    assert seen.exit is not None
    assert seen.exit.code == 128 + signal.SIGKILL
    unclaimed = await hand.look(OPERATION, 1, claimed=False)
    assert (unclaimed.state, unclaimed.exit) == (UpdaterState.ABSENT, seen.exit)  # F37
    assert await hand.discard(OPERATION, 1) == Done()
    assert await hand.forget(OPERATION) == Done()
    assert list(stage.place.state.glob(".updater-*")) == []


async def test_an_updater_that_ends_at_once_says_why(stage: Stage) -> None:
    """F37."""
    hand = launcher(stage, stage.program(OLD, "exits"))
    outcome = failed(await hand.start(LAUNCH))
    assert (outcome.code, outcome.exit_code) == (Code.ADMIN_UPDATE_LAUNCH_FAILED, 7)
    assert outcome.message == "no such table: devices, password=***"


async def test_a_quelled_updater_is_gone_and_one_that_is_held_is_not_forgotten(stage: Stage) -> None:
    hand = launcher(stage, stage.program(OLD))
    assert await hand.start(LAUNCH) == Done()
    assert await hand.forget(OPERATION) == Done()
    assert updater_locks.lock_file(stage.place.state, OPERATION, 1).exists()
    assert await hand.quell(OPERATION, 1) == Done()
    assert (await hand.look(OPERATION, 1, claimed=False)).state is UpdaterState.ABSENT


async def test_locks_that_cannot_be_asked_prove_nothing(stage: Stage) -> None:
    hand = launcher(stage, stage.program(OLD))
    shutil.rmtree(stage.place.state)
    stage.place.state.write_text("no folder")
    assert (await hand.look(OPERATION, 1, claimed=True)).state is UpdaterState.UNKNOWN
    assert failed(await hand.discard(OPERATION, 1)).code is Code.INSTALL_STATE_UNAVAILABLE


async def test_what_is_left_for_an_updater_holds_no_secret(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hunter2@proxy")
    hand = launcher(stage, stage.program(OLD))
    assert await hand.start(LAUNCH) == Done()
    left = updater_locks.lock_file(stage.place.state, OPERATION, 1).read_text()
    assert "hunter2" not in left
    assert json.loads(left)["pid"] == os.getpid()
    told = incumbent.told(stage.place.state, OPERATION, 1)
    assert told is not None
    assert Path(told.directory) == Path.cwd()


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        ("serve --listen 127.0.0.1:0 --install-root x", "serve --listen 127.0.0.1:4711 --install-root x"),
        ("serve --listen=[::]:0", "serve --listen=[::]:4711"),
        ("demo --port 0", "demo --port 4711"),
        ("demo --port=0", "demo --port=4711"),
        ("serve --listen 0.0.0.0:8090", "serve --listen 0.0.0.0:8090"),
        ("serve --install-root 0", "serve --install-root 0"),
    ],
)
def test_the_port_that_the_machine_chose_stays(asked: str, runs: str) -> None:
    assert list(incumbent.at_port(asked.split(), 4711)) == runs.split()
