"""What the two durable records claim of the console: B0 by its status and cleanup, B1 by its mode and stage.

Source: `site.md` 1.11, 3; `seed 000` 7.1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.setup import CleanupState, GuidedSetup, WorkflowStatus
from ems_admin.machines.records.transition import SETUP_MODES, Mode, Stage, Transition


class SetupClaim(StrEnum):
    """What B0 claims. A workflow that has ended and left nothing behind claims nothing."""

    NONE = "none"
    ACTIVE = "active"
    CLEANUP_PENDING = "cleanup_pending"
    REVIEW_REQUIRED = "review_required"
    UNREADABLE = "unreadable"


class TransitionClaim(StrEnum):
    """What B1 claims, by its mode. An operation that is over claims nothing."""

    NONE = "none"
    SETUP = "setup"
    UPGRADE = "upgrade"
    ALIGN = "align"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"


@frozen
class SetupSlots:
    """The two slots of B0 that make its claim."""

    status: WorkflowStatus
    cleanup: CleanupState


@frozen
class TransitionSlots:
    """The two fields of B1 that make its claim."""

    mode: Mode
    stage: Stage


SETUP_CLAIM: Final = Table[SetupSlots, SetupClaim](
    name="setup_claim",
    asks=SetupSlots,
    rows=(
        row(SetupClaim.ACTIVE, status=WorkflowStatus.ACTIVE),
        row(SetupClaim.CLEANUP_PENDING, cleanup=CleanupState.PENDING),
        row(SetupClaim.REVIEW_REQUIRED, cleanup=CleanupState.REVIEW_REQUIRED),
        row(SetupClaim.NONE),
    ),
)

TRANSITION_CLAIM: Final = Table[TransitionSlots, TransitionClaim](
    name="transition_claim",
    asks=TransitionSlots,
    rows=(
        row(TransitionClaim.NONE, stage={Stage.COMPLETED, Stage.CANCELLED}),
        row(TransitionClaim.SETUP, mode=SETUP_MODES),
        row(TransitionClaim.UPGRADE, mode=Mode.GUIDED_UPGRADE),
        row(TransitionClaim.ALIGN, mode=Mode.ALIGN_EXISTING_INSTALL),
    ),
)


def setup_claim(record: GuidedSetup | None) -> SetupClaim:
    """Say what a readable B0, or its absence, claims."""
    if record is None:
        return SetupClaim.NONE
    return SETUP_CLAIM.classify(SetupSlots(record.status, record.cleanup.state))


def transition_claim(record: Transition | Code | None) -> TransitionClaim:
    """Say what B1 claims: a readable one, its absence, or the code of the error in reading it (`site.md` 3)."""
    if record is None:
        return TransitionClaim.NONE
    if isinstance(record, Code):
        return TransitionClaim.UNSUPPORTED if record is Code.UNSUPPORTED_MODE else TransitionClaim.UNREADABLE
    return TRANSITION_CLAIM.classify(TransitionSlots(record.mode, record.stage))
