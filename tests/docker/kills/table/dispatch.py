"""The old Admin dies at every numbered point of the dispatch. Source: `replacement.md` 7.3, 7.5."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.replacement import Outcome
from tests.docker.kills.acts import resume, waits_for_resume
from tests.docker.kills.case import Back, Case, Ends, new
from tests.docker.kills.points import DISPATCHED

BY_HAND: Final = {"before R1": (waits_for_resume, resume), "after R1": (waits_for_resume, resume)}
"""Nothing was started yet: the job is lost and the operation is not. An operator goes on with it."""
NOBODY_NOTES: Final = frozenset({"during R4", "after R4"})
"""The updater runs, and by the time that somebody may note it the new Admin is there."""


def _ends(title: str) -> Ends:
    return new(back=Back.ENGINE, outcome=Outcome.INTENDED if title in NOBODY_NOTES else Outcome.LAUNCHED)


DISPATCH: Final = tuple(
    Case(title=f"SIGKILL {title}", who="the old Admin", point=point, then=BY_HAND.get(title, ()), ends=_ends(title))
    for title, point in DISPATCHED.items()
)
