"""Whether an operation may begin beside the one on record."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.alignment.beside import BESIDE, Beginning, InTheWay, beginning_beside
from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.records.transition import Mode, Stage
from tests.machines.verdicts import questions, replay, texts, unused
from tests.stores.records import TRANSITION


def test_an_operation_begins_as_written() -> None:
    """`site.md` 3."""
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, InTheWay, lambda asked: str(BESIDE.classify(asked))) == text
    assert not unused(BESIDE, list(questions(text, InTheWay)))


@pytest.mark.parametrize("begins", [Mode.GUIDED_UPGRADE, Mode.ALIGN_EXISTING_INSTALL])
@pytest.mark.parametrize("mode", Mode)
def test_what_is_over_is_in_nobodys_way(mode: Mode, begins: Mode) -> None:
    assert beginning_beside(None, Expiry.FRESH, mode=begins) is Beginning.OPEN
    over = evolve(TRANSITION, mode=mode, stage=Stage.CANCELLED, resume_stage=None)
    assert beginning_beside(over, Expiry.EXPIRED, mode=begins) is Beginning.OPEN
    lives = beginning_beside(evolve(TRANSITION, mode=mode, stage=Stage.ADMIN_ALIGNED), Expiry.EXPIRED, mode=begins)
    assert lives is (Beginning.ANEW if mode is begins else Beginning.TRANSITION_ACTIVE)
