"""Who may act for a setup: the one active workflow, named exactly."""

from __future__ import annotations

from typing import Final

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.kernel import Trigger
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.setup.authority import abandoning, authority_refusal
from ems_admin.machines.setup.facts import ABANDON, RETRY_CLEANUP, TransitionFacts
from tests.machines.transcript import replay

BEGUN: Final = """
given workflow_id=w1 selected_system_tag=v1 now=12:00 transition=none live_operation_id=-
given operation_id=op1 replaces=- mode=fresh_install system_tag=v1
begin
"""
COMPLETED: Final = "link_operation\ncomplete\n"


def record(story: str = "") -> GuidedSetup:
    told = replay(GUIDED_SETUP, BEGUN + story).record
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("stored", "named", "code"),
    [
        (None, None, Code.SETUP_WORKFLOW_REQUIRED),
        (None, "w1", Code.SETUP_WORKFLOW_REQUIRED),
        (record(), None, Code.SETUP_WORKFLOW_REQUIRED),
        (record(), "w0", Code.SETUP_WORKFLOW_NOT_ACTIVE),
        (record(), "w1", None),
        (record("abandon\n"), None, Code.SETUP_WORKFLOW_REQUIRED),
        (record("abandon\n"), "w1", Code.SETUP_WORKFLOW_NOT_ACTIVE),
        (record("supersede\n"), "w1", Code.SETUP_WORKFLOW_NOT_ACTIVE),
        (record(COMPLETED), "w1", Code.SETUP_WORKFLOW_NOT_ACTIVE),
        (record(COMPLETED), "w0", Code.SETUP_WORKFLOW_NOT_ACTIVE),
    ],
)
def test_only_the_active_workflow_itself_may_act(
    stored: GuidedSetup | None, named: str | None, code: Code | None
) -> None:
    """`site.md` 1."""
    refusal = authority_refusal(stored, named)
    assert (refusal and refusal.code) is code


@pytest.mark.parametrize(
    ("story", "trigger"),
    [
        ("", ABANDON),
        ("abandon\n", RETRY_CLEANUP),
        ("supersede\n", RETRY_CLEANUP),
        ("abandon\ncleanup_ran artifacts=deployment_marker:review_required\n", RETRY_CLEANUP),
        ("abandon\ncleanup_ran artifacts=()\n", ABANDON),
        (COMPLETED, ABANDON),
    ],
    ids=["active", "pending", "superseded_pending", "review", "settled", "completed"],
)
def test_abandoning_what_is_unfinished_is_another_go_at_its_cleanup(
    story: str, trigger: Trigger[TransitionFacts]
) -> None:
    """`site.md` 1."""
    assert abandoning(record(story)) is trigger
