"""Two editors, a tab of the Setup and an upgrade meet in thousands of orders, and no accepted edit is lost.

Source: `seed 000` 2, 3.1, 6.5; `faults.md` F46. A seed that fails is named, and fails again:
`EXPLORE_SEED=<seed> pytest tests/exploration/test_edits.py`.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.workflows.config import commit, keeping
from ems_admin.workflows.maintenance import apply
from tests.exploration.edits.shuffle import Shuffle
from tests.workflows.scene import PROCESSES

SCHEDULES: Final = int(os.environ.get("EXPLORE_SCHEDULES", "10000"))
PART: Final = 1000
FOUND_WITHIN: Final = 200
"""Schedules among which a fault that was put into the program is found."""


@pytest.fixture(autouse=True)
def nobody_collects_meanwhile() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()
    gc.collect()


def run(seed: int) -> Shuffle:
    try:
        return Shuffle(seed).run()
    except Exception as fault:
        raise AssertionError(f"EXPLORE_SEED={seed}: {fault}") from fault
    finally:
        while PROCESSES:
            PROCESSES.pop().let_go()


@pytest.mark.parametrize("part", range(-(-SCHEDULES // PART)))
def test_no_accepted_edit_is_lost(part: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(part * PART, min((part + 1) * PART, SCHEDULES)):
        shuffle = run(seed)
        met.update(str(yes.path) for yes in shuffle.told.accepted)
        met.update(code for _who, code in shuffle.told.refused)
        met.update(steps=shuffle.steps, switches=shuffle.switches, cuts=shuffle.was_cut)
        if seed % 100 == 0:
            gc.collect()
    print(f"seeds {part * PART} to {seed}: {dict(met.most_common())}")  # noqa: T201  # what was covered is a result
    everybody = {*WritePath} - {WritePath.MQTT_MIGRATION, WritePath.BACKUP_RESTORE, WritePath.LEGACY_MIGRATION}
    assert {*map(str, everybody), Code.CONFLICT, Code.UPGRADE_PLAN_STALE, "cuts"} <= met.keys(), "some never met"


@pytest.mark.skipif("EXPLORE_SEED" not in os.environ, reason="no seed was named")
def test_one_schedule() -> None:
    run(int(os.environ["EXPLORE_SEED"]))


async def nobody_looks(*_args: object) -> None:
    """Do not compare anything."""


def takes_what_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an edit be written over whatever is live."""
    monkeypatch.setattr(commit._Walk, "_refuse_stale", nobody_looks)
    monkeypatch.setattr(apply, "_is_what_was_edited", lambda _change: nobody_looks)


def keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a commit leave no line."""
    monkeypatch.setattr(commit, "keep_revision", nobody_looks)


def tells_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a commit tell the journal nothing that could be held against the history."""
    monkeypatch.setattr(keeping, "MACHINE", "somebody")


FAULTS: Final[Mapping[Callable[[pytest.MonkeyPatch], None], str]] = {
    takes_what_it_gets: "lost",
    keeps_nothing: "not what the chain ends with",
    tells_nobody: "the journal tells another story",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_loses_edits_is_found_out(
    fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=FAULTS[fault]):
        all(run(seed) for seed in range(FOUND_WITHIN))
