"""What was explored, by product: added up over all tests and workers, and said at the end of the run."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from tests.exploration.explorer import Explorer

Count = Callable[[str, str, Explorer], None]
"""Counts one exploration for a product."""


@define
class Tally:
    """One product. Mutable: it is added to."""

    explorations: int = 0
    states: int = 0
    edges: int = 0
    schedules: int = 0
    worlds: int = 0
    bounds: str = ""

    def add(self, states: int, edges: int, schedules: int, worlds: int, bounds: str) -> None:
        self.explorations += 1
        self.states += states
        self.edges += edges
        self.schedules += schedules
        self.worlds += worlds
        self.bounds = bounds

    def __str__(self) -> str:
        return (
            f"{self.explorations} explorations: {self.states} states, {self.edges} edges, "
            f"{self.schedules} schedules, {self.worlds} worlds cut; {self.bounds}; 0 violations"
        )
