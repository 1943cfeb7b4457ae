"""The old Admin dies at every numbered point of the dispatch. Source: `replacement.md` 7.3, 7.5."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.replacement import Outcome
from tests.docker.kills.acts import dies_again, resume, waits_for_resume
from tests.docker.kills.case import Back, Case, new
from tests.docker.kills.points import DISPATCHED, in_a_row

FOUR: Final = ("before R1", "after R1", "during R3", "during R4")
NOBODY_NOTES: Final = frozenset({"after R4"})
"""The updater runs, and by the time that somebody may note it the new Admin is there."""

DISPATCH: Final = (
    Case(
        title=f"SIGKILL {', '.join(FOUR)}, in one replacement; twice an operator goes on",
        who="the old Admin, four times",
        # Until R2 nothing was started: the job is lost and the operation is not.
        then=(waits_for_resume, resume, dies_again, resume),
        ends=new(back=Back.ENGINE, outcome=Outcome.INTENDED),
        quick=False,
        **in_a_row(DISPATCHED, FOUR),
    ),
    *(
        Case(
            title=f"SIGKILL {title}",
            who="the old Admin",
            point=DISPATCHED[title],
            ends=new(back=Back.ENGINE, outcome=Outcome.INTENDED if title in NOBODY_NOTES else Outcome.LAUNCHED),
        )
        for title in ("after R2", "after R3", "after R4", "after R5")
    ),
)
