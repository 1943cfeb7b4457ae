"""What refuses a launch before anything is written (`replacement.md` 7.3; `seed 000` 5.5, 6.4d)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.replacement.dispatch import dispatch
from tests.workflows.replacement.moments import tampered
from tests.workflows.replacement.old_admin import (
    DISPATCH,
    calling,
    failed,
    handed_over,
    host,
    outcomes,
    pending,
    updaters,
    updating,
)
from tests.workflows.scene import B1, Scene

# Refused before anything is written


def test_the_updater_of_another_operation_stands_in_the_way() -> None:
    scene = pending()
    other = handed_over()
    host(scene).containers.update({c.id: evolve(c, operation_id="e" * 32) for c in updaters(other)})
    before = scene.files
    assert scene.refused(calling(scene)).code is Code.REPLACEMENT_ACTIVE
    assert scene.files == before


def test_an_engine_that_cannot_say_whether_another_is_replaced_launches_nothing() -> None:
    scene = pending()
    host(scene).silent = True
    before = scene.files
    assert scene.refused(calling(scene)).code is Code.INSTALL_STATE_UNAVAILABLE
    assert scene.files == before


@pytest.mark.parametrize("name", [B1, DISPATCH])
def test_a_record_that_cannot_be_read_launches_nothing(name: str) -> None:
    scene = failed()
    transition = scene.transition
    scene.site.world.files[name] = b"{"
    before = scene.files
    work = calling_for(scene, transition)
    assert scene.refused(work).code is Code.TRANSITION_STAGE_COMMIT_UNPROVABLE
    assert scene.files == before


def test_attempts_of_another_identity_launch_nothing() -> None:
    scene = failed()
    found = scene.site.world.files[DISPATCH].decode()
    (identity,) = [line for line in found.splitlines() if "transition_identity" in line]
    scene.site.world.files[DISPATCH] = found.replace(identity, f'  "transition_identity": "{"0" * 64}",').encode()
    before = scene.files
    assert scene.refused(calling(scene, after=1, retrying=True)).code is Code.TRANSITION_STAGE_COMMIT_UNPROVABLE
    assert scene.files == before


@pytest.mark.parametrize("found", ["absent", "another operation", "another identity"])
def test_an_operation_that_is_not_the_very_same_any_more_launches_nothing(found: str) -> None:
    scene = pending()
    transition = scene.transition
    tampered(scene, found)
    before = scene.files
    assert scene.refused(calling_for(scene, transition)).code is Code.TRANSITION_STAGE_COMMIT_UNPROVABLE
    assert scene.files == before


def calling_for(scene: Scene, transition: Transition) -> Any:
    return dispatch(scene.house, scene.caller, transition, after=0, retrying=False)


def test_the_attempts_of_an_operation_that_is_over_make_room() -> None:
    scene = failed()
    scene.do(scene.abandoning())
    scene.open()
    assert scene.job(updating(scene)).error is None
    assert outcomes(scene) == [(1, "launched", 1, None)]
