"""Whether the Admin needs an update, whether a build may bring it, and whether the EMS that stays can be told apart.

Source: `http.md` 5.3 (admin-update/plan); `site.md` 4 (B7, reason), 9; `faults.md` F52.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.ending import RunningBuild
from ems_admin.machines.alignment.matching import Match
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row
from ems_admin.machines.records.upgrade import AdminUpdateReason
from ems_admin.machines.values.tags import Direction


class Known(StrEnum):
    """Whether something is known."""

    YES = "yes"
    NO = "no"


@frozen
class Running:
    """The Admin that answers, beside the one of the target."""

    identity: Known
    """Its own build, as it says itself."""
    digest: Match


class Need(StrEnum):
    """Why an update is called for, in the words of B7, or that none is."""

    NONE = "none"
    DIGEST_CHANGED = AdminUpdateReason.DIGEST_CHANGED
    DIGEST_UNKNOWN = AdminUpdateReason.DIGEST_UNKNOWN
    CURRENT_IDENTITY_UNKNOWN = AdminUpdateReason.CURRENT_IDENTITY_UNKNOWN


# The very same bytes are never brought again, whatever they say of themselves.
NEED: Final = Table[Running, Need](
    name="admin_update_need",
    asks=Running,
    rows=(
        row(Need.CURRENT_IDENTITY_UNKNOWN, identity=Known.NO),
        row(Need.NONE, digest=Match.SAME),
        row(Need.DIGEST_UNKNOWN, digest=Match.UNKNOWN),
        row(Need.DIGEST_CHANGED),
    ),
)


@frozen
class Bound:
    """Where an Admin update would lead, and what stays where it is."""

    where: Direction
    """Of the target, seen from the Admin that runs."""
    noted: Known
    """There is a known-good build, so that the EMS that runs has a name."""
    ems: RunningBuild


class UpdateGate(StrEnum):
    """Whether the Admin alone may go there, or the code that closes it."""

    OPEN = "open"
    UPGRADE_NOT_FORWARD = Code.UPGRADE_NOT_FORWARD
    KNOWN_GOOD_UNAVAILABLE = Code.KNOWN_GOOD_UNAVAILABLE
    INSTALL_STATE_UNAVAILABLE = Code.INSTALL_STATE_UNAVAILABLE
    RUNNING_EMS_UNVERIFIABLE = Code.RUNNING_EMS_UNVERIFIABLE
    KNOWN_GOOD_MISMATCH = Code.KNOWN_GOOD_MISMATCH


# Never back: that is the return to the running build, an act of its own. The same tag with other bytes is brought
# again. The EMS is looked at before its Admin is taken away: an update that could only end in a failed health check,
# of an EMS that nobody can name, is not begun.
UPDATE_GATE: Final = Table[Bound, UpdateGate](
    name="admin_update_gate",
    asks=Bound,
    rows=(
        row(UpdateGate.UPGRADE_NOT_FORWARD, where={Direction.OLDER, Direction.UNCOMPARABLE}),
        row(UpdateGate.KNOWN_GOOD_UNAVAILABLE, noted=Known.NO),
        row(UpdateGate.INSTALL_STATE_UNAVAILABLE, ems=RunningBuild.UNKNOWN),
        row(UpdateGate.RUNNING_EMS_UNVERIFIABLE, ems=RunningBuild.UNVERIFIABLE),
        row(UpdateGate.KNOWN_GOOD_MISMATCH, ems=RunningBuild.OTHER),
        row(UpdateGate.OPEN),
    ),
)


def reason_of(running: Running) -> AdminUpdateReason | None:
    """Say why an update is called for; `None` when none is."""
    need = NEED.classify(running)
    return None if need is Need.NONE else AdminUpdateReason(need)


def update_refusal(bound: Bound) -> Refusal | None:
    """Say what closes the way; `None` when it is open."""
    gate = UPDATE_GATE.classify(bound)
    if gate is UpdateGate.OPEN:
        return None
    detail = bound.where if gate is UpdateGate.UPGRADE_NOT_FORWARD else None
    return Refusal(Code(gate), detail=detail)
