"""An Admin update as it is shown, and what B1 says of the operation that a plan names."""

from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.machines.admin_update import Operation, operation_of
from ems_admin.machines.admin_update_progress import (
    ADMIN_UPDATE_PROGRESS,
    AdminUpdate,
    AdminUpdateProgress,
    read,
)
from ems_admin.machines.alignment.outlook import Place
from ems_admin.machines.records.transition import AdminIdentity, Mode, Stage, Transition
from ems_admin.machines.records.upgrade import AdminUpdateReason, AdminUpdateState, PendingAdminUpdate, SeenAdmin
from tests.machines.samples import TEN, operation
from tests.machines.verdicts import questions, replay, texts, unused

ADMIN = AdminIdentity(image=None, digest="a1", build_id="b1", revision="r1")
PLAN = PendingAdminUpdate(
    format_version=1,
    plan_id="p1",
    state=AdminUpdateState.STARTED,
    target_system_tag="v2.0.0",
    current_admin=SeenAdmin(image=None, digest="a1", build_id="b1", revision="r1"),
    target_admin=evolve(ADMIN, digest="a2"),
    reason=AdminUpdateReason.DIGEST_CHANGED,
    operation_id="op1",
    created_at=TEN,
    updated_at=TEN,
)
LIVE = operation(Stage.ADMIN_RECONNECT_PENDING, Mode.ALIGN_EXISTING_INSTALL)


@pytest.mark.parametrize("text", texts(__file__), ids=lambda path: path.stem)
def test_a_text_comes_out_as_it_was_written(text: Path) -> None:
    """`site.md` 2."""
    written = text.read_text(encoding="utf-8")
    assert replay(written, AdminUpdate, ADMIN_UPDATE_PROGRESS.classify) == written


def test_no_row_is_left_untold() -> None:
    asked = [question for text in texts(__file__) for question in questions(text.read_text(), AdminUpdate)]
    assert unused(ADMIN_UPDATE_PROGRESS, asked) == []


def test_an_operation_that_the_plan_does_not_name_says_nothing_about_it() -> None:
    assert read(PLAN, LIVE, Place.TARGET) is AdminUpdateProgress.RESUME_READY
    assert read(evolve(PLAN, operation_id="op2"), LIVE, Place.TARGET) is AdminUpdateProgress.PLANNED
    assert read(PLAN, None, Place.ELSEWHERE) is AdminUpdateProgress.PLANNED
    later = evolve(LIVE, operation_id="op2", created_at=TEN + timedelta(seconds=1))
    assert read(PLAN, later, Place.TARGET) is None, "its own operation is over: a later one has taken its place"


@pytest.mark.parametrize(
    ("transition", "said"),
    [
        (None, Operation.NEVER_BEGAN),
        (LIVE, Operation.LIVE),
        (operation(Stage.COMPLETED, Mode.ALIGN_EXISTING_INSTALL), Operation.OVER),
        (operation(Stage.CANCELLED, Mode.ALIGN_EXISTING_INSTALL), Operation.OVER),
        (evolve(LIVE, operation_id="before"), Operation.NEVER_BEGAN),
        (evolve(LIVE, operation_id="after", created_at=TEN + timedelta(seconds=1)), Operation.OVER),
    ],
)
def test_b1_tells_what_became_of_the_operation_of_a_plan(transition: Transition | None, said: Operation) -> None:
    assert operation_of(PLAN, transition, lapsed=False) is said


def test_an_operation_that_lapsed_is_told_from_one_that_lives_and_from_one_that_is_over() -> None:
    assert operation_of(PLAN, LIVE, lapsed=True) is Operation.LAPSED
    assert operation_of(PLAN, evolve(LIVE, operation_id="before"), lapsed=True) is Operation.NEVER_BEGAN
    assert operation_of(PLAN, operation(Stage.CANCELLED, Mode.ALIGN_EXISTING_INSTALL), lapsed=True) is Operation.OVER
