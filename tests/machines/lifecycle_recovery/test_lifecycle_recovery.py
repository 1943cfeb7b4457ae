"""What recovery offers, and what it releases."""

from pathlib import Path
from typing import Any

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table
from ems_admin.machines.lifecycle.claims import TransitionClaim
from ems_admin.machines.lifecycle.recovery import (
    CANCEL_OPERATION,
    CLEAN_UP_SETUP,
    CLEAR_CONTEXT,
    DISCARD_UPDATER,
    REACH,
    SETTLE_COMMIT,
    CommitLeft,
    InProgress,
    Resolvable,
    UpdaterLeft,
    UpgradeLeft,
)
from ems_admin.machines.lifecycle.release import (
    PERMIT,
    RELEASE_CONTEXT,
    RELEASE_OTHER,
    RELEASE_REPLACEMENT,
    RELEASE_SETUP,
    RELEASE_TRANSITION,
    Beside,
    Form,
    OneClaim,
    OneContext,
    OneForm,
    OneUpdater,
    Release,
)
from tests.machines.verdicts import questions, replay, unused

HERE = Path(__file__).parent
TOLD: list[tuple[str, Table[Any, Any], type]] = [
    ("discard", DISCARD_UPDATER, UpdaterLeft),
    ("commit", SETTLE_COMMIT, CommitLeft),
    ("reach", REACH, Resolvable),
    ("replacement", RELEASE_REPLACEMENT, Beside),
    ("permit", PERMIT, OneUpdater),
]


@pytest.mark.parametrize(("name", "table", "asks"), TOLD, ids=[name for name, _, _ in TOLD])
def test_each_table_answers_what_is_written(name: str, table: Table[Any, Any], asks: type) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert replay(text, asks, lambda asked: str(table.classify(asked))) == text
    assert not unused(table, list(questions(text, asks)))


@pytest.mark.parametrize("form", Form)
def test_what_nothing_else_speaks_for_is_released_only_when_unreadable(form: Form) -> None:
    """site.md 4: B7 and the config-commit intent."""
    released = Release.UNREADABLE_STATE if form is Form.UNREADABLE else Release.KEPT
    assert RELEASE_OTHER.classify(OneForm(form)) is released


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
    """`seed 000` 7.4."""
    released = {
        TransitionClaim.UNREADABLE: Release.UNREADABLE_STATE,
        TransitionClaim.UNSUPPORTED: Release.UNSUPPORTED_TRANSITION_MODE,
    }
    assert RELEASE_TRANSITION.classify(OneClaim(claim)) is released.get(claim, Release.KEPT)


def test_every_reason_is_a_code_of_the_vocabulary() -> None:
    assert [Code(reason) for reason in Release if reason is not Release.KEPT]
