"""What is pure is worked out once, no process outlives its test, and every exploration is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from tests.exploration.explorer import Explorer
from tests.exploration.once import remember_pure_answers
from tests.exploration.telling import EXPLORED
from tests.workflows.scene import PROCESSES

Count: TypeAlias = Callable[[str, str, Explorer], None]
"""Counts one exploration for a product, by its name."""


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
