"""What was explored, by product: added up over all workers, said at the end of the run, and held against the page.

`docs/exploration.md` promises at least so many states of each product. A run that explores every place of a product and
reaches fewer fails: then a place, an act or a cut was lost on the way.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define

EXPLORED: Final = "explored"
PAGE: Final = Path(__file__).parents[2] / "docs" / "exploration.md"
ROW: Final = re.compile(r"^\| (?P<product>[a-z ]+) \|.*\| (?P<runs>[\d ]+) \| (?P<states>[\d ]+) \|$", re.MULTILINE)


@define
class Tally:
    """One product. Mutable: it is added to."""

    explorations: int = 0
    states: int = 0
    edges: int = 0
    schedules: int = 0
    worlds: int = 0
    bounds: frozenset[str] = frozenset()

    def add(self, states: int, edges: int, schedules: int, worlds: int, bounds: str) -> None:
        self.explorations += 1
        self.states += states
        self.edges += edges
        self.schedules += schedules
        self.worlds += worlds
        self.bounds |= {bounds}

    def __str__(self) -> str:
        return (
            f"{self.explorations} explorations, {self.states} states, {self.edges} edges, "
            f"{self.schedules} schedules, {self.worlds} worlds cut; {' / '.join(sorted(self.bounds))}; 0 violations"
        )


def tallies(config: pytest.Config) -> dict[str, Tally]:
    """Add up what was explored without a violation."""
    told: dict[str, Tally] = {}
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    for report in reporter.getreports("passed") if reporter else ():
        for key, value in getattr(report, "user_properties", ()):
            if key == EXPLORED and report.when == "call":
                product, states, edges, schedules, worlds, bounds = value
                told.setdefault(product, Tally()).add(states, edges, schedules, worlds, bounds)
    return told


def promised() -> dict[str, tuple[int, int]]:
    """Read the page: explorations and states of each product."""
    rows = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return {row["product"]: (_number(row["runs"]), _number(row["states"])) for row in rows}


def shortfalls(told: dict[str, Tally]) -> list[str]:
    """Say which product was explored at every place and has reached less than the page promises."""
    return [
        f"{product}: {tally.states} states, and docs/exploration.md promises {promised()[product][1]}"
        for product, tally in told.items()
        if tally.explorations >= promised()[product][0] and tally.states < promised()[product][1]
    ]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and shortfalls(tallies(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    told = tallies(config)
    if told:
        terminalreporter.section("explored")
    for product, tally in told.items():
        terminalreporter.line(f"{product}: {tally}")
    for fault in shortfalls(told):
        terminalreporter.write_line(fault, red=True)


def _number(words: str) -> int:
    return int(words.replace(" ", ""))
