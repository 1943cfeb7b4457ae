"""Two ways to do the same, timed in turns, so that whatever else the machine does meets both alike."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median, quantiles
from time import perf_counter

from attrs import frozen

Timed = Callable[[], Awaitable[object]]


@frozen(kw_only=True)
class Compared:
    """What came of it: seconds of each round, the two of one index taken side by side."""

    ours: tuple[float, ...]
    bare: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Give our median over the bare one."""
        return median(self.ours) / median(self.bare)

    @property
    def spread(self) -> tuple[float, float]:
        """Give the quartiles of the ratios of single rounds: how far one run is to be trusted."""
        low, _, high = quantiles(a / b for a, b in zip(self.ours, self.bare, strict=True))
        return low, high


async def nothing() -> None:
    """Leave nothing to be waited for."""


async def in_turns(ours: Timed, bare: Timed, *, rounds: int, between: Timed = nothing, warm_up: int = 20) -> Compared:
    """Time both `rounds` times; who goes first changes with every round.

    `between` lets what a call has left behind come to its end, so that neither side pays for the other.
    """
    for _ in range(warm_up):
        await ours()
        await bare()
    seconds: dict[Timed, list[float]] = {ours: [], bare: []}
    with quiet():
        for number in range(rounds):
            for side in (ours, bare) if number % 2 else (bare, ours):
                seconds[side].append(await timed(side))
                await between()
    return Compared(ours=tuple(seconds[ours]), bare=tuple(seconds[bare]))


async def timed(side: Timed) -> float:
    """Time one call."""
    began = perf_counter()
    await side()
    return perf_counter() - began


@contextmanager
def quiet() -> Iterator[None]:
    """Collect garbage before, and let the collector see only what is made from here on."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def microseconds(seconds: Sequence[float]) -> float:
    """Give the median in microseconds."""
    return median(seconds) * 1e6
