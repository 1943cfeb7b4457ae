"""Two callers against one site, every interleaving within two preemptions, the power cut at every durable place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.exploration.explorer import Explorer
from tests.exploration.invariants import Invariants
from tests.exploration.meetings import MEETINGS, reviewed_config


@pytest.mark.parametrize("name", MEETINGS)
def test_whoever_meets_whom_all_that_must_hold_holds(name: str, record_property: Callable[[str, object], None]) -> None:
    meeting = MEETINGS[name]
    watcher = Invariants(configs=reviewed_config(), intents=meeting.intents())
    explored = Explorer(meeting.begin, meeting.acts, watcher).explore()
    print(f"{name}: {explored}")  # noqa: T201  # what was covered is part of the result
    record_property("explored", str(explored))
    assert watcher.outcomes == meeting.outcomes
