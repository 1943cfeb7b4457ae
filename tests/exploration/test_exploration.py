"""Two callers against one site, every interleaving within two preemptions, the power cut at every durable place."""

from __future__ import annotations

import pytest

from tests.exploration.conftest import Count
from tests.exploration.explorer import Explorer
from tests.exploration.invariants import Invariants
from tests.exploration.meetings import MEETINGS, reviewed_config


@pytest.mark.parametrize("name", MEETINGS)
def test_whoever_meets_whom_all_that_must_hold_holds(name: str, count: Count) -> None:
    """`seed 000` 5."""
    meeting = MEETINGS[name]
    watcher = Invariants(configs=reviewed_config(), intents=meeting.intents())
    count("acts and ends", name, Explorer(meeting.begin, meeting.acts, watcher).explore())
    assert watcher.outcomes == meeting.outcomes
