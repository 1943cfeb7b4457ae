"""What holds of an operation whatever is asked of it, in whatever order."""

from __future__ import annotations

from typing import Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from ems_admin.machines.alignment import facts as asked
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.facts import CANCEL, CancelFacts, OwnName, Updater, Worker
from ems_admin.machines.alignment.outlook import cancel_available, failure_fits, is_terminal
from ems_admin.machines.kernel import Accepted, Refused, stays
from ems_admin.machines.records.transition import Mode, Stage, Transition, identity
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from tests.machines.drawn import NOON, Step, steps

MACHINE: Final = SYSTEM_ALIGNMENT.machines[0]
ANYTHING: Final = steps(asked.BEGIN, *SYSTEM_ALIGNMENT.triggers)


def onward(stage: Stage) -> st.SearchStrategy[Step]:
    """Draw what leads on from a stage: of all triggers but a few do."""
    away = {Stage.FAILED_RECOVERABLE, Stage.CANCELLED}
    edges = [edge for edge in MACHINE.edges if stage in edge.sources and edge.assigns is not stays]
    return steps(*({edge.trigger: None for edge in edges if edge.target not in away} or {asked.BEGIN: None}))


ONWARD: Final = {stage: onward(stage) for stage in Stage}
ASIDE: Final = {0: ANYTHING, 1: steps(asked.CANCEL)}
"""Of ten draws two do not lead on."""
STARTS_AN_EMS: Final = {Stage.EMS_OPERATION_PENDING, Stage.EMS_OPERATION_RUNNING}


def test_on_any_walk_the_promises_hold() -> None:
    visited: set[Stage] = set()

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(st.data())
    def walk(data: st.DataObject) -> None:
        record: Transition | None = None
        for _ in range(50):
            onwards = ONWARD[record.stage] if record else ANYTHING
            trigger, facts = data.draw(ASIDE.get(data.draw(st.integers(0, 9)), onwards))
            decision = SYSTEM_ALIGNMENT.decide(record, trigger, facts)
            assert decision == SYSTEM_ALIGNMENT.decide(record, trigger, facts), "the same question, another answer"
            if isinstance(decision, Refused):
                continue
            if trigger is asked.BEGIN:
                assert record is None or is_terminal(record), "a living operation is never replaced"
            elif record is not None:
                moves_as_promised(record, decision.record)
                idle = decision.record == record and trigger is not asked.CLAIM_RESOURCE_VERIFICATION
                assert not idle or decision.record is record, "what changes nothing costs no commit"
            record = decision.record
            is_coherent(record)
            visited.add(record.stage)

    walk()
    assert visited == set(Stage), "a walk that does not get everywhere proves little"


def moves_as_promised(before: Transition, after: Transition) -> None:
    assert identity(after) == identity(before), "an operation is what it was when it began"
    assert after.updated_at >= before.updated_at, "a wall clock that is set back takes nothing back"
    if is_terminal(before):
        assert after is before, "what is over stays as it is"


def is_coherent(record: Transition) -> None:
    assert failure_fits(record), "a failure is told where there is one, and nowhere else"
    assert not (record.mode is Mode.ALIGN_EXISTING_INSTALL and record.stage in STARTS_AN_EMS)
    if record.stage is Stage.ADMIN_UPDATE_PENDING:
        assert record.admin_update_claimed_at is None, "nothing was started, so nobody can have claimed it"
    if record.stage in {Stage.RESOURCES_VERIFIED, *STARTS_AN_EMS}:
        assert record.resources_claimed_at is not None, "what was imported was claimed first"
    orphan = CancelFacts(
        now=NOON,
        operation_id=record.operation_id,
        expiry=Expiry.EXPIRED,
        worker=Worker.INACTIVE,
        import_is_live=False,
        updater=Updater.UNKNOWN,
        own_name=OwnName.UNKNOWN,
    )
    assert cancel_available(record, orphan) is not is_terminal(record), "no stage wedges the record for ever"
    alive = attrs.evolve(orphan, worker=Worker.ACTIVE)
    assert is_terminal(record) or isinstance(SYSTEM_ALIGNMENT.decide(record, CANCEL, alive), Refused)
    acted_for = attrs.evolve(orphan, updater=Updater.RUNNING)
    assert is_terminal(record) or not isinstance(SYSTEM_ALIGNMENT.decide(record, CANCEL, acted_for), Accepted)
