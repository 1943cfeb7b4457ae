"""Every seam, the power taken away after each durable step, and held against what its declaration says of that place.

Each act is numbered by running it once; then it is run again for every number, cut there, and started anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from attrs import evolve, frozen

from ems_admin import codec
from ems_admin.machines.kernel import AfterCut, Seam
from ems_admin.machines.records.setup import GuidedSetup, WorkflowStatus
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.seams import CANCEL, CONFIG_COMMIT, ENDING, SUCCESS, WRITE
from ems_admin.workflows.startup import start_up
from tests.stores.records import UPGRADE
from tests.workflows.places import again, prepared, secret_draft, written
from tests.workflows.scene import B0, B1, B2, B2A, B5, B6, CONFIG, CREDENTIALS, INTENT, KEPT, PROCESSES, PowerCut, Scene


@frozen(kw_only=True)
class Walked:
    """An act that walks a seam, and which file each of its steps changes last."""

    seam: Seam
    before: Callable[[], Scene]
    act: Callable[[Scene], object]
    ends: tuple[tuple[str, str], ...]
    """Name of the step, and the durable change that ends it, in the order in which they land."""


def to_apply() -> Scene:
    scene = again("fetched")
    scene.site.world.files[CONFIG] = b'{"old": 1}'
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {"old": {"username": "a"}}}'
    scene.review(secret_draft())
    return scene


def to_apply_first() -> Scene:
    scene = again("fetched")
    scene.review(secret_draft())
    return scene


def to_prepare() -> Scene:
    return written(draft=secret_draft())


def to_write() -> Scene:
    scene = again("fetched")
    scene.review(secret_draft())
    return scene


def to_abandon() -> Scene:
    return prepared(draft=secret_draft())


def to_succeed() -> Scene:
    scene = prepared()
    scene.do(scene.starting())
    while scene.stage is not Stage.HEALTHCHECK_PENDING:
        scene.site.tasks.running[0].step()
    scene.put(B6, evolve(UPGRADE, operation_id=scene.transition.operation_id))
    return scene.restart()


APPLIED = (
    ("note_intent", INTENT),
    ("stage_credentials", CREDENTIALS),
    ("replace_config", CONFIG),
    ("consume_preview", B0),
    ("delete_intent", INTENT),
)
DEPLOYED = tuple(end for end in APPLIED if end[0] != "consume_preview")
ACTS = {
    "apply over a config": Walked(
        seam=CONFIG_COMMIT,
        before=to_apply,
        act=lambda scene: scene.do(scene.applying(overwrite=True)),
        ends=APPLIED,
    ),
    "apply the first config": Walked(
        seam=CONFIG_COMMIT, before=to_apply_first, act=lambda scene: scene.do(scene.applying()), ends=APPLIED
    ),
    "prepare": Walked(
        seam=CONFIG_COMMIT, before=to_prepare, act=lambda scene: scene.job(scene.preparing()), ends=DEPLOYED
    ),
    "write": Walked(
        seam=WRITE,
        before=to_write,
        act=lambda scene: scene.do(scene.writing()),
        ends=(("write_config", B2), ("write_metadata", "credentials.json"), ("bind_artifacts", B0)),
    ),
    "abandon": Walked(
        seam=ENDING,
        before=to_abandon,
        act=lambda scene: scene.do(scene.abandoning()),
        ends=(
            ("cancel_operation", B1),
            ("end_workflow", B0),
            ("remove_artifacts", "deployment_marker"),
            ("note_verdict", B0),
        ),
    ),
    "success": Walked(
        seam=SUCCESS,
        before=to_succeed,
        act=lambda scene: scene.do(scene.resuming()),
        ends=(
            ("note_known_good", B5),
            ("complete_operation", B1),
            ("complete_workflow", B0),
            ("clear_upgrade_context", B6),
        ),
    ),
}


def at_end(landed: list[str], walked: Walked) -> str | None:
    """Name the last step that has landed whole; `None` before the first one has."""
    done, ends = None, iter(walked.ends)
    step, ending = next(ends)
    for name in landed:
        if name.endswith(ending):
            done = step
            step, ending = next(ends, ("", "nothing more"))
    return done


def cut(walked: Walked) -> Iterator[tuple[int, str | None, Scene]]:
    """Cut the act after each of its durable steps in turn; give the number, the last whole step, and the dead scene."""
    number = 0
    while True:
        number += 1
        scene = walked.before()
        scene.durable.clear()
        scene.cut_after = number
        try:
            walked.act(scene)
        except PowerCut:
            yield number, at_end(scene.durable, walked), scene
        else:
            assert number > len(walked.ends), "there is nothing to cut"
            return
        finally:
            PROCESSES.append(scene)


def essence(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out what two ways to the same end may differ in: backups, and what a cleanup found gone already."""
    found = {name: data for name, data in files.items() if not name.startswith("backups/")}
    if B0 in found:
        setup = codec.decode(found[B0], GuidedSetup)
        found[B0] = codec.encode(evolve(setup, cleanup=evolve(setup.cleanup, artifacts=())))
    return found


@pytest.mark.parametrize("name", ACTS)
def test_a_start_does_after_each_cut_what_the_seam_declares(name: str) -> None:
    walked = ACTS[name]
    begun = walked.before()
    before = essence(begun.files)
    walked.act(begun)
    final = essence(begun.files)
    own = set(final) if name != "prepare" else {CONFIG, CREDENTIALS, INTENT, B0} & set(final)
    steps = {step.name: step for step in walked.seam.steps}
    met = set()
    for number, last, scene in cut(walked):
        dead = essence(scene.files)
        after = scene.restart()
        assert after.house.startup.passed, (number, last)
        found = essence(after.files)
        met.add(last)
        declared = steps[last].after_cut if last is not None else None
        if name == "prepare" and last == "delete_intent":
            break  # the rest of the work is no part of the seam
        if last is None:
            expected = dead
        elif declared is AfterCut.GO_ON or declared is None:
            expected = final
        elif declared is AfterCut.ROLL_BACK:
            expected = before
        else:
            expected = dead
        compared = own | {CONFIG, CREDENTIALS, INTENT} if name == "prepare" else set(expected) | set(found)
        for file in compared:
            if name == "prepare" and file == B0:
                continue  # claims its marker later
            assert found.get(file) == expected.get(file), (number, last, declared, file)
        assert not [file for file in found if file.endswith(KEPT)], (number, last)
        assert INTENT not in found
    assert met >= {step for step, _ in walked.ends[:-1]}


@pytest.mark.parametrize("name", ACTS)
def test_a_second_cut_during_the_start_changes_nothing_of_that(name: str) -> None:
    """The start itself is cut after each of its own durable steps, and started once more."""
    walked = ACTS[name]
    for number, last, scene in cut(walked):
        once = essence(scene.restart().files)
        for step in range(1, 10):
            dying = scene.restart(start_up=False)
            dying.house.startup.passed = False
            dying.cut_after = step
            try:
                dying.do(start_up(dying.house))
            except PowerCut:
                assert essence(dying.restart().files) == once, (number, last, step)
            else:
                break


def test_a_write_that_rests_is_written_again_with_its_unspent_preview() -> None:
    for number, last, scene in cut(ACTS["write"]):
        after = scene.restart()
        if last == "bind_artifacts":
            continue
        after.do(after.writing())
        assert after.setup.artifacts.generated_preview_id == after.preview_id, number
        assert after.job(after.preparing()).error is None


def test_an_abandon_that_rests_is_abandoned_again() -> None:
    for number, _last, scene in cut(ACTS["abandon"]):
        after = scene.restart()
        after.do(after.abandoning())
        assert after.setup.status is WorkflowStatus.ABANDONED, number
        assert not [name for name in after.files if name.startswith("workflows/")]


def test_a_success_that_rests_is_checked_again() -> None:
    for number, last, scene in cut(ACTS["success"]):
        after = scene.restart()
        if last in {None, "note_known_good"}:
            assert after.stage is Stage.HEALTHCHECK_PENDING
            after.do(after.resuming())
        assert (after.stage, after.setup.status) == (Stage.COMPLETED, WorkflowStatus.COMPLETED), number
        assert B6 not in after.files


@pytest.mark.parametrize("own", [True, False])
def test_the_context_of_a_cancelled_operation_goes_at_the_start_and_no_other(own: bool) -> None:
    """The seam `cancel`: what follows the cancel is gone on with."""
    assert [step.after_cut for step in CANCEL.steps] == [AfterCut.GO_ON, None]
    scene = written()
    operation_id = scene.transition.operation_id if own else "f" * 32
    scene.put(B6, evolve(UPGRADE, operation_id=operation_id))
    scene.until(scene.abandoning(), lambda _mark: scene.stage is Stage.CANCELLED)
    assert (B6 in scene.restart().files) is not own


def test_a_cut_file_of_generated_metadata_is_named_as_the_seam_names_it() -> None:
    """The names of the durable steps are the ones that the tests above go by."""
    scene = to_write()
    scene.durable.clear()
    scene.do(scene.writing())
    assert [name.rpartition("/")[2] for name in scene.durable] == [B2, B2A, "credentials.json", B0.rpartition("/")[2]]
