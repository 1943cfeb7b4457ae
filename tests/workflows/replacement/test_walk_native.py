"""Natively nothing starts an updater again: whoever starts the site finishes its walk, and then serves.

Source: `replacement.md` 7.8; `faults.md` F28.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage
from tests.memory.host import OLD_IMAGE, Host
from tests.memory.world import Blocked, Durable, World
from tests.workflows.replacement.handover import NEW_IMAGE, UPDATER, Handover


def native(*, whole: bool = True) -> Handover:
    handover = Handover(World(host=Host(native=True, successor_is_whole=whole)))
    handover.host.containers["o"].restarts_by_itself = False
    return handover


def crash(handover: Handover) -> None:
    if handover.walks:
        handover.processes.crash(UPDATER)


def reboot(handover: Handover) -> None:
    handover.processes.reboot()


def enter(handover: Handover) -> None:
    """Let somebody start the site, to its end."""
    entrance = handover.processes.enter()
    assert not any(isinstance(mark, Blocked) for mark in handover.processes.run(entrance))


def come_to_its_end(handover: Handover) -> tuple[list[str], str, WalkStep | None, str | None, Stage]:
    run = handover.run
    images = [admin.image for admin in handover.host.admins_that_run()]
    assert images == [handover.host.pin], "the one Admin that runs is the one that the next start takes"
    return images, handover.host.pin, run.step if run else None, run.code if run else None, handover.transition.stage


REPLACED = ([NEW_IMAGE], NEW_IMAGE, WalkStep.ENDED, None, Stage.ADMIN_RECONNECT_PENDING)
NOTHING_HAPPENED = ([OLD_IMAGE], OLD_IMAGE, None, None, Stage.ADMIN_RECONNECT_PENDING)


def back(code: Code) -> tuple[list[str], str, WalkStep, Code, Stage]:
    return [OLD_IMAGE], OLD_IMAGE, WalkStep.ENDED, code, Stage.FAILED_RECOVERABLE


def places(handover: Handover) -> list[int]:
    handover.finish()
    return [0, *(number for number, mark in enumerate(handover.passed, 1) if isinstance(mark, Durable))]


def test_a_walk_switches_the_pointer_and_keeps_both_programs() -> None:
    handover = native()
    handover.finish()
    assert come_to_its_end(handover) == REPLACED
    assert [name for name in handover.durable if not name.startswith("state/")] == [
        "stop old admin",
        "switch the pointer",
        "start new admin",
    ]


@pytest.mark.parametrize("cut", [crash, reboot])
def test_whoever_starts_first_after_any_cut_finishes_the_walk(cut: Callable[[Handover], None]) -> None:
    """An entrance has no label: where no snapshot was taken yet it takes none, and leaves the old Admin."""
    ends = set()
    for place in places(native()):
        handover = native().go(place)
        taken = handover.run is not None and handover.run.snapshot is not None
        cut(handover)
        enter(handover)
        end = come_to_its_end(handover)
        expected = REPLACED if taken else NOTHING_HAPPENED if end[2] is None else back(Code.ROLLBACK_NOT_POSSIBLE)
        assert end == expected, f"cut after {place} places"
        ends.add(str(end))
    assert len(ends) == 3


@pytest.mark.parametrize("cut", [crash, reboot])
def test_the_way_back_is_finished_by_whoever_starts_first(cut: Callable[[Handover], None]) -> None:
    for place in places(native(whole=False)):
        handover = native(whole=False).go(place)
        run = handover.run
        if run is None or run.step is not WalkStep.ROLLING_BACK:
            continue
        cut(handover)
        enter(handover)
        assert come_to_its_end(handover) == back(Code.HEALTHCHECK_FAILED), f"cut after {place} places"


def test_entrances_are_counted_like_entries_of_the_updater() -> None:
    """The third entry before the verification leads back (`faults.md` F35)."""
    handover = native()
    while "stop old admin" not in handover.durable:
        handover.step()
    crash(handover)
    entrance = handover.processes.enter()
    while handover.run is None or handover.run.entries == 1:
        handover.processes.step(entrance)
    handover.processes.crash(entrance)
    enter(handover)
    assert come_to_its_end(handover) == back(Code.REPLACEMENT_UPDATER_FAILED)


def test_an_entrance_that_meets_a_live_updater_leaves_the_walk_to_it() -> None:
    handover = native()
    while "switch the pointer" not in handover.durable:
        handover.step()
    entries = handover.run.entries if handover.run else 0
    enter(handover)
    assert handover.run is not None
    assert (handover.run.entries, handover.walks) == (entries, True)
    handover.finish()
    assert come_to_its_end(handover) == REPLACED
