"""`make crashes`: kill every workflow everywhere, and write the page of what was found."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

import structlog

from tests.crashes.forks import folder_of_files
from tests.crashes.page import PAGE, STORIES, crash_page, play, section
from tests.house.tracked import ROOT


def shown(number: int) -> str:
    """Play one workflow, and give its section of the page."""
    story = STORIES[number]
    with folder_of_files() as folder:
        return section(story, play(story, folder))


def main() -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    with ProcessPoolExecutor(max_workers=2) as pool:
        sections = list(pool.map(shown, range(len(STORIES))))
    page = crash_page(sections)
    (ROOT / PAGE).write_text(page, encoding="utf-8")
    sys.stdout.write(page.rstrip().rpartition("\n")[2] + "\n")


if __name__ == "__main__":
    main()
