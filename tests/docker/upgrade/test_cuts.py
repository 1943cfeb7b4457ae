"""Wherever the power goes during an upgrade, it is gone on with or called off, and nothing is done twice.

Source: `site.md` 9; `faults.md` F24, F28.
"""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import pytest

from ems_admin.machines.upgrade.steps import Step
from ems_admin.stores.site_files import SiteFiles
from tests.crashes.page import PAGE
from tests.docker.upgrade.case import CutGroup, UpgradeCut
from tests.docker.upgrade.page import upgrade_section
from tests.docker.upgrade.playing import play_group
from tests.docker.upgrade.table import GROUPS
from tests.house.tracked import ROOT
from tests.lab.lab import Lab

TOLD: Final = ROOT / "test-output" / "upgrades"
CASES: Final = tuple(case for group in GROUPS for case in group.cases)
NOTHING_CHANGES: Final = frozenset({Step.VERIFY_BUILD, Step.PREFLIGHT, Step.CONFIG_CHECK})
"""A cut in them leaves what the step before has left."""


@pytest.mark.parametrize("group", GROUPS, ids=[group.title for group in GROUPS])
def test_wherever_the_power_is_cut_the_upgrade_ends_as_the_page_says(group: CutGroup, lab: Lab) -> None:
    TOLD.mkdir(parents=True, exist_ok=True)
    with (TOLD / f"{group.title}.txt").open("w", encoding="utf-8", buffering=1) as told:
        faults = play_group(group, lab, lambda line: print(line, file=told))
    assert not faults, "\n".join(faults)


def test_the_page_shows_the_cuts_that_are_played() -> None:
    """A page that is older than the table fails here."""
    assert upgrade_section() in (ROOT / PAGE).read_text(encoding="utf-8"), "run `make crashes`"


def test_every_step_that_changes_something_is_among_the_cuts() -> None:
    assert {case.step for case in CASES} == set(Step) - NOTHING_CHANGES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_every_point_is_one_that_a_process_can_come_to(case: UpgradeCut) -> None:
    """A function that has another name by now would never be met."""
    kind, where, when, _ = case.point.split(":", 3)
    assert when in {"before", "after"}
    if kind == "call":
        assert callable(resolve_name(where))
    else:
        assert f"state/{where}.json" in {record.name for record in SiteFiles(admin_data=Path("nowhere")).all}
