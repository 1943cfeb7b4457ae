"""A judge that could not condemn would make every row hold."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.matrix import BY_NUMBER
from ems_admin.machines.composition.row import Operation, Row
from ems_admin.machines.workflow_lifecycle import Owner, State
from tests.matrix.judgement import Played, judge
from tests.matrix.sight import Sight
from tests.workflows.scene import B0, B3, B5, B6, CONFIG

ROW = BY_NUMBER["1"]
BEFORE = Sight(
    owner=Owner.GUIDED_SETUP,
    state=State.ACTIVE,
    operation=Operation.RESOURCES_VERIFIED,
    offers=ROW.then.offers,
    working=False,
    way_out=True,
    files={B0: b"0", B3: b"3", B5: b"5", B6: b"6", CONFIG: b"config"},
)
HELD = Played(before=BEFORE, told=(Code.SYSTEM_TRANSITION_IN_PROGRESS,), after=BEFORE, again=BEFORE)


def changed(sight: Sight, name: str, data: bytes | None) -> Sight:
    files = {**sight.files, name: data} if data is not None else {n: d for n, d in sight.files.items() if n != name}
    return evolve(sight, files=files)


def test_what_holds_is_let_pass() -> None:
    judge(ROW, HELD)


@pytest.mark.parametrize(
    "played",
    [
        evolve(HELD, told=()),
        evolve(HELD, told=(Code.CONFLICT,)),
        evolve(HELD, before=evolve(BEFORE, owner=Owner.NONE)),
        evolve(HELD, after=evolve(BEFORE, owner=Owner.NONE)),
        evolve(HELD, after=evolve(BEFORE, state=State.IDLE)),
        evolve(HELD, after=evolve(BEFORE, operation=Operation.CANCELLED)),
        evolve(HELD, after=evolve(BEFORE, offers=frozenset())),
        evolve(HELD, after=evolve(BEFORE, way_out=False)),
        evolve(HELD, after=changed(BEFORE, CONFIG, b"other")),
        evolve(HELD, after=changed(BEFORE, B5, b"other")),
        evolve(HELD, after=changed(BEFORE, B3, None)),
        evolve(HELD, after=changed(BEFORE, B6, None)),
        evolve(HELD, after=changed(BEFORE, B0, b"other")),
        evolve(HELD, again=changed(BEFORE, B0, b"other")),
        evolve(HELD, again=evolve(BEFORE, owner=Owner.UNKNOWN)),
        evolve(HELD, again=evolve(BEFORE, operation=Operation.NONE)),
        evolve(HELD, again=evolve(BEFORE, state=State.MALFORMED)),
    ],
)
def test_every_lie_is_found(played: Played) -> None:
    """`seed 000` 3."""
    with pytest.raises(AssertionError):
        judge(ROW, played)


def removing() -> tuple[Row, Played]:
    """Row 16a: the context of the upgrade goes, everything else stays."""
    row = BY_NUMBER["16a"]
    before = evolve(BEFORE, owner=row.owners[0], state=row.states[0], operation=row.operations[0])
    after = evolve(
        changed(before, B6, None),
        owner=row.owners[1],
        state=row.states[1],
        operation=row.operations[1],
        offers=frozenset({"start_setup"}),
    )
    return row, Played(before=before, told=(), after=after, again=after)


def test_an_end_that_takes_too_much_or_too_little_is_found() -> None:
    """`seed 000` 3."""
    row, played = removing()
    judge(row, played)
    kept = changed(played.after, B6, b"6")
    taken = changed(played.after, B3, None)
    offered = evolve(played.after, offers=frozenset({"start_setup", "cancel"}))
    for wrong in (kept, taken, offered):
        with pytest.raises(AssertionError):
            judge(row, evolve(played, after=wrong, again=wrong))
