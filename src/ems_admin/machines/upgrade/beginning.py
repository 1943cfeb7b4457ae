"""Whether an upgrade may begin beside the operation that is on record.

Source: `site.md` 3 (Expiry, begin); `http.md` 5.3 (upgrade/execute).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.alignment.outlook import is_pending
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Mode, Transition


class OnRecord(StrEnum):
    """The operation on record, as an upgrade meets it."""

    NONE = "none"
    """There is none, or it is over."""
    UPGRADE = "upgrade"
    OTHER = "other"


@frozen
class InTheWay:
    """What a new upgrade meets."""

    operation: OnRecord
    expiry: Expiry


class Beginning(StrEnum):
    """Whether it may begin, or the code that refuses it."""

    OPEN = "open"
    ANEW = "anew"
    """The operation of an earlier upgrade has lapsed: it is cancelled, and this one begins in its place."""
    TRANSITION_ACTIVE = Code.TRANSITION_ACTIVE


BESIDE: Final = Table[InTheWay, Beginning](
    name="upgrade_beside",
    asks=InTheWay,
    rows=(
        row(Beginning.OPEN, operation=OnRecord.NONE),
        row(Beginning.ANEW, operation=OnRecord.UPGRADE, expiry=Expiry.EXPIRED),
        row(Beginning.TRANSITION_ACTIVE),
    ),
)


def beginning_beside(transition: Transition | None, expiry: Expiry) -> Beginning:
    """Say whether an upgrade may begin. `expiry` means nothing where there is no operation."""
    if transition is None or not is_pending(transition):
        return BESIDE.classify(InTheWay(OnRecord.NONE, expiry))
    mine = transition.mode is Mode.GUIDED_UPGRADE
    return BESIDE.classify(InTheWay(OnRecord.UPGRADE if mine else OnRecord.OTHER, expiry))
