"""The page of the crash matrix: every workflow with its durable writes, and what the next start finds at each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Final

from attrs import frozen

from ems_admin.machines.render.markdown import codes, document, grid
from tests.crashes.backups import BACKUPS
from tests.crashes.killing import Moment, kill_everywhere, rehearse
from tests.crashes.naming import file_of, number_of, step_of
from tests.crashes.operations import OPERATIONS
from tests.crashes.setups import SETUPS
from tests.crashes.stories import Story
from tests.crashes.survey import Found, Survey
from tests.crashes.upgrades import UPGRADES
from tests.crashes.writes import Write
from tests.docker.kills.page import docker_section
from tests.docker.upgrade.page import upgrade_section

PAGE: Final = "docs/crash-matrix.md"
STORIES: Final = (*SETUPS, *OPERATIONS, *UPGRADES, *BACKUPS)

GENERATED: Final = "<!-- Written by `make crashes` from tests/crashes. Do not edit. -->"
INTRO: Final = (
    "Nobody chooses when the power goes. Here every workflow that changes something is run over real files in a "
    "process of its own, which is killed (SIGKILL) at each of its durable writes: right before it, in the middle of "
    "it, and right after it. Then the site is started again. A letter stands for what that start finds, and is told "
    "below its table: who owns the console and in which state, where the operation stands, the last attempt at a "
    "replacement and its walk, and what the live config is where the workflow writes it. *On* are the acts that are "
    "open there to go on with; *out* are the acts that were offered and done, one after the other, until nothing was "
    "in progress any more."
)
ASKED: Final = (
    "At each place it is also asked whether every file with a final name is byte for byte the old or the new one; "
    "whether every record can be read; whether every code that the page shows has its sentence; whether a second "
    "start changes nothing; whether nothing half written is left behind; and whether exactly one Admin runs in the "
    "end. A place that fails one of these fails the run that writes this page."
)
READING: Final = (
    "R1 to R5 and U1 to U14 are the steps of a replacement ([seams](seams.md)); every other write is numbered within "
    "its workflow. *During* a replace the new bytes lie complete beside the old file; during a removal the name is "
    "gone and its folder not yet flushed; during an act of the engine it was done, and nobody has heard of it. One "
    "call has nothing in between. The engine is another process: what it has done outlives the kill. The journal is "
    "evidence, written behind, and has no number."
)
HEAD: Final = ("", "write", "step", "killed before", "during", "after")
ROW: Final = re.compile(r"^\| \*\*", re.MULTILINE)
TOTAL: Final = re.compile(r"^\d+ durable writes in ", re.MULTILINE)
SECTION: Final = re.compile(r"^## \d+\. (.+)$", re.MULTILINE)


@frozen(kw_only=True)
class Row:
    """One write, and what was found at each moment of it."""

    write: Write
    found: Mapping[Moment, Found]


def play(story: Story, folder: Path) -> tuple[Row, ...]:
    """Kill a workflow everywhere. Raises `AssertionError` where a place is not one that the console can leave."""
    rehearsed = rehearse(story, folder)
    survey = Survey.of(rehearsed)
    rows: dict[Write, dict[Moment, Found]] = {write: {} for write in rehearsed.writes}
    for killed in kill_everywhere(rehearsed, folder):
        rows[killed.write][killed.moment] = survey.look(killed)
    return tuple(Row(write=write, found=found) for write, found in rows.items())


def section(story: Story, rows: Sequence[Row]) -> str:
    """Show one workflow: its writes, and below them what the letters stand for."""
    number = STORIES.index(story) + 1
    finds = dict.fromkeys(found for row in rows for found in row.found.values())
    letters = dict(zip(finds, ascii_uppercase, strict=False))
    lines = (line(story, row, letters, f"W{number}.{place}") for place, row in enumerate(rows, 1))
    legend = "\n".join(f"- **{letter}** {told(found)}" for found, letter in letters.items())
    return f"## {number}. {story.title}\n\n{grid(HEAD, lines)}\n\n{legend}"


def line(story: Story, row: Row, letters: Mapping[Found, str], otherwise: str) -> tuple[str, ...]:
    """Show one write."""
    step = step_of(story, row.write)
    return (
        f"**{number_of(story, row.write, otherwise)}**",
        file_of(row.write) + (f", {codes(row.write.triggers)}" if row.write.triggers else ""),
        f"{step[0].name}: {step[1]}" if step else "",
        *(letters[row.found[moment]] if moment in row.found else "—" for moment in Moment),
    )


def told(found: Found) -> str:
    """Say in words what a letter stands for."""
    config = f"; config {found.config}" if found.config else ""
    on = f" On: {codes(found.on)}." if found.on else ""
    out = f" Out: {codes(found.out)}." if found.out else ""
    return f"{found.state}{config}.{on}{out}"


def crash_page(sections: Sequence[str]) -> str:
    """Put the page together."""
    writes = sum(len(ROW.findall(part)) for part in sections)
    total = f"{writes} durable writes in {len(sections)} workflows; every place explains itself and can be left."
    told = (INTRO, ASKED, READING)
    on_docker = (docker_section(), upgrade_section())
    return document(GENERATED, "# Killed at every durable write", *told, *sections, total, *on_docker)


def sections_of(page: str) -> dict[str, str]:
    """Take the sections out of a page, by title."""
    starts = list(SECTION.finditer(page))
    ends = [*(found.start() for found in starts[1:]), *(found.start() for found in TOTAL.finditer(page))]
    return {found[1]: page[found.start() : end].strip() for found, end in zip(starts, ends, strict=True)}
