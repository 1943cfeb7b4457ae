"""By whom an operation may be ended, and whether the way back to the running build is open.

Both are tables over what a reading shows, asked before anything is durable, and again where the act is carried out.

Source: `http.md` 5.3 (cancel, return-to-running-build); `seed 000` 3 rows 16b, 16c, 18a, 18b, 5.6; `faults.md` D1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row
from ems_admin.machines.records.transition import SETUP_MODES, Stage, Transition
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import UNNAMED, Owner


class Purpose(StrEnum):
    """What an operation is for. A Setup has an owner that names it; the others are their own."""

    NONE = "none"
    """There is no operation."""
    SETUP = "setup"
    OTHER = "other"


class EndedBy(StrEnum):
    """Which command ends an operation."""

    CANCEL = "cancel"
    ABANDON = "abandon"
    NOBODY = "nobody"
    """It is not clear whose it is: recovery alone may."""


@frozen
class Owned:
    """Whose the console is, and what the operation on record is for."""

    owner: Owner
    purpose: Purpose


# A contradiction or an unreadable record comes first: whoever ends one side of it may end the wrong one.
ENDED_BY: Final = Table[Owned, EndedBy](
    name="operation_ended_by",
    asks=Owned,
    rows=(
        row(EndedBy.NOBODY, owner={Owner.UNKNOWN, Owner.CONFLICT}),
        row(EndedBy.ABANDON, purpose=Purpose.SETUP),
        row(EndedBy.CANCEL),
    ),
)


@frozen
class WayOut:
    """By which command the operation is ended, and whether the Setup that would have to name it does."""

    by: EndedBy
    ownership: Ownership


# A way out that would be refused is none: a Setup that cannot name the operation leaves it to recovery.
WAY_OUT: Final = Table[WayOut, EndedBy](
    name="operation_way_out",
    asks=WayOut,
    rows=(
        row(EndedBy.NOBODY, by=EndedBy.ABANDON, ownership=UNNAMED),
        row(EndedBy.ABANDON, by=EndedBy.ABANDON),
        row(EndedBy.CANCEL, by=EndedBy.CANCEL),
        row(EndedBy.NOBODY),
    ),
)

CANCEL_REFUSALS: Final[dict[EndedBy, Refusal | None]] = {
    EndedBy.CANCEL: None,
    EndedBy.ABANDON: Refusal(
        Code.SETUP_ABANDON_REQUIRED, rule="An operation of a Setup ends with its workflow, which owns it."
    ),
    EndedBy.NOBODY: Refusal(
        Code.TRANSITION_CANCEL_UNSUPPORTED, rule="It can be read, without contradiction, whose the operation is."
    ),
}


class Standing(StrEnum):
    """Whether an operation is one that can be returned from."""

    FAILED = "failed"
    UNDER_WAY = "under_way"
    OVER = "over"


class Good(StrEnum):
    """What is left of the build that last worked here."""

    COMPLETE = "complete"
    NONE = "none"
    GONE = "gone"
    """It is on record, and its image or program tree is not here."""


class RunningBuild(StrEnum):
    """Which EMS runs, held against the build that last worked here."""

    KNOWN_GOOD = "known_good"
    OTHER = "other"
    """Another one, or none at all."""
    UNVERIFIABLE = "unverifiable"
    """Something runs that cannot be identified."""
    UNKNOWN = "unknown"
    """The engine could not be asked."""


class RunningAdmin(StrEnum):
    """Whether the Admin that answers belongs to the build that last worked here."""

    MATCHES = "matches"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


@frozen
class WayBack:
    """Everything that the way back depends on."""

    purpose: Purpose
    standing: Standing
    good: Good
    ems: RunningBuild
    admin: RunningAdmin


class Return(StrEnum):
    """Whether the way back is open, or the code that closes it."""

    OPEN = "open"
    NO_TRANSITION = Code.NO_TRANSITION
    SETUP_RETURN_UNSUPPORTED = Code.SETUP_RETURN_UNSUPPORTED
    NOT_RESUMABLE = Code.NOT_RESUMABLE
    INVALID_TRANSITION = Code.INVALID_TRANSITION
    KNOWN_GOOD_UNAVAILABLE = Code.KNOWN_GOOD_UNAVAILABLE
    INSTALL_STATE_UNAVAILABLE = Code.INSTALL_STATE_UNAVAILABLE
    RUNNING_EMS_UNVERIFIABLE = Code.RUNNING_EMS_UNVERIFIABLE
    KNOWN_GOOD_MISMATCH = Code.KNOWN_GOOD_MISMATCH
    ADMIN_UNVERIFIABLE = Code.ADMIN_UNVERIFIABLE
    ADMIN_ALREADY_MATCHES_RUNNING_EMS = Code.ADMIN_ALREADY_MATCHES_RUNNING_EMS


# A Setup comes first, before anything is asked: the operation that would follow could name no owner. What the engine
# says is the permission here, so its silence closes the way.
RETURN: Final = Table[WayBack, Return](
    name="return_to_running_build",
    asks=WayBack,
    rows=(
        row(Return.NO_TRANSITION, purpose=Purpose.NONE),
        row(Return.SETUP_RETURN_UNSUPPORTED, purpose=Purpose.SETUP),
        row(Return.NOT_RESUMABLE, standing=Standing.OVER),
        row(Return.INVALID_TRANSITION, standing=Standing.UNDER_WAY),
        row(Return.KNOWN_GOOD_UNAVAILABLE, good={Good.NONE, Good.GONE}),
        row(Return.INSTALL_STATE_UNAVAILABLE, ems=RunningBuild.UNKNOWN),
        row(Return.RUNNING_EMS_UNVERIFIABLE, ems=RunningBuild.UNVERIFIABLE),
        row(Return.KNOWN_GOOD_MISMATCH, ems=RunningBuild.OTHER),
        row(Return.ADMIN_UNVERIFIABLE, admin=RunningAdmin.UNKNOWN),
        row(Return.ADMIN_ALREADY_MATCHES_RUNNING_EMS, admin=RunningAdmin.MATCHES),
        row(Return.OPEN),
    ),
)

STANDINGS: Final = {
    Stage.FAILED_RECOVERABLE: Standing.FAILED,
    Stage.COMPLETED: Standing.OVER,
    Stage.CANCELLED: Standing.OVER,
}


def purpose_of(transition: Transition | None) -> Purpose:
    """Say what the operation on record is for, also when it is over."""
    if transition is None:
        return Purpose.NONE
    return Purpose.SETUP if transition.mode in SETUP_MODES else Purpose.OTHER


def standing_of(transition: Transition) -> Standing:
    """Say whether an operation has failed, goes on, or is over."""
    return STANDINGS.get(transition.stage, Standing.UNDER_WAY)


def cancel_refusal(owner: Owner, transition: Transition | None) -> Refusal | None:
    """Say what stands against cancelling here, before the operation itself is asked; `None` when nothing does."""
    return CANCEL_REFUSALS[ENDED_BY.classify(Owned(owner, purpose_of(transition)))]


def way_out(owner: Owner, ownership: Ownership, transition: Transition) -> EndedBy:
    """Say which command a person is offered to end the operation with."""
    return WAY_OUT.classify(WayOut(ENDED_BY.classify(Owned(owner, purpose_of(transition))), ownership))


def return_refusal(way: WayBack) -> Refusal | None:
    """Say what closes the way back; `None` when it is open."""
    answer = RETURN.classify(way)
    return None if answer is Return.OPEN else Refusal(Code(answer))
