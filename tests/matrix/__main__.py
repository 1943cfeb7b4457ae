"""`make matrix`: execute every row, and write the page with a mark for each that holds.

The page is written also when a row fails, so that one can read which; the exit code says that one did.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from attrs import define, field

from ems_admin.machines.render.composition import PAGE, matrix_page
from tests.house.tracked import ROOT

ROWS = Path(__file__).with_name("test_rows.py")
ROW = re.compile(r"test_row\[(\w+)\]$")


@define
class Marks:
    """What came of the rows. Mutable: a plugin that listens."""

    held: set[str] = field(factory=set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = ROW.search(report.nodeid)
        if found and report.when == "call" and report.passed:
            self.held.add(found[1])


def main() -> int:
    marks = Marks()
    code = pytest.main(["-q", "-p", "no:cacheprovider", str(ROWS)], plugins=[marks])
    (ROOT / PAGE).write_text(matrix_page(marks.held), encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
