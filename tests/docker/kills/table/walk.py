"""The updater dies at every step of its walk forward, and back. Source: `replacement.md` 7.4."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from tests.docker.kills.acts import fails, last_words_are_told, remove_updater, start_the_one_aside
from tests.docker.kills.case import FOR_EVER, Back, Case, Does, Ends, new, old
from tests.docker.kills.points import WALKED, WALKED_BACK, in_a_row

RUNS_ALREADY: Final = frozenset({"during U8", "after U8", "during U9", "after U9"})
ENTERED_ONCE: Final = frozenset({"before U1"})
"""Before its first note an entry is not counted."""
ONWARD: Final = ("after U10", "after U11", "after U12", "during U13", "after U13", "during U14", "after U14")
"""From there on the walk may be entered as often as it takes."""


def _ends(title: str) -> Ends:
    back = Back.NOBODY if title in RUNS_ALREADY else Back.UPDATER
    return new(back=back, entries=1 if title in ENTERED_ONCE else 2)


FORWARD: Final = (
    *(
        Case(title=f"SIGKILL {title}", who="the updater", point=WALKED[title], ends=_ends(title))
        for title in WALKED
        if title not in ONWARD
    ),
    Case(
        title=f"SIGKILL {', '.join(ONWARD)}, in one replacement",
        who="the updater, seven times",
        # One that is over is not counted as entered, and the last one is started by nobody.
        ends=new(back=Back.NOBODY, entries=6),
        **in_a_row(WALKED, ONWARD),
    ),
)

BACK: Final = (
    Case(
        title="SIGKILL on the way back, after each of its steps and in the middle of two, in one replacement",
        who="the updater, nine times",
        target="dying",
        ends=old(Code.REPLACEMENT_START_FAILED, entries=8),
        **in_a_row(WALKED_BACK, tuple(WALKED_BACK)),
    ),
    *(
        Case(
            title=f"SIGKILL on the way back, {title}",
            who="the updater",
            target="dying",
            point=WALKED_BACK[title],
            ends=old(Code.REPLACEMENT_START_FAILED, back=back, entries=2),
        )
        for title, back in (("after remove_successor", Back.UPDATER), ("during restore_predecessor", Back.NOBODY))
    ),
)

ROLLBACK: Final = (
    Case(
        title="the new Admin is unhealthy",
        who="nobody",
        target="unhealthy",
        point=WALKED["during U8"],
        does=Does.HOLD,
        ends=old(Code.HEALTHCHECK_FAILED),
    ),
    Case(
        title="the new Admin ends at once, three times",
        who="the new Admin",
        target="dying",
        point=WALKED["after U7"],
        does=Does.HOLD,
        then=(fails, last_words_are_told("this build dies when it is to serve", exit_code=1)),
        ends=old(Code.REPLACEMENT_START_FAILED),
    ),
    Case(
        title="SIGKILL before U10, twice: the third entry goes back",
        who="the updater",
        point=WALKED["after U9"],
        burns=2,
        ends=old(Code.REPLACEMENT_UPDATER_FAILED, entries=3),
    ),
    Case(
        title="SIGKILL before U1, again and again",
        who="the updater",
        point=WALKED["before U1"],
        burns=FOR_EVER,
        ends=old(Code.REPLACEMENT_UPDATER_FAILED, back=Back.NOBODY, walk=None, entries=None, exit_noted=True),
        soon=True,
    ),
    Case(
        title="removed by hand before its claim",
        who="the updater",
        point=WALKED["before U1"],
        does=Does.HOLD,
        there=(remove_updater,),
        ends=old(Code.REPLACEMENT_UPDATER_FAILED, back=Back.NOBODY, walk=None, entries=None),
        soon=True,
    ),
    Case(
        title="removed by hand after U4",
        who="the updater",
        point=WALKED["after U4"],
        does=Does.HOLD,
        there=(remove_updater,),
        ends=old(Code.REPLACEMENT_UPDATER_FAILED, back=Back.NOBODY),
    ),
    Case(
        title="removed by hand after U7; an operator starts the Admin that was set aside",
        who="the updater",
        point=WALKED["after U7"],
        does=Does.HOLD,
        there=(remove_updater, start_the_one_aside),
        ends=old(Code.REPLACEMENT_UPDATER_FAILED, back=Back.OPERATOR),
    ),
)
