"""The ways on that lead somewhere: of what a refusal offers, the routes that this Admin has.

The catalogue of refusals is whole, also where its routes are still to come; an answer names none that would be a 404.
Source: `site.md` 1.1; `faults.md` F45.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ems_admin.machines.refusal_sentences.actions import LOOK_AGAIN
from ems_admin.machines.refusals import Action

_OPEN: Final[set[tuple[str, str]]] = set()
"""Method and path of every route. The table tells them when it is made: it shows answers itself, so it comes after."""


def open_ways(routes: Iterable[tuple[str, str]]) -> None:
    """Take note of the routes that there are."""
    _OPEN.update(routes)


def ways_on(offered: Iterable[Action]) -> tuple[Action, ...]:
    """Keep what can be gone; where nothing is left, looking at the console always can."""
    return tuple(action for action in offered if (str(action.method), action.path) in _OPEN) or (LOOK_AGAIN,)
