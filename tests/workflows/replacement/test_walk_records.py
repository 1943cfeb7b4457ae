"""The run record is written before the next step is taken: one that cannot be written is waited for, one that cannot be
read ends the walk.

Source: `replacement.md` 7.4 (U1); DESIGN 3.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.workflows.ports.records import Commit, NotCommitted, Unprovable
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import Doing, Trouble
from tests.memory.world import Call, Fault
from tests.workflows.replacement.handover import UPDATER, Handover
from tests.workflows.replacement.test_walk import B1, REPLACED, RUN
from tests.workflows.replacement.test_walk_cut import ROLLED_BACK


@pytest.mark.parametrize("serves", [False, True])
def test_without_a_readable_run_record_the_labelled_admin_is_started_if_none_serves(*, serves: bool) -> None:
    """`replacement.md` 7.4, U1: own policy `no`, exit 1."""
    handover = Handover()
    while "stop old admin" not in handover.durable:
        handover.step()
    handover.processes.crash(UPDATER)
    handover.world.files[RUN] = b"no record"
    if serves:
        handover.processes.start("o")
    while handover.walks:
        handover.step()
    kept = handover.host.containers[UPDATER]
    assert (kept.doing, kept.restarts_by_itself, kept.exit_code) == (Doing.EXITED, False, 1)
    assert [admin.id for admin in handover.host.admins_that_run()] == ["o"]
    assert handover.world.files[RUN] == b"no record"


@pytest.mark.parametrize(
    ("outcome", "lands"),
    [
        (NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no_space"), False),
        (Unprovable(), False),
        (Unprovable(), True),
    ],
)
def test_a_note_that_does_not_become_durable_is_made_again(outcome: Commit, *, lands: bool) -> None:
    """Each durable step is noted before the next: a full disk is waited for, not walked past."""
    walk = Handover()
    walk.finish()
    notes = [number for number, mark in enumerate(walk.passed) if mark.name in {f"commit {RUN}", f"commit {B1}"}]
    for place in notes:
        handover = Handover().go(place)
        handover.world.faults = {name: Fault(outcome=outcome, lands=lands) for name in (RUN, B1)}
        assert handover.finish() == REPLACED, f"{outcome} at {walk.passed[place]} ({place})"


@pytest.mark.parametrize("lands", [False, True])
def test_a_note_of_the_way_back_is_made_again_too(*, lands: bool) -> None:
    def broken() -> Handover:
        handover = Handover()
        handover.host.successor_is_whole = False
        return handover

    walk = broken()
    walk.finish()
    expected = evolve(ROLLED_BACK, walk_code=Code.HEALTHCHECK_FAILED, operation_code=Code.HEALTHCHECK_FAILED)
    notes = [number for number, mark in enumerate(walk.passed) if mark in {Call(f"commit {RUN}"), Call(f"commit {B1}")}]
    for place in notes[4:]:
        handover = broken().go(place)
        handover.world.faults = {name: Fault(outcome=Unprovable(), lands=lands) for name in (RUN, B1)}
        assert handover.finish() == expected, f"at place {place}"


def test_a_walk_whose_record_was_taken_over_by_a_later_attempt_moves_nothing_any_more() -> None:
    handover = Handover().go_until(Call("fence"))
    run = handover.run
    assert run is not None
    handover.write(RUN, evolve(run, attempt=2, step=WalkStep.OPENED, snapshot=None, predecessor=None))
    handover.host.troubles["fence"] = [Trouble(answer=Silence())]
    picture = handover.host.picture()[1]
    while handover.walks:
        handover.step()
    assert handover.host.picture()[1] == picture
    kept = handover.host.containers[UPDATER]
    assert (kept.doing, kept.restarts_by_itself, kept.exit_code) == (Doing.EXITED, False, 0)
