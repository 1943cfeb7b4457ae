"""By whom an operation may be ended, and when the way back to the running build is open."""

from pathlib import Path

import pytest

from ems_admin.machines.alignment.ending import (
    ENDED_BY,
    RETURN,
    EndedBy,
    Owned,
    Purpose,
    WayBack,
    cancel_refusal,
    purpose_of,
    way_out,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode, Stage, Transition
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import Owner
from tests.machines.samples import operation
from tests.machines.verdicts import questions, replay, texts, unused

UPGRADE = operation(Stage.RESOURCES_VERIFIED, Mode.GUIDED_UPGRADE)
ALIGN = operation(Stage.RESOURCES_VERIFIED, Mode.ALIGN_EXISTING_INSTALL)


@pytest.mark.parametrize("text", texts(__file__), ids=lambda path: path.stem)
def test_a_text_comes_out_as_it_was_written(text: Path) -> None:
    written = text.read_text(encoding="utf-8")
    assert replay(written, WayBack, RETURN.classify) == written


def test_no_row_is_left_untold() -> None:
    asked = [question for text in texts(__file__) for question in questions(text.read_text(), WayBack)]
    assert unused(RETURN, asked) == []


@pytest.mark.parametrize(
    ("owner", "transition", "code"),
    [
        (Owner.GUIDED_UPGRADE, UPGRADE, None),
        (Owner.ALIGN_EXISTING_INSTALL, ALIGN, None),
        (Owner.NONE, operation(Stage.CANCELLED, Mode.GUIDED_UPGRADE), None),
        (Owner.NONE, None, None),
        (Owner.GUIDED_SETUP, operation(Stage.RESOURCES_VERIFIED), Code.SETUP_ABANDON_REQUIRED),
        (Owner.NONE, operation(Stage.CANCELLED), Code.SETUP_ABANDON_REQUIRED),
        (Owner.CONFLICT, UPGRADE, Code.TRANSITION_CANCEL_UNSUPPORTED),
        (Owner.UNKNOWN, UPGRADE, Code.TRANSITION_CANCEL_UNSUPPORTED),
        (Owner.UNKNOWN, operation(Stage.RESOURCES_VERIFIED), Code.TRANSITION_CANCEL_UNSUPPORTED),
        (Owner.UNKNOWN, None, Code.TRANSITION_CANCEL_UNSUPPORTED),
    ],
)
def test_who_may_cancel_follows_from_whose_it_is(
    owner: Owner, transition: Transition | None, code: Code | None
) -> None:
    """`seed 000` 3 rows 16b, 16c; `http.md` 5.3."""
    refusal = cancel_refusal(owner, transition)
    assert (refusal and refusal.code) == code


def test_every_row_of_who_ends_it_answers_something() -> None:
    asked = [Owned(owner, purpose) for owner in Owner for purpose in Purpose]
    assert unused(ENDED_BY, asked) == []
    assert purpose_of(None) is Purpose.NONE


@pytest.mark.parametrize(
    ("owner", "ownership", "transition", "by"),
    [
        (Owner.GUIDED_SETUP, Ownership.OWNED, operation(Stage.RESOURCES_VERIFIED), EndedBy.ABANDON),
        (Owner.GUIDED_SETUP, Ownership.NONE, operation(Stage.RESOURCES_VERIFIED), EndedBy.ABANDON),
        (Owner.GUIDED_SETUP, Ownership.UNPROVEN, operation(Stage.RESOURCES_VERIFIED), EndedBy.NOBODY),
        (Owner.GUIDED_SETUP, Ownership.MISMATCH, operation(Stage.RESOURCES_VERIFIED), EndedBy.NOBODY),
        (Owner.GUIDED_UPGRADE, Ownership.NONE, UPGRADE, EndedBy.CANCEL),
        (Owner.ALIGN_EXISTING_INSTALL, Ownership.NONE, ALIGN, EndedBy.CANCEL),
        (Owner.CONFLICT, Ownership.UNPROVEN, UPGRADE, EndedBy.NOBODY),
        (Owner.UNKNOWN, Ownership.NONE, operation(Stage.RESOURCES_VERIFIED), EndedBy.NOBODY),
    ],
)
def test_a_way_out_is_named_only_where_it_would_be_taken(
    owner: Owner, ownership: Ownership, transition: Transition, by: EndedBy
) -> None:
    """Seed 000 5.2: an operation whose owner cannot be proven is offered no end."""
    assert way_out(owner, ownership, transition) is by
