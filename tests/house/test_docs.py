"""The documentation that is written by hand: complete, reachable, and true where it can be tried."""

import re
import sys
from datetime import datetime
from enum import StrEnum
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from attrs import evolve, field, frozen

from ems_admin.machines.kernel import Beginning, Edge, Machine, Regions, Trigger, guard
from tests.house.test_links import FENCE, LINK
from tests.house.tracked import ROOT
from tests.machines.recorder import untold
from tests.machines.transcript import replay

DOCS: Final = ROOT / "docs"
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LABEL: Final = re.compile(r'label=" ?([^"]+)"')


def linked(page: Path) -> set[Path]:
    """Give the pages that a page leads to."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    links = {(groups[0] or groups[1]).partition("#")[0] for groups in LINK.findall(text)}
    return {(page.parent / link).resolve() for link in links if link.endswith(".md") and "://" not in link}


def test_every_page_is_reached_from_the_readme() -> None:
    found, todo = set[Path](), {ROOT / "README.md"}
    while todo:
        page = todo.pop()
        found.add(page)
        todo |= linked(page) - found
    assert sorted(DOCS.rglob("*.md")) == sorted(page for page in found if DOCS in page.parents)


def test_every_decision_is_listed_under_its_own_title() -> None:
    pages = sorted((DOCS / "adr").glob("0*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    titles = [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(". ", 1) for page in pages]
    listed = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \|$", (DOCS / "adr/README.md").read_text("utf-8"), re.MULTILINE)
    assert listed == [(number, title, page.name) for page, (number, title) in zip(pages, titles, strict=True)]


@pytest.mark.parametrize("name", ["architecture", "replacement"])
def test_a_picture_of_the_architecture_says_what_its_source_says(name: str) -> None:
    labels = LABEL.findall((DOCS / f"{name}.dot").read_text(encoding="utf-8"))
    lines = [line.strip() for label in labels for line in label.split("\\n")]
    picture = (DOCS / f"{name}.svg").read_text(encoding="utf-8")
    drawn = {unescape(text).strip() for text in re.findall(r">([^<]+)</text>", picture)}
    assert len(lines) > 20
    assert [line for line in lines if line not in drawn] == []


class Code(StrEnum):
    """What the page adds to the vocabulary."""

    HOLIDAY_NOT_PLANNED = "holiday_not_planned"
    HOLIDAY_PLANNED_ALREADY = "holiday_planned_already"
    HOLIDAY_IN_THE_PAST = "holiday_in_the_past"
    HOLIDAY_NOT_YET = "holiday_not_yet"


KNOWN: Final[dict[str, object]] = {
    "Beginning": Beginning,
    "Edge": Edge,
    "Machine": Machine,
    "Regions": Regions,
    "Trigger": Trigger,
    "guard": guard,
    "evolve": evolve,
    "field": field,
    "frozen": frozen,
    "Code": Code,
    "Final": Final,
    "StrEnum": StrEnum,
    "datetime": datetime,
}
"""What the page takes for granted at the head of the file."""


def test_the_machine_of_the_guide_is_declared_and_told_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = BLOCK.findall((DOCS / "adding-a-machine.md").read_text(encoding="utf-8"))
    declaration = next(text for kind, text in blocks if kind == "python")
    transcript = next(text for kind, text in blocks if kind == "text")
    module = ModuleType("holiday")
    module.__dict__.update(KNOWN)
    monkeypatch.setitem(sys.modules, "holiday", module)
    exec(compile(declaration, "adding-a-machine.md", "exec"), module.__dict__)
    told = replay(module.HOLIDAY, transcript)
    assert told.text == transcript
    assert list(untold(module.HOLIDAY, told.steps)) == []
