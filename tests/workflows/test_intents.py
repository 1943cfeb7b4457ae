"""What the journal is told of confirmations: each step once, refusals as refusals."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ems_admin.machines.codes import Code
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.ports.records import RefusalError
from tests.memory.records import MemoryJournal
from tests.memory.running import MemoryClock, MemoryIds

TAB = Caller(session="tab", token=None, scope=Scope.OWNER)


async def test_a_refused_claim_is_no_transition_and_a_flood_of_them_is_one_line() -> None:
    """site.md 1.7: from and to are those of a transition; equal refusals cannot rotate transitions away."""
    clock = MemoryClock()
    journal = MemoryJournal(clock=clock)
    intents = Intents(clock=clock, ids=MemoryIds(), journal=journal, kept={})
    first = await intents.issue(TAB, "w1", "as it was")
    for _ in range(50):
        with pytest.raises(RefusalError) as refused:
            await intents.claim(TAB, first, workflow_id="w1", installation="changed")
        assert refused.value.refusal.code is Code.SETUP_STATE_CHANGED
    await intents.claim(TAB, first, workflow_id="w1", installation="as it was")
    second = await intents.issue(TAB, "w1", "as it was")
    clock.pass_time(timedelta(seconds=1200))
    with pytest.raises(RefusalError):
        await intents.claim(TAB, second, workflow_id="w1", installation="as it was")
    told = [(entry.line.trigger, entry.line.source, entry.line.target, entry.line.code) for entry in journal.entries]
    assert told == [
        ("issue_intent", None, "issued", None),
        ("claim_intent", None, None, Code.SETUP_STATE_CHANGED),
        ("claim_intent", "issued", "consumed", None),
        ("issue_intent", None, "issued", None),
        ("claim_intent", "issued", "expired", Code.SETUP_INTENT_EXPIRED),
    ]
    assert [entry.count for entry in journal.entries] == [1, 50, 1, 1, 1]
    assert not any(intent in repr(journal.entries) for intent in (first, second)), "a confirmation is no evidence"
