"""The ways on that lead somewhere: of what a refusal offers, the routes that this Admin has.

The catalogue of refusals is whole, also where its routes are still to come; an answer names none that would be a 404.
Source: `site.md` 1.1; `faults.md` F45.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ems_admin.machines.refusal_sentences.actions import LOOK_AGAIN
from ems_admin.machines.refusals import Action


def ways_on(offered: Iterable[Action]) -> tuple[Action, ...]:
    """Keep what can be gone; where nothing is left, looking at the console always can."""
    return tuple(action for action in offered if (str(action.method), action.path) in _routes()) or (LOOK_AGAIN,)


@cache
def _routes() -> frozenset[tuple[str, str]]:
    from ems_admin.http.routes import TABLE  # noqa: PLC0415  # the table shows answers itself: it cannot come first

    return frozenset((str(route.method), route.path) for route in TABLE)
