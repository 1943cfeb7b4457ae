"""A decision against one bare step of `transitions` that asks as many conditions, for every step of every transcript.

Ours is `decide`: pick the edge, ask the guards, assign the next record, prove that it reads as promised. Bare is what
the engine alone does: a model of two states, one trigger, and conditions that always hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from attrs import define, field, frozen
from transitions import Machine as Engine

from ems_admin.machines.kernel import Machine, Regions
from tests.bench.pairs import quiet
from tests.machines.test_transcripts import REGIONS, TRANSCRIPTS
from tests.machines.transcript import Heard, replay

ROUNDS: Final = 15
BATCH: Final = 8
"""Calls that are timed together: one alone is close to what the clock can tell."""


@frozen(kw_only=True)
class Decisions:
    """Medians over the steps, in microseconds, and the ratio of each step."""

    ours: float
    bare: float
    ratios: tuple[float, ...]
    guards: float
    """How many guards a step asks, on average."""

    @property
    def ratio(self) -> float:
        """Give the median over all steps."""
        return median(self.ratios)


class Model:
    """What a bare engine moves."""

    state = "here"


@define(kw_only=True)
class Pair:
    """One step both ways. Mutable: it gathers its times."""

    ours: Callable[[], object]
    bare: Callable[[], object]
    guards: int
    our_times: list[float] = field(factory=list)
    bare_times: list[float] = field(factory=list)


def measure() -> Decisions:
    """Time every step of every transcript, round by round over all of them."""
    engines: dict[int, Callable[[], object]] = {}
    pairs = []
    for name, path in TRANSCRIPTS:
        regions = REGIONS[name]
        for heard in replay(regions, path.read_text(encoding="utf-8")).steps:
            guards = asked(regions, heard)
            pairs.append(
                Pair(
                    ours=lambda r=regions, h=heard: r.decide(h.before, h.trigger, h.facts),  # type: ignore[misc]
                    bare=engines.setdefault(guards, bare_step(guards)),
                    guards=guards,
                )
            )
    with quiet():
        for number in range(ROUNDS):
            for pair in pairs:
                sides = [(pair.ours, pair.our_times), (pair.bare, pair.bare_times)]
                for step, times in sides if number % 2 else reversed(sides):
                    times.append(batch(step))
    return Decisions(
        ours=median(median(pair.our_times) for pair in pairs) * 1e6,
        bare=median(median(pair.bare_times) for pair in pairs) * 1e6,
        ratios=tuple(median(pair.our_times) / median(pair.bare_times) for pair in pairs),
        guards=sum(pair.guards for pair in pairs) / len(pairs),
    )


def batch(step: Callable[[], object]) -> float:
    """Give the seconds of one call, timed over several."""
    began = time.perf_counter()
    for _ in range(BATCH):
        step()
    return (time.perf_counter() - began) / BATCH


def bare_step(guards: int) -> Callable[[], object]:
    """Make a step of a bare engine with `guards` conditions."""
    engine = Engine(model=None, states=["here", "there"], initial="here", auto_transitions=False, send_event=True)
    engine.add_transition("go", "here", "there", conditions=[_holds] * guards)
    event = engine.events["go"]

    def step() -> None:
        event.trigger(Model())

    return step


def _holds(_event: object) -> bool:
    return True


def asked(regions: Regions[Any], heard: Heard[Any]) -> int:
    """Count the guards that are asked until the decision stands."""
    if heard.trigger is regions.begins.trigger:
        return len(regions.begins.guards)
    if heard.before is None:
        return 0
    return sum(_asked_by(machine, heard) for machine in regions.hearers[heard.trigger])


def _asked_by(machine: Machine[Any, Any], heard: Heard[Any]) -> int:
    state, count = machine.reads(heard.before), 0
    for edge in (e for e in machine.edges if e.trigger is heard.trigger and state in e.sources):
        wanted = [*((guard, True) for guard in edge.guards), *((rule, False) for rule in edge.unless)]
        for guard, holds in wanted:
            count += 1
            if (guard.refusal(heard.before, heard.facts) is None) is not holds:
                break
        else:
            return count
    return count
