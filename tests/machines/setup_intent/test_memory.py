"""How long a confirmation is remembered, on the boottime clock."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from ems_admin.machines.setup_intent import CAPACITY, SETUP_INTENT, SetupIntent, is_forgotten
from tests.machines.transcript import replay

ISSUED: Final = """
given boottime=0s intent_id=i1 bearer=s workflow_id=w1 action=setup_new installation_fingerprint=f
issue_intent
"""


def told(story: str = "") -> SetupIntent:
    record = replay(SETUP_INTENT, ISSUED + story).record
    assert record is not None
    return record


@pytest.mark.parametrize(
    ("story", "kept_until"),
    [
        ("", 1500),
        ("claim_intent boottime=100s\n", 400),
        ("retire_intent boottime=100s\n", 400),
        ("claim_intent boottime=1300s\n", 1600),
    ],
    ids=["nobody_came", "consumed", "retired", "found_expired"],
)
def test_it_says_why_it_is_over_for_three_hundred_seconds(story: str, kept_until: int) -> None:
    """`site.md` 2."""
    assert not is_forgotten(told(story), timedelta(seconds=kept_until - 1))
    assert is_forgotten(told(story), timedelta(seconds=kept_until))


def test_a_confirmation_is_bound_to_what_it_was_given_for() -> None:
    intent = told()
    assert (intent.bearer, intent.workflow_id, intent.action) == ("s", "w1", "setup_new")
    assert (intent.installation_fingerprint, intent.issued_at, intent.ended_at) == ("f", timedelta(0), None)


def test_a_site_keeps_at_most_128() -> None:
    assert CAPACITY == 128
