"""However much the outside says, a record keeps what fits: a failure that cannot be noted would never end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ems_admin import codec
from ems_admin.machines.alignment.facts import MARK_FAILED, FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Accepted
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, UpdaterExit
from ems_admin.machines.records.words import LOG_LINES, last_words, message
from ems_admin.machines.replacement_dispatch import REPLACEMENT_DISPATCH, UPDATER_ENDED, UpdaterEndedFacts
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from tests.stores.records import TRANSITION

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
LOUD: Final = {
    "plain": "x" * 5000,
    "umlauts": "ü" * 5000,
    "batteries": "🔋" * 5000,
    "zeros": "\0" * 5000,
    "quotes": '"' * 5000,
    "half characters": "\ud83d" * 5000,
}


@pytest.mark.parametrize("said", LOUD.values(), ids=LOUD)
def test_a_failure_is_noted_whatever_it_says(said: str) -> None:
    """site.md 3: mark_failed is open in every non-terminal stage."""
    facts = FailureFacts(now=NOW, operation_id=TRANSITION.operation_id, code=Code.EMS_START_FAILED, message=said)
    decision = SYSTEM_ALIGNMENT.decide(TRANSITION, MARK_FAILED, facts)
    assert isinstance(decision, Accepted)
    assert codec.decode(codec.encode(decision.record), type(TRANSITION)) == decision.record
    assert decision.record.error_message == said.encode(errors="replace").decode()[:2000]


@pytest.mark.parametrize("said", LOUD.values(), ids=LOUD)
def test_sixteen_updaters_may_cry_as_loud_as_they_can(said: str) -> None:
    """replacement.md 7.1: 16 attempts, 20 lines each, in a record of at most 64 KiB."""
    record = Dispatch(format_version=1, operation_id="0" * 32, transition_identity="a" * 64, attempts=())
    for number in range(1, 17):
        attempt = Attempt(
            number=number,
            container=f"ems-admin-updater-{record.operation_id}-{number}",
            image=f"registry/admin@sha256:{'a' * 64}",
            tries=3,
            outcome=Outcome.LAUNCHED,
            code=None,
            exit=None,
        )
        record = attrs.evolve(record, attempts=(*record.attempts, attempt))
        facts = UpdaterEndedFacts(
            operation_id=record.operation_id,
            transition_identity=record.transition_identity,
            attempt=number,
            exit=UpdaterExit(code=139, oom=True, log=(said,) * 30),
        )
        decision: Any = REPLACEMENT_DISPATCH.decide(record, UPDATER_ENDED, facts)
        record = decision.record
    assert codec.decode(codec.encode(record), Dispatch) == record
    assert record.attempts[-1].exit is not None
    assert record.attempts[-1].exit.log != ()


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), max_size=40))
def test_a_log_of_an_ordinary_size_keeps_its_last_twenty_lines(lines: list[str]) -> None:
    assert last_words(lines) == tuple(lines[-LOG_LINES:])


def test_no_message_stays_none() -> None:
    assert message(None) is None
