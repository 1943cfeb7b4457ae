"""Whether an operation may begin beside the one that is on record.

Source: `site.md` 3 (Expiry, begin); `http.md` 5.3 (upgrade/execute, admin-update/execute).
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
    """The operation on record, as a new one meets it."""

    NONE = "none"
    """There is none, or it is over."""
    OWN_KIND = "own_kind"
    OTHER = "other"


@frozen
class InTheWay:
    """What a new operation meets."""

    operation: OnRecord
    expiry: Expiry


class Beginning(StrEnum):
    """Whether it may begin, or the code that refuses it."""

    OPEN = "open"
    ANEW = "anew"
    """One of the same kind has lapsed: it is cancelled, and the new one begins in its place."""
    TRANSITION_ACTIVE = Code.TRANSITION_ACTIVE


BESIDE: Final = Table[InTheWay, Beginning](
    name="operation_beside",
    asks=InTheWay,
    rows=(
        row(Beginning.OPEN, operation=OnRecord.NONE),
        row(Beginning.ANEW, operation=OnRecord.OWN_KIND, expiry=Expiry.EXPIRED),
        row(Beginning.TRANSITION_ACTIVE),
    ),
)


def beginning_beside(transition: Transition | None, expiry: Expiry, *, mode: Mode) -> Beginning:
    """Say whether an operation of `mode` may begin. `expiry` means nothing where there is none on record."""
    if transition is None or not is_pending(transition):
        return BESIDE.classify(InTheWay(OnRecord.NONE, expiry))
    return BESIDE.classify(InTheWay(OnRecord.OWN_KIND if transition.mode is mode else OnRecord.OTHER, expiry))
