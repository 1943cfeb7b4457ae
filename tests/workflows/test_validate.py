"""Looking at a build before deciding (`http.md` 5.4: validate, action_state)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ems_admin.machines.codes import Code
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.setup.validate import validate
from tests.memory.house import TAG
from tests.workflows.places import begun, failed, fetched, opened, prepared, running
from tests.workflows.scene import Scene


@pytest.mark.parametrize("place", [opened, begun, fetched, prepared, failed, running])
def test_without_an_error_and_not_busy_exactly_one_way_is_open(place: Callable[[], Scene]) -> None:
    scene = place()
    before = scene.files
    state = scene.do(validate(scene.house, TAG)).action_state
    ways = (state.admin_update_allowed, state.continue_allowed)
    assert sum(ways) == (1 if state.terminal_error is None and not state.busy else 0)
    assert scene.files == before


def test_a_failed_operation_tells_its_own_code() -> None:
    state = (scene := failed()).do(validate(scene.house, TAG)).action_state
    assert state.terminal_error is not None
    assert state.terminal_error.code is Code.HEALTHCHECK_FAILED


def test_live_work_makes_the_build_busy() -> None:
    scene = opened()
    job = scene.do(scene.fetching())
    assert isinstance(job, Job)
    assert scene.do(validate(scene.house, TAG)).action_state.busy
