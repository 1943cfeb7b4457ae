"""Looking at a build before deciding (`http.md` 5.4: validate, action_state)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from ems_admin.machines.alignment.matching import AlignmentState
from ems_admin.machines.codes import Code
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.setup.validate import ActionState, validate
from tests.memory.house import TAG
from tests.workflows.places import begun, failed, fetched, opened, prepared, running
from tests.workflows.replacement.old_admin import chosen, host, pending
from tests.workflows.replacement.old_admin import failed as update_failed
from tests.workflows.replacement.old_admin import handed_over as updates_now
from tests.workflows.scene import B1, Scene


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


def test_a_build_that_contradicts_itself_opens_no_way() -> None:
    """The Admin runs from the very bytes of the build, and says that it is another one: an update changes nothing."""
    scene = opened()
    own = scene.house.own
    assert own is not None
    scene.house = evolve(scene.house, identity=KnownIdentity(evolve(own, build_id="another")))
    state = scene.do(validate(scene.house, TAG)).action_state
    assert state.alignment_state is AlignmentState.MISMATCH
    assert state.terminal_error is not None
    assert state.terminal_error.code is Code.SYSTEM_BUILD_ACTION_STATE_INVALID
    assert (state.busy, state.admin_update_allowed, state.continue_allowed) == (False, False, False)


# An Admin that has to be updated first


def not_aligned(make: Callable[[], Scene]) -> ActionState:
    scene = make()
    before = scene.files
    state = scene.do(validate(scene.house, TAG)).action_state
    assert scene.files == before
    assert state.admin_update_required
    return state


@pytest.mark.parametrize("make", [chosen, pending])
def test_a_build_of_another_admin_opens_the_update_and_nothing_else(make: Callable[[], Scene]) -> None:
    state = not_aligned(make)
    assert state.alignment_state is AlignmentState.ADMIN_UPDATE_REQUIRED
    assert (state.admin_update_allowed, state.continue_allowed, state.terminal_error) == (True, False, None)


def test_an_update_whose_updater_lives_is_busy() -> None:
    """Busy is live work, or an updater that is ACTIVE or UNKNOWN."""
    state = not_aligned(updates_now)
    assert (state.busy, state.admin_update_allowed, state.continue_allowed) == (True, False, False)
    assert state.polling_required


def silent() -> Scene:
    scene = updates_now()
    host(scene).silent = True
    return scene


def test_an_update_that_nobody_can_ask_about_is_busy() -> None:
    assert not_aligned(silent).busy


def test_a_failed_update_has_to_be_resumed_or_ended_first() -> None:
    state = not_aligned(update_failed)
    assert state.terminal_error is not None
    assert state.terminal_error.code is Code.ADMIN_UPDATE_LAUNCH_FAILED
    assert (state.busy, state.admin_update_allowed, state.continue_allowed) == (False, False, False)


def test_another_build_is_not_chosen_beside_an_update_under_way() -> None:
    def other() -> Scene:
        scene = pending()
        scene.put(B1, evolve(scene.transition, system_tag="v9.9.9"))
        return scene

    state = not_aligned(other)
    assert state.terminal_error is not None
    assert state.terminal_error.code is Code.TRANSITION_ACTIVE_FOR_ANOTHER_BUILD


def test_the_same_build_with_other_digests_is_stale() -> None:
    def stale() -> Scene:
        scene = pending()
        scene.put(B1, evolve(scene.transition, admin_digest="7" * 64))
        return scene

    state = not_aligned(stale)
    assert state.terminal_error is not None
    assert state.terminal_error.code is Code.TRANSITION_STALE_FOR_SELECTED_BUILD
