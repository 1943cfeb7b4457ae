"""Whether an update of the Admin alone is called for, and whether a build may bring it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ems_admin.machines.admin_update_need import (
    NEED,
    UPDATE_GATE,
    Bound,
    Known,
    Need,
    Running,
    UpdateGate,
    reason_of,
    update_refusal,
)
from ems_admin.machines.alignment.ending import RunningBuild
from ems_admin.machines.alignment.matching import Match
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table
from ems_admin.machines.records.upgrade import AdminUpdateReason
from ems_admin.machines.values.tags import Direction
from tests.machines.verdicts import questions, replay, unused

BOTH: tuple[tuple[str, type[Any], Table[Any, Any]], ...] = (
    ("need.txt", Running, NEED),
    ("gate.txt", Bound, UPDATE_GATE),
)


@pytest.mark.parametrize(("name", "kind", "table"), BOTH)
def test_a_text_comes_out_as_it_was_written_and_leaves_no_row_untold(
    name: str, kind: type[Any], table: Table[Any, Any]
) -> None:
    written = (Path(__file__).parent / name).read_text(encoding="utf-8")
    assert replay(written, kind, table.classify) == written
    assert unused(table, list(questions(written, kind))) == []


def test_every_reason_of_the_plan_on_record_is_one_that_can_be_found() -> None:
    assert {need.value for need in Need} - {reason.value for reason in AdminUpdateReason} == {Need.NONE}


def test_no_reason_is_none_and_an_open_gate_refuses_nothing() -> None:
    assert reason_of(Running(Known.YES, Match.SAME)) is None
    assert reason_of(Running(Known.YES, Match.OTHER)) is AdminUpdateReason.DIGEST_CHANGED
    assert update_refusal(Bound(Direction.NEWER, Known.YES, RunningBuild.KNOWN_GOOD)) is None


def test_a_way_back_is_refused_with_where_it_leads() -> None:
    refusal = update_refusal(Bound(Direction.OLDER, Known.YES, RunningBuild.KNOWN_GOOD))
    assert refusal is not None
    assert (refusal.code, refusal.detail) == (Code.UPGRADE_NOT_FORWARD, Direction.OLDER)
    other = update_refusal(Bound(Direction.NEWER, Known.YES, RunningBuild.OTHER))
    assert other is not None
    assert (other.code, other.detail) == (Code.KNOWN_GOOD_MISMATCH, None)
    assert {gate for gate in UpdateGate if gate is not UpdateGate.OPEN} <= set(Code)
