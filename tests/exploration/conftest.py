"""What is pure is worked out once, no process outlives its test, and the run says what it has covered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.exploration.counting import Count, Tally
from tests.exploration.explorer import Explorer
from tests.exploration.once import remember_pure_answers
from tests.workflows.scene import PROCESSES

EXPLORED = "explored"


@pytest.fixture(autouse=True)
def pure_answers_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    remember_pure_answers(monkeypatch)
    yield
    while PROCESSES:
        PROCESSES.pop().let_go()


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Count:
    def counted(product: str, name: str, explorer: Explorer) -> None:
        print(f"{product}, {name}: {explorer}")  # noqa: T201  # what was covered is part of the result
        sizes = (len(explorer.states), explorer.edges, explorer.schedules, len(explorer.worlds))
        record_property(EXPLORED, (product, *sizes, explorer.bounds))

    return counted


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Add up what every worker has explored."""
    tallies: dict[str, Tally] = {}
    for report in terminalreporter.getreports("passed"):
        for key, value in getattr(report, "user_properties", ()):
            if key == EXPLORED and report.when == "call":
                product, *sizes, bounds = value
                tallies.setdefault(product, Tally()).add(*sizes, bounds)
    if tallies:
        terminalreporter.section("explored")
    for product, tally in tallies.items():
        terminalreporter.line(f"{product}: {tally}")
