"""A seam: an act over more than one record or file, as a declared order of steps.

No disk commits two files at once, so an act over several of them has places at which a power cut leaves it. A seam
names them: after each step but the last stands what the next start does there. The runner performs the steps in the
declared order and no other, and the reconciler reads the same declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations

from attrs import field, frozen

from ems_admin.machines.kernel.declaration import DeclarationError


class AfterCut(StrEnum):
    """What a start does that finds a seam cut at one place."""

    GO_ON = "go_on"
    """The steps that are missing are performed: each can be entered again."""
    ROLL_BACK = "roll_back"
    """What was done is taken back, byte for byte."""
    REST = "rest"
    """Nothing: the place is a resting state that the console can explain and leave."""


@frozen(kw_only=True)
class SeamStep:
    """One durable change, and what is done when nothing follows it."""

    name: str
    """An imperative: what the step does."""
    changes: str
    """The one record or file that it changes: `B0`, `config.json` …"""
    after_cut: AfterCut | None
    """What a start does when this step is the last one that became durable; `None` for the end of the seam."""
    because: str
    """Why that is right, as a sentence."""


@frozen(kw_only=True)
class Seam:
    """Steps in the only order in which they are performed."""

    name: str
    summary: str
    steps: tuple[SeamStep, ...] = field()

    @steps.validator
    def _is_sound(self, _attribute: object, _steps: object) -> None:
        if faults := list(self._faults()):
            raise DeclarationError(self.name, faults)

    def after(self, name: str) -> tuple[SeamStep, ...]:
        """Give the steps that follow the one called `name`."""
        names = [step.name for step in self.steps]
        return self.steps[names.index(name) + 1 :]

    def _faults(self) -> Iterator[str]:
        names = [step.name for step in self.steps]
        if len(names) < 2:  # noqa: PLR2004  # one step is a commit, not a seam
            yield "a seam has at least two steps"
        yield from (f"two steps are called {name}" for name in set(names) if names.count(name) > 1)
        for step in self.steps[:-1]:
            if step.after_cut is None:
                yield f"nobody says what a start does after {step.name}"
        for earlier, later in combinations(self.steps, 2):
            if earlier.after_cut is AfterCut.GO_ON and later.after_cut is AfterCut.ROLL_BACK:
                yield f"a start goes on from {earlier.name}, yet takes back what {later.name} has added"
        if self.steps and self.steps[-1].after_cut is not None:
            yield f"{self.steps[-1].name} ends the seam, nothing is left to be done after it"
        yield from (f"{step.name} gives no reason" for step in self.steps if not step.because.endswith("."))
