"""What is asked of every row beside its own claims (seed 000 3, 5: I2, I4, I5, I6)."""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.row import Artifacts, KnownGood, LiveConfig, Row, Verdict
from tests.matrix.sight import EMS, Sight
from tests.workflows.scene import B0, B1, B6

MOVING = {Code.STALE_SETUP_CONFIG: {B0}}
"""Refusals that change a record, and which one: a stale apply takes the preview back."""


@frozen(kw_only=True)
class Played:
    """A row as it was executed."""

    before: Sight
    told: tuple[Code, ...]
    """The codes that were met, in order."""
    after: Sight
    again: Sight
    """The same site, read by a process that has just started and done nothing yet."""


def judge(row: Row, played: Played) -> None:
    """Hold what happened against what the row declares."""
    before, after = played.before, played.after
    assert (before.owner, before.state, before.operation) == (row.owners[0], row.states[0], row.operations[0])
    assert played.told == row.then.codes
    assert (after.owner, after.state, after.operation) == (row.owners[1], row.states[1], row.operations[1])
    assert row.then.offers <= after.offers, f"not offered: {sorted(row.then.offers - after.offers)}"
    assert not row.then.withholds & after.offers, f"offered: {sorted(row.then.withholds & after.offers)}"
    the_config_is_left_alone(row, before, after)
    the_files_are_as_declared(row, before, after)
    a_refusal_changes_nothing(row, before, after)
    recovery_is_reachable(row, after)
    a_start_reads_the_same(after, played.again)


def the_config_is_left_alone(row: Row, before: Sight, after: Sight) -> None:
    """I2: neither the live config nor the EMS that runs with it is anybody's to change on the way."""
    if row.then.live_config is LiveConfig.UNTOUCHED:
        assert {name: before.files.get(name) for name in EMS} == {name: after.files.get(name) for name in EMS}
    if row.then.known_good is KnownGood.UNTOUCHED:
        assert after.known_good == before.known_good
    else:
        assert after.known_good not in (None, before.known_good)


def the_files_are_as_declared(row: Row, before: Sight, after: Sight) -> None:
    """I1, I2: what a workflow has written is kept for it, or goes with it."""
    match row.then.artifacts:
        case Artifacts.KEPT:
            assert after.setup_files == before.setup_files
            assert after.context == before.context
        case Artifacts.REMOVED:
            assert before.setup_files
            assert not after.setup_files
        case Artifacts.CONTEXT_CLEARED:
            assert after.setup_files == before.setup_files
            assert before.context is not None
            assert after.context is None
        case Artifacts.SOME_LEFT:
            left = set(after.setup_files)
            assert left
            assert left < set(before.setup_files)


def a_refusal_changes_nothing(row: Row, before: Sight, after: Sight) -> None:
    if row.then.verdict is not Verdict.REFUSED:
        return
    may_move = {name for code in row.then.codes for name in MOVING.get(code, ())}
    changed = {name for name in {*before.files, *after.files} if before.files.get(name) != after.files.get(name)}
    assert changed <= may_move


def recovery_is_reachable(row: Row, after: Sight) -> None:
    """I4: also where the row needs none, nothing is a dead end."""
    assert after.way_out, f"row {row.number} is a dead end"


def a_start_reads_the_same(after: Sight, again: Sight) -> None:
    """I6: what only lived in the process is gone, and nothing is read into the records that was not there."""
    assert {name: again.files.get(name) for name in (B0, B1, B6)} == {
        name: after.files.get(name) for name in (B0, B1, B6)
    }
    assert (again.owner, again.operation) == (after.owner, after.operation)
    assert again.live_config == after.live_config
    assert again.setup_files == after.setup_files
    if not after.working:
        assert again.state == after.state
