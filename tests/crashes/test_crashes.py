"""Every workflow is killed at each of its durable writes, and every place that this leaves is one that can be left.

Source: DESIGN 3; `replacement.md` 7; `faults.md` F03, F04, F05, F10, F42.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ems_admin.machines.replacement.seams import NUMBERS
from tests.crashes.page import PAGE, STORIES, crash_page, play, section, sections_of
from tests.crashes.stories import Story
from tests.house.tracked import ROOT


@pytest.mark.parametrize("story", STORIES, ids=[story.title for story in STORIES])
def test_killed_anywhere_the_site_explains_itself_and_can_be_left(story: Story, folder: Path) -> None:
    """What is found is what the page says: a page that is older than the code fails here."""
    rows = play(story, folder)
    assert rows, "it writes nothing"
    assert section(story, rows) == sections_of(page())[story.title], "run `make crashes`"


def test_the_page_holds_every_workflow_once_and_adds_up() -> None:
    sections = sections_of(page())
    assert list(sections) == [story.title for story in STORIES]
    assert page() == crash_page(list(sections.values()))


def test_every_step_of_a_replacement_is_on_the_page() -> None:
    """`replacement.md` 7: R1 to R5 and U1 to U14 are the numbered steps of the crash matrix."""
    shown = {number for cell in page().split("**") for number in cell.split(", ")}
    assert {number for number, _, _ in NUMBERS} <= shown


def page() -> str:
    return (ROOT / PAGE).read_text(encoding="utf-8")
