"""Who writes what during a replacement, and how long the dispatch is waited for (`replacement.md` 7.1, 7.3)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from ems_admin.machines.alignment import facts
from tests.house.tracked import ROOT
from tests.memory.world import Durable
from tests.workflows.replacement.handover import Handover
from tests.workflows.replacement.old_admin import DISPATCH, calling, pending, updaters

RUN, B1 = "state/replacement-run.json", "state/pending-transition.json"
WALKERS = ("moving", "opening", "rollback", "steps", "updating", "walking")
"""The modules of the updater's walk."""


def test_the_updater_writes_its_run_record_and_b1_and_no_other_record() -> None:
    """7.1, on both ways; the dispatch record is the Admin's alone."""
    for whole in (True, False):
        handover = Handover()
        handover.host.successor_is_whole = whole
        dispatch = handover.world.files[DISPATCH]
        handover.finish()
        assert {name for name in handover.durable if name.startswith("state/")} == {RUN, B1}
        assert handover.world.files[DISPATCH] == dispatch


def test_the_updater_moves_b1_only_by_its_claim_and_by_a_failure() -> None:
    """7.1: claim_admin_update and mark_failed; no other command of the operation is named in its walk."""
    commands = {name for name, value in vars(facts).items() if name.isupper() and hasattr(value, "facts")}
    commands |= {name for name, value in vars(facts).items() if type(value).__name__ == "Trigger"}
    assert {"CLAIM_ADMIN_UPDATE", "MARK_FAILED", "RESUME_AFTER_ADMIN_RECONNECT", "CANCEL", "RETRY"} <= commands
    folder = Path(ROOT) / "src/ems_admin/workflows/replacement"
    text = "\n".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in WALKERS)
    assert {name for name in commands if name in text.replace("(", " ").replace(",", " ").split()} == {
        "CLAIM_ADMIN_UPDATE",
        "MARK_FAILED",
    }


@pytest.mark.parametrize("way", ["forward", "back", "B1 cannot be read at the claim"])
def test_an_updater_holds_one_record_at_a_time_and_none_while_the_engine_acts(way: str) -> None:
    """7.1; the run record's lock is held alone, and no record waits for an engine."""
    handover = Handover()
    handover.host.successor_is_whole = way != "back"
    while handover.walks:
        mark = handover.step()
        if way.startswith("B1") and RUN in handover.durable:
            handover.world.files[B1] = b"{"
        assert len(handover.world.held) <= 1
        if isinstance(mark, Durable) and not mark.name.startswith("state/"):
            assert handover.world.held == set()
    assert handover.durable[-1] == "retire"


@frozen
class Timed:
    """A store that notes how long anybody is willing to wait for it."""

    inner: Any
    waits: list[float]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def hold(self, wait: float = 10.0) -> AbstractAsyncContextManager[Any]:
        self.waits.append(wait)
        return self._held(wait)

    @asynccontextmanager
    async def _held(self, wait: float) -> AsyncIterator[Any]:
        async with self.inner.hold(wait) as held:
            yield held


def test_the_dispatch_is_waited_for_ninety_seconds() -> None:
    """7.3, F15: it is held over engine calls, so ten would not do."""
    scene = pending()
    records, waits = scene.house.records, list[float]()
    ledger = evolve(records.dispatch, store=Timed(records.dispatch.store, waits))
    scene.house = evolve(scene.house, records=evolve(records, dispatch=ledger))
    scene.do(calling(scene))
    assert len(updaters(scene)) == 1
    assert set(waits) == {90}
