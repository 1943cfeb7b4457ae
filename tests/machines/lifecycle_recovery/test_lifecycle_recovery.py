"""What recovery offers, and what it releases."""

from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.claims import TransitionClaim
from ems_admin.machines.lifecycle.recovery import (
    CANCEL_OPERATION,
    CLEAN_UP_SETUP,
    CLEAR_CONTEXT,
    RELEASE_CONTEXT,
    RELEASE_SETUP,
    RELEASE_TRANSITION,
    InProgress,
    OneClaim,
    OneContext,
    Release,
    UpgradeLeft,
)
from tests.machines.verdicts import questions, replay, unused

HERE = Path(__file__).parent


def in_progress(asked: InProgress) -> str:
    tables = (CANCEL_OPERATION, CLEAN_UP_SETUP)
    return " ".join((*(str(table.classify(asked)) for table in tables), str(RELEASE_SETUP.classify(asked))))


def of_context(asked: UpgradeLeft) -> str:
    return f"{CLEAR_CONTEXT.classify(asked)} {RELEASE_CONTEXT.classify(OneContext(asked.context))}"


def test_recovery_offers_and_releases_what_is_written() -> None:
    text = (HERE / "in_progress.txt").read_text(encoding="utf-8")
    assert replay(text, InProgress, in_progress) == text
    asked = list(questions(text, InProgress))
    for table in (CANCEL_OPERATION, CLEAN_UP_SETUP, RELEASE_SETUP):
        assert not unused(table, asked), table.name


def test_the_upgrade_context_is_cleared_or_released_as_written() -> None:
    text = (HERE / "context.txt").read_text(encoding="utf-8")
    assert replay(text, UpgradeLeft, of_context) == text
    asked = list(questions(text, UpgradeLeft))
    assert not unused(CLEAR_CONTEXT, asked)
    assert not unused(RELEASE_CONTEXT, [OneContext(one.context) for one in asked])


@pytest.mark.parametrize("claim", TransitionClaim)
def test_a_healthy_operation_is_never_released(claim: TransitionClaim) -> None:
    released = {
        TransitionClaim.UNREADABLE: Release.UNREADABLE_STATE,
        TransitionClaim.UNSUPPORTED: Release.UNSUPPORTED_TRANSITION_MODE,
    }
    assert RELEASE_TRANSITION.classify(OneClaim(claim)) is released.get(claim, Release.KEPT)


def test_every_reason_is_a_code_of_the_vocabulary() -> None:
    assert [Code(reason) for reason in Release if reason is not Release.KEPT]
