"""Whether a container that is in the way may be cleared, as a person has decided about it.

Source: `site.md` 8 (Conflict object, the one retry); `faults.md` D1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import LiveConflict
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row


class ConflictAction(StrEnum):
    """What is to become of the container."""

    REMOVE_STOPPED_AND_CONTINUE = "remove_stopped_and_continue"
    REPLACE_RUNNING_AND_CONTINUE = "replace_running_and_continue"


class InTheWay(StrEnum):
    """What the container does."""

    STOPPED = "stopped"
    RUNNING = "running"


class Replacement(StrEnum):
    """Whether there is an image to replace it with."""

    HERE = "here"
    MISSING = "missing"


@frozen
class Decision:
    """The container as it is now, and what was decided about it."""

    live: LiveConflict
    action: ConflictAction
    doing: InTheWay
    replacement: Replacement


class Clearing(StrEnum):
    """Whether it is cleared, or the code that says why not."""

    CLEARED = "cleared"
    INSTALL_STATE_UNAVAILABLE = Code.INSTALL_STATE_UNAVAILABLE
    CONTAINER_CONFLICT_CHANGED = Code.CONTAINER_CONFLICT_CHANGED
    CONTAINER_NOT_STOPPED = Code.CONTAINER_NOT_STOPPED
    SELECTED_IMAGE_MISSING = Code.SELECTED_IMAGE_MISSING


REMOVE, REPLACE = ConflictAction.REMOVE_STOPPED_AND_CONTINUE, ConflictAction.REPLACE_RUNNING_AND_CONTINUE

# Looking again comes first: nothing is done to a container that nobody has decided about, or that cannot be seen.
CONFLICT_CLEARING: Final = Table[Decision, Clearing](
    name="container_conflict_clearing",
    asks=Decision,
    rows=(
        row(Clearing.INSTALL_STATE_UNAVAILABLE, live=LiveConflict.UNKNOWN),
        row(Clearing.CONTAINER_CONFLICT_CHANGED, live=LiveConflict.CHANGED),
        row(Clearing.CONTAINER_NOT_STOPPED, action=REMOVE, doing=InTheWay.RUNNING),
        row(Clearing.SELECTED_IMAGE_MISSING, action=REPLACE, replacement=Replacement.MISSING),
        row(Clearing.CLEARED),
    ),
)


def clearing_refusal(decision: Decision) -> Refusal | None:
    """Say what stands against clearing the container; `None` when nothing does."""
    answer = CONFLICT_CLEARING.classify(decision)
    return None if answer is Clearing.CLEARED else Refusal(Code(answer))
