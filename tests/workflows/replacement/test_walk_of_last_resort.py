"""An updater is dead and nobody starts it again: the Admin that runs takes back what is left.

Source: `replacement.md` 7.5 (last row), 7.7 (Left over).
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.replacement.rollback import bring_back
from tests.memory.host import Doing, Trouble
from tests.memory.processes import Processes
from tests.memory.replacing import updating
from tests.memory.site import MemorySite
from tests.memory.world import Blocked, Durable, Step
from tests.stores.records import OPERATION
from tests.workflows.replacement.handover import UPDATER, Handover
from tests.workflows.replacement.test_walk import REPLACED, RUN
from tests.workflows.replacement.test_walk_cut import PLACES, ROLLED_BACK

BROUGHT_BACK = evolve(ROLLED_BACK, updater=(Doing.EXITED, True))
"""The dead updater is left as it is: its own last act is not the Admin's."""

AFTER_THE_CREATE = PLACES[8]


def stopped_by_hand(place: int) -> Handover:
    """Let somebody stop the updater after so many places, and start the old Admin by hand if none serves."""
    handover = Handover().go(place)
    if handover.walks:
        handover.processes.stop(UPDATER)
    if not handover.host.admins_that_run():
        handover.processes.start("o")
    return handover


def last_resort(handover: Handover) -> Run | None:
    return handover.do(bring_back(updating(handover.site, "o", OPERATION, 1)))


def test_an_admin_that_was_started_by_hand_gets_its_name_and_policy_back() -> None:
    seen = set()
    for place in PLACES:
        handover = stopped_by_hand(place)
        before = handover.run
        if before is None or before.step in {WalkStep.OPENED, WalkStep.VERIFIED, WalkStep.ENDED}:
            continue
        seen.add(before.step)
        run = last_resort(handover)
        assert handover.end() == BROUGHT_BACK, f"stopped after {place} places"
        assert run == handover.run
    assert seen == {WalkStep.CLAIMED, WalkStep.MOVING}


def test_what_was_not_claimed_or_is_verified_already_is_left_as_it_is() -> None:
    """From U10 there is no way back, and before the claim there is nothing to take back."""
    seen = set()
    for place in PLACES:
        handover = stopped_by_hand(place)
        before, picture = handover.run, handover.host.picture()
        if before is None or before.step not in {WalkStep.OPENED, WalkStep.VERIFIED, WalkStep.ENDED}:
            continue
        seen.add(before.step)
        assert last_resort(handover) == before
        assert (handover.run, handover.host.picture()) == (before, picture)
        assert handover.transition.stage is Stage.ADMIN_RECONNECT_PENDING
    assert seen == {WalkStep.OPENED, WalkStep.VERIFIED, WalkStep.ENDED}


@pytest.mark.parametrize("content", [None, b"no record"])
def test_without_a_run_record_of_this_attempt_nothing_is_known_to_be_taken_back(content: bytes | None) -> None:
    handover = stopped_by_hand(0)
    if content is not None:
        handover.world.files[RUN] = content
    assert last_resort(handover) is None
    assert handover.world.files.get(RUN) == content


def test_a_walk_of_another_attempt_is_nobodys_here() -> None:
    handover = stopped_by_hand(AFTER_THE_CREATE)
    assert handover.do(bring_back(updating(handover.site, "o", OPERATION, 2))) is None


def is_cut_after(work: Coroutine[Any, Any, Any], landed: int) -> bool:
    """Cut the power of the Admin after so many durable changes, if there are so many."""
    try:
        while landed:
            landed -= isinstance(work.send(None), Durable)
    except StopIteration:
        return False
    work.close()
    return True


def test_an_admin_that_is_cut_while_it_takes_back_goes_on_at_its_next_start() -> None:
    landed = 0
    while True:
        handover = stopped_by_hand(AFTER_THE_CREATE)
        if not is_cut_after(bring_back(updating(handover.site, "o", OPERATION, 1)), landed):
            break
        assert handover.world.held == set()
        last_resort(handover)
        assert handover.end() == BROUGHT_BACK, f"cut after {landed} changes"
        landed += 1
    assert landed == 8


@pytest.mark.parametrize("answer", [Silence(), EngineFailure(code=Code.CONTAINER_NAME_CONFLICT)])
def test_an_admin_that_serves_waits_for_nobody(answer: Silence | EngineFailure) -> None:
    """It holds the dispatch lock: whoever asks next goes on."""
    handover = stopped_by_hand(AFTER_THE_CREATE)
    handover.host.troubles["name old admin"] = [Trouble(answer=answer)]
    with pytest.raises(RefusalError):
        last_resort(handover)
    assert handover.transition.stage is Stage.ADMIN_RECONNECT_PENDING
    last_resort(handover)
    assert handover.end() == BROUGHT_BACK


def test_an_updater_that_is_started_by_hand_afterwards_only_retires() -> None:
    handover = stopped_by_hand(AFTER_THE_CREATE)
    last_resort(handover)
    handover.processes.start(UPDATER)
    assert handover.finish() == ROLLED_BACK
    assert handover.durable[-1] == "retire"


async def taking_back(site: MemorySite) -> int:
    with suppress(RefusalError):
        await bring_back(updating(site, "o", OPERATION, 1))
    while True:
        await Step(Blocked("it serves"))


def step_admin(processes: Processes) -> bool:
    """Let the Admin take a step, if nobody has stopped it; say whether it changed anything or has nothing to do."""
    return "o" not in processes.live or isinstance(processes.step("o"), Durable | Blocked)


def test_an_updater_that_comes_to_life_while_it_is_taken_back_still_ends_in_one_admin() -> None:
    """Either it stops that Admin before anything is noted, or the note turns the walk for both of them."""
    ends = set()
    for place, landed in product(PLACES, range(8)):
        handover = stopped_by_hand(place)
        if handover.run is None or handover.run.step in {WalkStep.OPENED, WalkStep.VERIFIED, WalkStep.ENDED}:
            continue
        processes = handover.processes
        processes.attach("o", partial(taking_back, handover.site))
        for _ in range(landed):
            while not step_admin(processes):
                pass
        processes.start(UPDATER)
        while handover.walks:
            processes.step(UPDATER)
            step_admin(processes)
        end = handover.end()
        assert end in {ROLLED_BACK, REPLACED}, f"stopped after {place} places, met after {landed} changes"
        ends.add(end)
    assert ends == {ROLLED_BACK, REPLACED}
