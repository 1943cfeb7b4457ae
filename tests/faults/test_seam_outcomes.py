"""Every commit inside a seam answers in turn what a disk may answer, and the claim of the act is held against the disk.

Proved absent, or unprovable with and without having landed: what the person is told is true of the files, at once and
after a start.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.alignment import health
from ems_admin.workflows.ports.records import NotCommitted, RefusalError, Unprovable
from tests.memory.world import Blocked, Call
from tests.workflows.places import again, prepared, secret_draft
from tests.workflows.scene import B0, B5, CONFIG, CREDENTIALS, FULL_DISK, INTENT, KEPT, PROCESSES, UNPROVABLE, Scene


@frozen(kw_only=True)
class Answer:
    """What one commit answers."""

    outcome: NotCommitted | Unprovable
    lands: bool


ANSWERS = {
    "absent": Answer(outcome=FULL_DISK, lands=False),
    "unprovable and absent": Answer(outcome=UNPROVABLE, lands=False),
    "unprovable and there": Answer(outcome=UNPROVABLE, lands=True),
}
each = pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)


def attempt(scene: Scene, work: Coroutine[Any, Any, Any], number: int, answer: Answer) -> tuple[str | None, Any]:
    """Run with the commit of this number answering so; give its file (`None`: none came so far), and its outcome."""
    met, name = 0, None
    try:
        while True:
            mark = work.send(None)
            assert not isinstance(mark, Blocked)
            if isinstance(mark, Call) and mark.name.startswith("commit "):
                met += 1
                if met == number:
                    name = mark.name.removeprefix("commit ")
                    scene.fail(name, answer.outcome, lands=answer.lands)
    except StopIteration as end:
        return name, end.value
    except RefusalError as refused:
        return name, refused.refusal
    finally:
        PROCESSES.append(scene)


def to_apply() -> Scene:
    scene = again("fetched")
    scene.site.world.files[CONFIG] = b'{"old": 1}'
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {"old": {"username": "a"}}}'
    scene.review(secret_draft())
    return scene


def each_commit(answer: Answer) -> Iterator[tuple[Scene, dict[str, bytes], str, Any]]:
    for number in range(1, 30):
        scene = to_apply()
        before = scene.files
        name, came = attempt(scene, scene.applying(overwrite=True), number, answer)
        if name is None:
            assert number > 6
            return
        yield scene, before, name, came


def besides_backups(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if not name.startswith("backups/")}


def pair(files: dict[str, bytes]) -> tuple[bytes | None, bytes | None]:
    return files.get(CONFIG), files.get(CREDENTIALS)


@each
def test_what_apply_claims_is_true_of_the_files(answer: Answer) -> None:
    after = to_apply()
    old = pair(after.files)
    after.do(after.applying(overwrite=True))
    new = pair(after.files)
    for scene, before, name, came in each_commit(answer):
        found = pair(scene.files)
        if not isinstance(came, Refusal):
            assert found == new, name
        elif came.code is not Code.STATE_COMMIT_UNPROVABLE:
            assert found == old, name
            assert besides_backups(scene.files) == besides_backups(before), name
        started = scene.restart()
        assert started.house.startup.passed
        assert pair(started.files) in {old, new}, name
        assert INTENT not in started.files
        assert not [file for file in started.files if file.endswith(KEPT)], name


@each
def test_the_next_write_of_the_same_process_settles_what_the_last_one_left_open(answer: Answer) -> None:
    for scene, _before, name, _came in each_commit(answer):
        scene.review(secret_draft("Another"))
        scene.do(scene.applying(overwrite=True))
        assert INTENT not in scene.files, name
        assert b"Another" in scene.files[CONFIG]
        assert not [file for file in scene.files if file.endswith(KEPT)], name


def test_secrets_that_were_to_be_put_back_and_are_gone_are_never_taken_for_none() -> None:
    scene = to_apply()
    work = scene.applying(overwrite=True)
    scene.until(work, lambda mark: mark == Call(f"commit {CONFIG}"))
    for name in [name for name in scene.files if name.endswith(KEPT)]:
        del scene.site.world.files[name]
    dead = scene.files
    started = scene.restart()
    assert not started.house.startup.passed
    assert started.house.startup.failed_by is Code.CONFIG_COMMIT_UNPROVABLE
    assert started.files == dead


@each
def test_what_write_claims_is_true_of_the_files(answer: Answer) -> None:
    for number in range(1, 10):
        scene = again("fetched")
        scene.review(secret_draft())
        before = scene.setup
        name, came = attempt(scene, scene.writing(), number, answer)
        if name is None:
            assert number == 5
            return
        assert isinstance(came, Refusal), name
        if not (name == B0 and answer.lands):
            assert scene.setup == before, "nothing is bound, and the preview is unspent"
        scene.do(scene.writing(overwrite=True))
        assert scene.job(scene.preparing()).error is None


@each
def test_what_abandon_claims_is_true_of_the_files(answer: Answer) -> None:
    for number in range(1, 10):
        scene = prepared(draft=secret_draft())
        before = scene.files
        name, came = attempt(scene, scene.abandoning(), number, answer)
        if name is None:
            assert number == 4
            return
        assert isinstance(came, Refusal)
        setup = scene.setup
        if number == 1 and not answer.lands:
            assert scene.files == before
        if setup.status is WorkflowStatus.ACTIVE:
            assert setup.cleanup.state is CleanupState.NOT_REQUIRED
            assert scene.generated() is not None, "nothing is removed that is not owed to be"
        elif setup.cleanup.state is not CleanupState.COMPLETE:
            assert setup.cleanup.state is CleanupState.PENDING
        scene.do(scene.abandoning())
        assert scene.setup.cleanup.state is CleanupState.COMPLETE
        assert scene.house.work.holder is None


@each
def test_what_success_claims_is_true_of_the_files(answer: Answer) -> None:
    for number in range(1, 10):
        scene = prepared()
        scene.do(scene.starting())
        while scene.stage is not Stage.HEALTHCHECK_PENDING:
            scene.site.tasks.running[0].step()
        scene = scene.restart()
        name, came = attempt(scene, resumed(scene), number, answer)
        if name is None:
            assert number == 4
            return
        assert not isinstance(came, Refusal), "the job tells it"
        assert scene.stage in {Stage.HEALTHCHECK_PENDING, Stage.COMPLETED}
        if scene.stage is Stage.COMPLETED:
            assert B5 in scene.files, "known good comes first"
        started = scene.restart()
        if started.stage is Stage.HEALTHCHECK_PENDING:
            started.do(started.resuming())
        assert (started.stage, started.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED), name


async def resumed(scene: Scene) -> None:
    """Resume, and step the worker inside, so that its commits are counted."""
    transition = scene.transition
    entry = scene.house.work.begin(WorkKind.TRANSITION_RESUME, operation_id=transition.operation_id).entry
    try:
        await health.check_health(scene.house, scene.caller, transition, entry, lambda _progress: None)
    except RefusalError:
        return
    finally:
        scene.house.work.release(entry.id)


def test_a_known_good_that_cannot_be_noted_is_told_as_a_failure() -> None:
    scene = prepared()
    scene.fail(B5, UNPROVABLE, lands=True)
    job = scene.job(scene.starting())
    assert job.error is not None
    assert job.error.code is Code.STATE_COMMIT_UNPROVABLE
    assert scene.stage is Stage.HEALTHCHECK_PENDING


def test_the_record_of_an_ended_workflow_is_what_it_was_but_for_its_end() -> None:
    scene = prepared()
    before = scene.setup
    scene.do(scene.abandoning())
    after = scene.setup
    same = evolve(
        after, status=before.status, preview=before.preview, artifacts=before.artifacts, cleanup=before.cleanup
    )
    assert evolve(same, updated_at=before.updated_at) == before
