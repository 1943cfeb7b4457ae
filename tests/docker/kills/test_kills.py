"""Whoever is killed and whatever is lost: the end is one Admin, and a B1 that says what happened.

Source: `seed 000` 6.5; `replacement.md` 7.3, 7.4, 7.5, 7.6; `faults.md` F19 to F37, F28, D9, D10.
"""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import pytest

from ems_admin.machines.replacement.seams import NUMBERS
from ems_admin.stores.site_files import SiteFiles
from tests.crashes.page import PAGE
from tests.docker.kills.case import Group, Point
from tests.docker.kills.page import cases, docker_section
from tests.docker.kills.points import DISPATCHED, WALKED, WALKED_BACK
from tests.docker.kills.running import play_group
from tests.docker.kills.table import GROUPS
from tests.house.tracked import ROOT
from tests.lab.lab import Lab

TOLD: Final = ROOT / "test-output" / "kills"
"""Here each case is told in a line, with its times: they are for whoever runs the tests, not for the page."""


@pytest.mark.parametrize("group", GROUPS, ids=[group.title for group in GROUPS])
def test_every_case_ends_as_the_page_says(group: Group, lab: Lab) -> None:
    TOLD.mkdir(parents=True, exist_ok=True)
    with (TOLD / f"{group.title}.txt").open("w", encoding="utf-8", buffering=1) as told:
        faults = play_group(group, lab, lambda line: print(line, file=told))
    assert not faults, "\n".join(faults)


def test_the_page_shows_the_cases_that_are_played() -> None:
    """A page that is older than the table fails here."""
    assert docker_section() in (ROOT / PAGE).read_text(encoding="utf-8"), "run `make crashes`"


def test_every_numbered_step_is_among_the_kills() -> None:
    killed = (case.title for case in cases() if case.title.startswith("SIGKILL"))
    shown = {number for title in killed for number in re.findall(r"after ([RU]\d+)", title)}
    assert {number for number, _, _ in NUMBERS} <= shown


@pytest.mark.parametrize("point", [*DISPATCHED.values(), *WALKED.values(), *WALKED_BACK.values()], ids=lambda at: at.at)
def test_every_point_is_one_that_a_process_can_come_to(point: Point) -> None:
    """A function that has another name by now would never be met."""
    kind, where, when, _ = point.at.split(":", 3)
    assert when in {"before", "after"}
    if kind == "call":
        assert where.startswith("ems_admin.docker.")
        assert callable(resolve_name(where))
    else:
        assert f"state/{where}.json" in {record.name for record in SiteFiles(admin_data=Path("nowhere")).all}


def test_no_two_cases_are_the_same() -> None:
    titles = [case.title for case in cases()]
    assert len(titles) == len(set(titles))
