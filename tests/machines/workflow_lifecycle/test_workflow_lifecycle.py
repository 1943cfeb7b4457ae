"""The one reading of the console."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim, setup_claim, transition_claim
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    NO_CLEANUP,
    SETUP_FORMAT,
    CleanupState,
    GuidedSetup,
    WorkflowStatus,
)
from ems_admin.machines.workflow_lifecycle import (
    BLOCKING,
    OWNER,
    RECOVERABLE,
    STATE,
    Claims,
    Console,
    LifecycleFacts,
    Standing,
    Trouble,
    read,
)
from tests.machines.verdicts import questions, replay, texts, unused

THEN = datetime(2026, 1, 1, tzinfo=UTC)
SETUP = GuidedSetup(
    format_version=SETUP_FORMAT,
    workflow_id="w",
    status=WorkflowStatus.ACTIVE,
    operation_id=None,
    transition_mode=None,
    selected_system_tag=None,
    preview=None,
    artifacts=NO_ARTIFACTS,
    cleanup=NO_CLEANUP,
    created_at=THEN,
    updated_at=THEN,
)


def say(facts: LifecycleFacts) -> str:
    verdict = read(facts)
    blocked = verdict.blocking_reason or "switchable"
    assert verdict.switchable is (verdict.blocking_reason is None)
    return f"{verdict.owner} {verdict.state}, {blocked}, {'recoverable' if verdict.recoverable else 'not recoverable'}"


@pytest.mark.parametrize("path", texts(__file__), ids=lambda path: path.stem)
def test_the_console_is_read_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert replay(text, LifecycleFacts, say) == text


def test_every_row_answers_some_written_question() -> None:
    facts = [f for path in texts(__file__) for f in questions(path.read_text(encoding="utf-8"), LifecycleFacts)]
    verdicts = [(f, read(f)) for f in facts]
    assert not unused(OWNER, [Claims(f.setup, f.transition) for f in facts])
    assert not unused(STATE, [Console(f.running, f.setup, f.transition, v.owner) for f, v in verdicts])
    assert not unused(BLOCKING, [Standing(f.running, v.state, v.owner, f.ownership) for f, v in verdicts])
    assert not unused(RECOVERABLE, [Trouble(v.state, v.owner, f.leftover) for f, v in verdicts])


@pytest.mark.parametrize(
    ("status", "cleanup", "claim"),
    [
        (WorkflowStatus.ACTIVE, CleanupState.NOT_REQUIRED, SetupClaim.ACTIVE),
        (WorkflowStatus.ABANDONED, CleanupState.PENDING, SetupClaim.CLEANUP_PENDING),
        (WorkflowStatus.SUPERSEDED, CleanupState.REVIEW_REQUIRED, SetupClaim.REVIEW_REQUIRED),
        (WorkflowStatus.ABANDONED, CleanupState.COMPLETE, SetupClaim.NONE),
        (WorkflowStatus.COMPLETED, CleanupState.NOT_REQUIRED, SetupClaim.NONE),
    ],
)
def test_a_setup_claims_the_console_until_nothing_of_it_is_left(
    status: WorkflowStatus, cleanup: CleanupState, claim: SetupClaim
) -> None:
    assert setup_claim(evolve(SETUP, status=status, cleanup=evolve(NO_CLEANUP, state=cleanup))) is claim


def test_an_absent_record_claims_nothing() -> None:
    assert setup_claim(None) is SetupClaim.NONE
    assert transition_claim(None) is TransitionClaim.NONE


@pytest.mark.parametrize(
    ("error", "claim"),
    [
        (Code.UNSUPPORTED_MODE, TransitionClaim.UNSUPPORTED),
        (Code.STATE_MALFORMED, TransitionClaim.UNREADABLE),
        (Code.STATE_UNREADABLE, TransitionClaim.UNREADABLE),
        (Code.UNSUPPORTED_STATE_VERSION, TransitionClaim.UNREADABLE),
        (Code.INVALID_STAGE, TransitionClaim.UNREADABLE),
        (Code.STATE_TAMPERED, TransitionClaim.UNREADABLE),
    ],
)
def test_only_an_unknown_mode_is_told_apart_from_what_cannot_be_read(error: Code, claim: TransitionClaim) -> None:
    assert transition_claim(error) is claim
