"""The engine is stopped, or all of it loses its power, while a process stands at its point.

Source: `replacement.md` 7.4, 7.5; `faults.md` F19, F28.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from tests.docker.kills.case import Back, Case, Does, Ends, Point, new, old
from tests.docker.kills.points import DISPATCHED, WALKED, WALKED_BACK

POINTS: Final = {**DISPATCHED, **WALKED}
BACK_POINTS: Final = WALKED_BACK


@frozen(kw_only=True)
class What:
    """What happens to the engine."""

    title: str
    who: str


STOP: Final = What(title="the engine is stopped and started", who="the engine, and every container by its hand")
POWER: Final = What(title="power cut", who="the engine and every container")

O_KEPT: Final = frozenset({"after R2", "after R3", "after U2", "after U3"})
"""The old Admin still has its policy."""
N_KEPT: Final = frozenset({"after U12", "after U13"})
"""The new one has it."""


def _ends(title: str) -> Ends:
    back = Back.ENGINE if title in O_KEPT | N_KEPT else Back.UPDATER
    return new(back=back, entries=1 if title in DISPATCHED else 2)


def _forward(what: What, titles: Iterable[str]) -> tuple[Case, ...]:
    return tuple(_held(what, title, POINTS[title], _ends(title)) for title in titles)


def _held(what: What, title: str, point: Point, ends: Ends, target: str = "newer") -> Case:
    return Case(title=f"{what.title} {title}", who=what.who, target=target, point=point, does=Does.HOLD, ends=ends)


def _back(what: What, title: str, back: Back) -> Case:
    ends = old(Code.REPLACEMENT_START_FAILED, back=back, entries=2)
    return _held(what, f"on the way back, {title}", BACK_POINTS[title], ends, "dying")


STOPPED: Final = (
    *_forward(STOP, ("after R2", "after U3", "after U5", "during U9")),
    _back(STOP, "after remove_successor", Back.UPDATER),
)

CUT: Final = (
    _forward(POWER, ("after R2", "after R3", "after U2", "after U4", "after U5", "after U6")),
    (
        *_forward(POWER, ("after U7", "after U8", "after U9", "after U10", "after U12")),
        _back(POWER, "after restore_predecessor", Back.ENGINE),
    ),
)
"""In parts: a host that starts six sites at once is busy enough."""
