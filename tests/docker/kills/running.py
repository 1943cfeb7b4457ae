"""Cases side by side on one engine: most of their time is waiting.

Where the engine itself is stopped, or loses its power, that happens to all cases of a group at once: each of them has
a process that is held at its own point.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final

from attrs import asdict

from tests.docker.kills.case import Case, Cut, Ends, Group
from tests.docker.kills.cuts import power_cut, stopped_and_started
from tests.docker.kills.judging import describe, judge
from tests.docker.kills.playing import Play
from tests.docker.kills.site import SideHouse
from tests.docker.kills.witness import Witness, a_witness
from tests.lab.lab import Lab

AT_ONCE: Final = 3
"""Sites at a time: enough to fill two cores while the others wait."""
_numbers: Final = count(1)


CUTS: Final = {Cut.STOPPED: stopped_and_started, Cut.POWER: power_cut}


def play_group(group: Group, lab: Lab, tell: Callable[[str], None]) -> list[str]:
    """Play every case, tell each in a line, and give what is wrong with any of them."""
    with a_witness(lab.engine.socket, time.time()) as witness:
        plays = [_play(case, lab, witness) for case in group.cases]
        with ThreadPoolExecutor(max_workers=AT_ONCE) as hands:
            if group.cut is None:
                return [fault for faults in hands.map(lambda play: _through(play, tell), plays) for fault in faults]
            begun = list(zip(plays, hands.map(_begin, plays), strict=True))
        CUTS[group.cut](lab, [play for play, fault in begun if fault is None])
        with ThreadPoolExecutor(max_workers=len(plays)) as hands:
            ends = hands.map(lambda one: [one[1]] if one[1] else _end(one[0], tell), begun)
            return [fault for faults in ends for fault in faults]


def _play(case: Case, lab: Lab, witness: Witness) -> Play:
    return Play(case=case, house=SideHouse(lab=lab, number=next(_numbers)), witness=witness)


def _through(play: Play, tell: Callable[[str], None]) -> list[str]:
    fault = _begin(play)
    return [fault] if fault else _end(play, tell, meets=True)


def _begin(play: Play) -> str | None:
    try:
        play.begin()
    except BaseException as error:  # noqa: BLE001  # also what pytest raises: the others are played to their end
        fault = _failed(play, error)
        play.house.take_down()
        return fault
    return None


def _end(play: Play, tell: Callable[[str], None], *, meets: bool = False) -> list[str]:
    try:
        if meets:
            play.meet()
        play.come_to_rest()
        verdict = judge(play)
        tell(describe(verdict, play))
        differences = _differences(play.case.ends, verdict.found)
        return [f"{play.case.title}: {fault}" for fault in (*differences, *verdict.complaints)]
    except BaseException as error:  # noqa: BLE001
        return [_failed(play, error)]
    finally:
        play.house.take_down()


def _failed(play: Play, error: BaseException) -> str:
    play.let_go()
    return f"{play.case.title}: {type(error).__name__}: {error}"


def _differences(wanted: Ends, found: Ends) -> Iterator[str]:
    for name, value in asdict(found).items():
        if value != getattr(wanted, name):
            yield f"{name} is {value}, the table says {getattr(wanted, name)}"
