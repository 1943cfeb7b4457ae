"""An updater that nobody disturbs puts one Admin in the place of another, every step durable before the next.

Source: `faults.md` F27.
"""

from __future__ import annotations

from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.replacement.seams import NUMBERS, REPLACEMENT, WALK, WALK_BACK
from ems_admin.workflows.replacement.moving import FORWARD
from ems_admin.workflows.replacement.rollback import BACK
from tests.memory.host import ADMIN_NAME, OLD_IMAGE, Doing
from tests.workflows.replacement.handover import NEW_IMAGE, UPDATER, End, Handover

RUN, B1 = "state/replacement-run.json", "state/pending-transition.json"

REPLACED = End(
    admins=((ADMIN_NAME, NEW_IMAGE, True),),
    kept=1,
    pin=NEW_IMAGE,
    step=WalkStep.ENDED,
    walk_code=None,
    stage=Stage.ADMIN_RECONNECT_PENDING,
    operation_code=None,
    updater=(Doing.EXITED, False),
)


def test_the_new_admin_runs_under_the_old_name_and_the_old_one_is_gone() -> None:
    handover = Handover()
    assert handover.host.admins_that_run()[0].image == OLD_IMAGE
    assert handover.finish() == REPLACED
    assert handover.transition.admin_update_claimed_at is not None
    assert handover.host.containers[UPDATER].exit_code == 0


def test_what_is_changed_and_in_which_order() -> None:
    """`replacement.md` 7.4; F30."""
    handover = Handover()
    handover.finish()
    assert handover.durable == [
        RUN,  # U1
        B1,  # U2
        RUN,
        RUN,  # U3
        "fence",  # U4
        "stop old admin",  # U5
        "set aside",  # U6
        "create new admin",  # U7
        RUN,
        "start new admin",  # U8
        RUN,  # U9, U10
        "pin new admin",  # U11
        "unfence new admin",  # U12
        "remove old admin",  # U13
        RUN,  # U14
        "retire",
    ]


def test_the_run_record_tells_what_the_reconnect_page_shows() -> None:
    """`replacement.md` 7.7."""
    handover = Handover()
    handover.finish()
    run = handover.run
    assert run is not None
    assert run.predecessor is not None
    assert run.successor is not None
    assert (run.predecessor.image_id, run.successor.image_id, run.entries) == (OLD_IMAGE, NEW_IMAGE, 1)
    assert run.verified_at is not None
    assert run.verified_at.published


def test_every_declared_step_of_both_ways_has_its_act_and_no_act_is_undeclared() -> None:
    """The first step is the entry or the failure itself, the last one is the updater's own. `replacement.md` 7.4."""
    assert [step.name for step in WALK.steps[1:-1]] == list(FORWARD)
    assert [step.name for step in WALK_BACK.steps[1:-1]] == list(BACK)


def test_the_numbers_of_the_crash_matrix_follow_the_walk() -> None:
    for seam, letter, last in ((REPLACEMENT, "R", 5), (WALK, "U", 14)):
        numbered = [(number, name) for number, of, name in NUMBERS if of is seam]
        assert list(dict.fromkeys(name for _, name in numbered)) == [step.name for step in seam.steps]
        assert list(dict.fromkeys(number for number, _ in numbered)) == [f"{letter}{n}" for n in range(1, last + 1)]
