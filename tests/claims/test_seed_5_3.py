"""Whose an operation is, when it may be cancelled, and what is told of a cleanup (`seed 000` 5.3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from ems_admin import codec
from ems_admin.http.shown import shown
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest
from ems_admin.machines.records.setup import CleanupState, WorkflowStatus
from ems_admin.machines.records.transition import Mode, Stage
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Report
from tests.memory.outside import MemoryBuilds
from tests.workflows.places import begun, opened, prepared, written
from tests.workflows.replacement.old_admin import chosen, failed, pending, updating
from tests.workflows.scene import B0, B1, B3, Scene
from tests.workflows.stubborn import Stubborn


@pytest.mark.parametrize("stage", [Stage.COMPLETED, Stage.CANCELLED])
@pytest.mark.parametrize("mode", Mode)
def test_an_operation_that_is_over_is_nobodys_to_cancel_and_stands_in_no_cleanups_way(stage: Stage, mode: Mode) -> None:
    """First row of the verdicts: `none`, whoever it was of; the cleanup goes on."""
    scene = prepared()
    scene.put(B1, evolve(scene.transition, operation_id="f" * 32, mode=mode, stage=stage))
    operation = scene.files[B1]
    scene.do(scene.abandoning())
    assert (scene.setup.status, scene.setup.cleanup.state) == (WorkflowStatus.ABANDONED, CleanupState.COMPLETE)
    assert (scene.files[B1], B3 in scene.files) == (operation, False)


def test_while_a_build_is_imported_no_cancel_is_offered_and_none_is_taken() -> None:
    """The store would refuse it: `cancel_available` is false for that window, and true before and after it."""
    scene = begun()
    seen = [cancel_is_offered(scene)]
    scene.do(verify(scene.house, scene.caller, scene.transition.operation_id))
    while scene.transition.resources_claimed_at is None:
        scene.site.tasks.running[0].step()
    before = scene.files
    seen.append(cancel_is_offered(scene))
    assert scene.refused(scene.abandoning()).code is Code.MUTATION_IN_PROGRESS
    assert scene.files == before
    scene.finish()
    assert [*seen, cancel_is_offered(scene)] == [True, False, True]
    scene.do(scene.abandoning())


def cancel_is_offered(scene: Scene) -> bool:
    view = scene.do(alignment_status(scene.house)).transition
    assert view is not None
    return view.cancel_available


class Watched(MemoryBuilds):
    """A source that asks, at the moment of every import, whether anybody holds the operation."""

    async def import_build(self, tag: str, report: Report) -> Manifest | BuildFailure:
        IMPORTS.append(NAMED[-1]())
        return await super().import_build(tag, report)


IMPORTS: list[bool] = []
NAMED: list[Callable[[], bool]] = []


def watched(scene: Scene) -> Scene:
    house = scene.house
    parts = ("world", "entry", "build", "identity")
    scene.house = evolve(house, builds=Watched(**{part: getattr(house.builds, part) for part in parts}))
    NAMED.append(lambda: house.work.names(scene.transition.operation_id))
    return scene


PATHS: dict[str, tuple[Callable[[], Scene], Callable[[Scene], Any]]] = {
    "releases/prepare": (opened, lambda scene: scene.fetching()),
    "resume": (begun, lambda scene: scene.resuming()),
    "verify-resources": (begun, lambda scene: verify(scene.house, scene.caller, scene.transition.operation_id)),
    "update-admin": (chosen, updating),
    "resume of an update": (pending, lambda scene: scene.resuming()),
    "retry of an update": (failed, lambda scene: scene.resuming()),
}


@pytest.mark.parametrize("path", PATHS)
def test_every_import_is_work_that_names_its_operation(path: str) -> None:
    """Taken before it and let go after it on whichever route: the live worker that expiry cannot outrank."""
    IMPORTS.clear()
    stand, act = PATHS[path]
    scene = watched(stand())
    scene.do(act(scene))
    scene.finish()
    assert IMPORTS
    assert all(IMPORTS)
    assert scene.house.work.holder is None


def test_the_view_of_a_cleanup_tells_state_counts_and_kinds_alone() -> None:
    """No path and no word of the operating system enters B0 or what the browser sees of it."""
    scene = written()
    scene.house = evolve(scene.house, setup_files=Stubborn(scene.site.world))
    scene.refused(scene.abandoning())
    view = shown(scene.setup)
    assert set(view["cleanup"]) == {"state", "failed_count", "review_count", "artifacts"}
    assert view["cleanup"]["state"] == "pending"
    told = {name for entry in view["cleanup"]["artifacts"] for name in entry}
    assert told - {"detail"} == {"kind", "status"}, "and a code at most beside them"
    assert {entry.get("detail") for entry in view["cleanup"]["artifacts"]} <= {None, *Code}
    assert not [word for word in strings(view) if "/" in word or "errno" in word.lower()]
    stored = json.loads(codec.encode(scene.setup))
    assert {frozenset(entry) for entry in stored["cleanup"]["artifacts"]} == {frozenset({"kind", "status"})}


def strings(value: Any) -> list[str]:
    match value:
        case dict():
            return [word for item in value.values() for word in strings(item)]
        case list() | tuple():
            return [word for item in value for word in strings(item)]
        case str():
            return [value]
        case _:
            return []


def test_the_pre_workflow_path_neither_adopts_nor_deletes_what_a_workflow_owned() -> None:
    """Without B0 there is nothing that could be named, so only the operation goes."""
    scene = prepared()
    del scene.site.world.files[B0]
    before = scene.files
    scene.do(scene.abandoning(workflow_id=None))
    assert {**scene.files, B1: b""} == {**before, B1: b""}
    assert scene.stage is Stage.CANCELLED
    assert B0 not in scene.files
