"""What became of a create or a start of an updater that the engine did not confirm: settled by looking, never guessed.

Source: `replacement.md` 7.3 (R3, R4); `faults.md` F31, F32, F35.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.replacement.reconciling import Kept


class Blame(StrEnum):
    """What the engine gave as the reason."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    """It could not look at who is in the way."""


class Starts(StrEnum):
    """Whether the updater may be started once more."""

    LEFT = "left"
    SPENT = "spent"


class Verdict(StrEnum):
    """What is done about it."""

    LAUNCHED = "launched"
    """It runs, or has run."""
    START = "start"
    """It was created and never started: it is started, as often as it may be."""
    REMOVE = "remove"
    """It will not start: it is removed without force, and then it has failed."""
    FAILED = "failed"
    """Proven not to be there."""
    STAYS_INTENDED = "stays_intended"
    """Nobody can say: the reconciler asks again."""


@frozen
class Unconfirmed:
    """An act on an updater that the engine did not confirm, and what looking shows."""

    updater: Kept
    blame: Blame
    starts: Starts


LAUNCH: Final = Table[Unconfirmed, Verdict](
    name="launch",
    asks=Unconfirmed,
    rows=(
        row(Verdict.LAUNCHED, updater={Kept.ALIVE, Kept.RESTLESS, Kept.EXITED}),
        row(Verdict.STAYS_INTENDED, updater=Kept.SILENT),
        row(Verdict.STAYS_INTENDED, updater=Kept.ABSENT, blame=Blame.UNKNOWN),
        row(Verdict.FAILED, updater=Kept.ABSENT),
        row(Verdict.START, starts=Starts.LEFT),
        row(Verdict.REMOVE),
    ),
)
