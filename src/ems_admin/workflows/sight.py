"""What can be seen of the replacement of an operation: its last attempt, the walk of that attempt, and its updater.

Read afresh, nothing concluded. Source: `replacement.md` 7.1 (K); `faults.md` D9.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.machines.records.replacement import Attempt, Dispatch, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.attempts import is_open, is_verified, is_walk_of, last, transition_identity
from ems_admin.machines.replacement.reconciling import AS_UPDATER, RESTLESS_FROM, Kept, Promise, Walked
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.replacement import SeenUpdater, UpdaterState

FIRST: Final = 1
KEPT: Final = {
    UpdaterState.ABSENT: Kept.ABSENT,
    UpdaterState.CREATED: Kept.CREATED,
    UpdaterState.RUNNING: Kept.ALIVE,
    UpdaterState.RESTARTING: Kept.ALIVE,
    UpdaterState.EXITED: Kept.EXITED,
    UpdaterState.UNKNOWN: Kept.SILENT,
}


@frozen(kw_only=True)
class Sight:
    """One look at the replacement of one operation."""

    dispatch: Reading[Dispatch]
    promise: Promise
    attempt: Attempt | None
    """The last one of this very operation; `None` when none was begun, or none can be read."""
    number: int
    """By which the updater was looked for."""
    run: Run | None
    """The walk of that attempt."""
    seen: SeenUpdater

    @property
    def kept(self) -> Kept:
        """Say what the engine shows of the updater."""
        return kept(self.seen)

    @property
    def updater(self) -> Updater:
        """Say the same in the words in which B1 asks."""
        return AS_UPDATER[self.kept]

    @property
    def walked(self) -> Walked:
        """Say how far the walk has noted to have come."""
        return Walked.VERIFIED if self.run is not None and is_verified(self.run) else Walked.UNVERIFIED


async def sight(house: House, transition: Transition) -> Sight:
    """Look at the replacement of an operation."""
    dispatch = await house.records.dispatch.read()
    promise, attempt = _promised(dispatch, transition)
    run = await _walk(house, transition, attempt.number if attempt else None)
    # Without a readable promise the walk still names the attempt; without either there can only have been a first one.
    number = attempt.number if attempt else run.attempt if run else FIRST
    return Sight(
        dispatch=dispatch,
        promise=promise,
        attempt=attempt,
        number=number,
        run=run,
        seen=await look(house, transition, number),
    )


async def look(house: House, transition: Transition, number: int) -> SeenUpdater:
    """Look for the updater of one attempt."""
    claimed = transition.admin_update_claimed_at is not None
    return await house.launcher.look(transition.operation_id, number, claimed=claimed)


async def stray_updater(house: House, transition: Reading[Transition], dispatch: Reading[Dispatch]) -> Updater:
    """Look for an updater that no readable operation accounts for: what B1 names is asked for by its own rules.

    Where the dispatch record names none either, an updater that was never started speaks for itself.
    """
    match transition, dispatch:
        case (Present(), _) | (Absent(), Absent()):
            return Updater.INACTIVE
        case _, Present(record=Dispatch(operation_id=operation_id, attempts=(*_, attempt))):
            return AS_UPDATER[kept(await house.launcher.look(operation_id, attempt.number, claimed=False))]
        case _:
            left = await house.launcher.unstarted()
            return Updater.UNKNOWN if left is None else Updater.CREATED if left else Updater.INACTIVE


def kept(seen: SeenUpdater) -> Kept:
    """Tell an updater that lives from one that is only started again and again."""
    state = KEPT[seen.state]
    return Kept.RESTLESS if state is Kept.ALIVE and seen.restarts >= RESTLESS_FROM else state


def _promised(reading: Reading[Dispatch], transition: Transition) -> tuple[Promise, Attempt | None]:
    match reading:
        case Absent():
            return Promise.NONE, None
        case Present(record=record) if record.operation_id == transition.operation_id:
            attempt = last(record)
            if record.transition_identity != transition_identity(transition):
                return Promise.UNPROVABLE, attempt
            return Promise.INTENDED if is_open(attempt) else Promise.SETTLED, attempt
        case _:
            return Promise.UNPROVABLE, None


async def _walk(house: House, transition: Transition, attempt: int | None) -> Run | None:
    reading = await house.records.run.read()
    record = reading.record if isinstance(reading, Present) else None
    return record if record is not None and is_walk_of(record, transition.operation_id, attempt) else None
