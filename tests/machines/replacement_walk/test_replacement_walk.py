"""Where an updater goes on, and for whom it walks: read by hand from the section, and never further than it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.kernel import Table
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Reading, Unreadable
from ems_admin.machines.records.replacement import Body, Run, WalkStep
from ems_admin.machines.records.transition import AdminIdentity, Stage, Transition
from ems_admin.machines.replacement.walking import (
    WALK_ON,
    WISH,
    Asked,
    Heading,
    Standing,
    Wish,
    waits_for_claim,
    way_on,
    wish,
)
from tests.machines.verdicts import questions, replay, unused
from tests.stores.records import NOON, OPERATION, RUN, TRANSITION

HERE = Path(__file__).parent
WAITING = evolve(TRANSITION, stage=Stage.ADMIN_RECONNECT_PENDING, resources_claimed_at=None)
CLAIMED = evolve(WAITING, admin_update_claimed_at=NOON)


@pytest.mark.parametrize(
    ("name", "table", "kind"), [("goes_on", WALK_ON, Standing), ("still_wanted", WISH, Asked)], ids=["walk_on", "wish"]
)
def test_a_table_says_what_was_written_and_has_no_row_that_nothing_told(
    name: str, table: Table[Any, Any], kind: type[Any]
) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert replay(text, kind, lambda asked: str(table.classify(asked))) == text
    assert not unused(table, list(questions(text, kind)))


@pytest.mark.parametrize("step", WalkStep)
def test_no_walk_that_is_verified_ever_heads_back(step: WalkStep) -> None:
    """From U10 there is only forward (`replacement.md` 7.4)."""
    heading = way_on(evolve(RUN, step=step)).heading
    assert (heading is Heading.BACK) is (step in {WalkStep.ROLLING_BACK, WalkStep.ROLLED_BACK})


@pytest.mark.parametrize(
    ("reading", "last", "stands"),
    [
        (Present(record=CLAIMED, sha256=""), 1, True),
        (Present(record=CLAIMED, sha256=""), None, True),
        (Present(record=CLAIMED, sha256=""), 2, False),
        (Present(record=evolve(CLAIMED, operation_id="1" * 32), sha256=""), 1, False),
        (Absent(), 1, False),
        (Unreadable(fault=ReadFault.EMPTY), 1, False),
    ],
)
def test_a_walk_is_wanted_by_its_own_operation_unless_a_later_attempt_was_made(
    reading: Reading[Transition], last: int | None, *, stands: bool
) -> None:
    """An unknown last attempt is no reason to leave a site without an Admin: the claim has settled whose it is."""
    run: Run = evolve(RUN, operation_id=OPERATION, attempt=1)
    assert wish(reading, run, last) is (Wish.STANDS if stands else Wish.WITHDRAWN)


@pytest.mark.parametrize(
    ("image", "began", "brought", "seen"),
    [
        (None, "b" * 64, "b" * 64, Wish.OVER),
        (None, "a" * 64, "b" * 64, Wish.WITHDRAWN),
        (None, "b" * 64, None, Wish.WITHDRAWN),
        ("sha256:2", "sha256:of a registry", "sha256:2", Wish.OVER),
        ("sha256:1", "sha256:of a registry", "sha256:2", Wish.WITHDRAWN),
        (None, "sha256:of a registry", None, Wish.WITHDRAWN),
    ],
)
def test_a_walk_is_over_once_the_admin_that_it_brought_has_begun_another_operation(
    image: str | None, began: str, brought: str | None, seen: Wish
) -> None:
    """The old Admin may have begun one as well, and then it is the one that stays."""
    by = AdminIdentity(image=image, digest=began, build_id="b-2", revision="b" * 40)
    later = evolve(CLAIMED, operation_id="1" * 32, orchestrator_admin=by)
    run = evolve(RUN, operation_id=OPERATION, successor=Body(id="2", image_id=brought, name="admin"))
    assert wish(Present(record=later, sha256=""), run, 1) is seen


@pytest.mark.parametrize(
    ("reading", "waits"),
    [
        (Present(record=WAITING, sha256=""), True),
        (Present(record=CLAIMED, sha256=""), False),
        (Present(record=evolve(WAITING, operation_id="1" * 32), sha256=""), False),
        (Present(record=TRANSITION, sha256=""), False),
        (Absent(), False),
        (Unreadable(fault=ReadFault.EMPTY), False),
    ],
)
def test_an_updater_is_awaited_only_by_its_own_unclaimed_operation(
    reading: Reading[Transition], *, waits: bool
) -> None:
    assert waits_for_claim(reading, OPERATION) is waits
