"""Whoever is killed, and whenever: the next entry finds its place, and the end is one running Admin and a true record.

Source: `replacement.md` 7, 7.4; `faults.md` F28, F30, F33, F35.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage
from tests.memory.host import ADMIN_NAME, OLD_IMAGE, Doing
from tests.memory.world import Durable
from tests.workflows.replacement.handover import UPDATER, End, Handover
from tests.workflows.replacement.test_walk import REPLACED

ROLLED_BACK = End(
    admins=((ADMIN_NAME, OLD_IMAGE, True),),
    kept=1,
    pin=OLD_IMAGE,
    step=WalkStep.ENDED,
    walk_code=Code.REPLACEMENT_UPDATER_FAILED,
    stage=Stage.FAILED_RECOVERABLE,
    operation_code=Code.REPLACEMENT_UPDATER_FAILED,
    updater=(Doing.EXITED, False),
)


def crash(handover: Handover) -> None:
    handover.processes.crash(UPDATER)


def reboot(handover: Handover) -> None:
    handover.processes.reboot()


def stop_and_start(handover: Handover) -> None:
    handover.processes.stop(UPDATER)
    handover.processes.start(UPDATER)


CUTS = pytest.mark.parametrize("cut", [crash, reboot, stop_and_start])


def broken(handover: Handover) -> Handover:
    """Let the new Admin not be whole, so that the walk leads back."""
    handover.host.successor_is_whole = False
    return handover


def places(handover: Handover) -> list[int]:
    """Number the places that can be told apart after a cut: the beginning, and right after each durable change."""
    handover.finish()
    return [0, *(number for number, mark in enumerate(handover.passed, 1) if isinstance(mark, Durable))]


PLACES = places(Handover())


@CUTS
def test_one_cut_at_any_place_changes_nothing_about_the_end(cut: Callable[[Handover], None]) -> None:
    for place in PLACES:
        handover = Handover().go(place)
        cut(handover)
        assert handover.finish() == REPLACED, f"cut after {handover.passed[:place][-1:]}"


@CUTS
def test_one_cut_at_any_place_of_the_way_back_changes_nothing_about_it(cut: Callable[[Handover], None]) -> None:
    expected = broken(Handover()).finish()
    assert expected.admins == ROLLED_BACK.admins
    assert expected.operation_code == Code.HEALTHCHECK_FAILED
    for place in places(broken(Handover())):
        handover = broken(Handover()).go(place)
        cut(handover)
        assert handover.finish() == expected, f"cut after {handover.passed[:place][-1:]}"


def test_two_cuts_at_any_two_places_end_in_one_admin_and_a_record_that_agrees() -> None:
    """The third entry before U10 leads back, after it forward (`replacement.md` 7.4, Rollback)."""
    ends = set()
    for first, second in combinations_with_replacement(PLACES, 2):
        handover = Handover().go(first)
        crash(handover)
        if second > first:
            handover.go(second)
        crash(handover)
        end = handover.finish()
        ends.add(end)
        assert end in {REPLACED, ROLLED_BACK}, f"cut after {first} and {second} places"
    assert ends == {REPLACED, ROLLED_BACK}


def test_a_third_entry_before_the_verification_brings_the_old_admin_back() -> None:
    """`faults.md` F35"""
    handover = Handover()
    for _ in range(2):
        handover.go(12)
        crash(handover)
    assert handover.finish() == ROLLED_BACK
    run = handover.run
    assert run is not None
    assert run.entries == 3


def test_an_updater_that_dies_at_every_step_after_the_verification_still_ends_forward() -> None:
    handover = Handover()
    while handover.run is None or handover.run.verified_at is None:
        handover.step()
    for _ in range(6):
        handover.go(4)
        if handover.walks:
            crash(handover)
    assert handover.finish() == REPLACED


def test_the_old_admin_may_die_at_any_place_and_comes_back_or_is_replaced() -> None:
    for place in PLACES:
        handover = Handover().go(place)
        if "o" in handover.host.containers and handover.host.containers["o"].runs:
            handover.processes.crash("o")
        assert handover.finish() == REPLACED, f"the old Admin died after {place} places"


def test_a_host_that_reboots_between_the_stop_and_the_new_admin_has_no_second_admin_beside_it() -> None:
    """`faults.md` F27: the fence is durable before the stop."""
    handover = Handover()
    while "stop old admin" not in handover.durable:
        handover.step()
    reboot(handover)
    assert handover.host.admins_that_run() == ()
    assert handover.walks
    assert handover.finish() == REPLACED


def test_an_old_admin_that_somebody_started_by_hand_meanwhile_is_stopped_again() -> None:
    handover = Handover()
    while "set aside" not in handover.durable:
        handover.step()
    crash(handover)
    handover.processes.start("o")
    assert handover.finish() == REPLACED


def test_the_end_says_rolled_back_only_of_the_exact_image() -> None:
    """`replacement.md` 7.4, Rollback: said only after the running image id equals the recorded one."""
    handover = broken(Handover())
    while "remove new admin" not in handover.durable:
        handover.step()
    handover.host.containers["o"].image = "e" * 64
    handover.go(200)
    run = handover.run
    assert run is not None
    assert run.step is WalkStep.ROLLING_BACK
    assert handover.transition.stage is Stage.ADMIN_RECONNECT_PENDING
    handover.host.containers["o"].image = OLD_IMAGE
    end = handover.finish()
    assert end == evolve(ROLLED_BACK, walk_code=Code.HEALTHCHECK_FAILED, operation_code=Code.HEALTHCHECK_FAILED)
