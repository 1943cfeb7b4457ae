"""All that an updater may reach while it replaces an Admin, and how its walk can end.

An updater is no Admin: it has three records and one hand. An Admin that finishes the walk of a dead updater composes
the same value over its own records.

Source: `replacement.md` 7.1, 7.4.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ledger import Ledger
from ems_admin.workflows.ports.replacement import Mover
from ems_admin.workflows.ports.running import Clock


class WalkEnd(StrEnum):
    """How a walk ends: always by the updater's own hand, never by being started again."""

    ENDED = "ended"
    """One Admin runs, and B1 says which (U14)."""
    REFUSED = "refused"
    """B1 did not take the claim: nothing was touched."""
    LATE = "late"
    """Nobody waits for this updater: nothing was touched, and nothing noted."""
    UNREADABLE = "unreadable"
    """The run record cannot be read: the Admin of the own label was started if none served."""

    @property
    def exit_code(self) -> int:
        """Give the code of the process: one for the walk that could not find its place."""
        return int(self is WalkEnd.UNREADABLE)


@frozen(kw_only=True, eq=False)
class Updating:
    """One attempt to replace the Admin, and everything that it works on."""

    operation_id: str
    attempt: int
    run: Ledger[Run]
    dispatch: Ledger[Dispatch]
    """Read only: the Admin alone writes it."""
    transition: Ledger[Transition]
    """B1: claimed, and failed in the end; nothing else."""
    mover: Mover
    clock: Clock
    built_at: datetime | None
    """The build date of the program that runs this walk: no honest clock stands before it. `None`: not known."""
