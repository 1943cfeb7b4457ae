"""What one authority's state closes for another: config writes beside an operation, an upgrade beside a Setup.

Source: `seed 000` 3.1, 5.3, 7.5; `site.md` 1.10, 1.16.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.workflow_lifecycle import UNFINISHED, Claims


@frozen
class Pending:
    """What B1 claims."""

    transition: TransitionClaim


class WriteGate(StrEnum):
    """Whether anybody but the operation's own workflow may write the config, or the code that refuses it."""

    OPEN = "open"
    SYSTEM_TRANSITION_IN_PROGRESS = Code.SYSTEM_TRANSITION_IN_PROGRESS


class UpgradeGate(StrEnum):
    """Whether a Guided Upgrade may be looked at and begun, or the code that refuses both phases."""

    OPEN = "open"
    SETUP_ABANDON_REQUIRED = Code.SETUP_ABANDON_REQUIRED
    SETUP_CLEANUP_REQUIRED = Code.SETUP_CLEANUP_REQUIRED
    WORKFLOW_OWNER_CONFLICT = Code.WORKFLOW_OWNER_CONFLICT
    WORKFLOW_OWNER_UNKNOWN = Code.WORKFLOW_OWNER_UNKNOWN
    WORKFLOW_STATE_MALFORMED = Code.WORKFLOW_STATE_MALFORMED


# Neither mode nor age matters: whatever is not over may still read the config that it was begun with. A record that
# cannot be read may claim just that.
WRITE_GATE: Final = Table[Pending, WriteGate](
    name="config_write_gate",
    asks=Pending,
    rows=(
        row(WriteGate.OPEN, transition=TransitionClaim.NONE),
        row(WriteGate.SYSTEM_TRANSITION_IN_PROGRESS),
    ),
)

OUTSIDE_SETUP: Final = frozenset({TransitionClaim.UPGRADE, TransitionClaim.ALIGN})

# A Setup is ended by its owner before an upgrade may begin, also one that has claimed nothing yet. What is already an
# operation of the upgrade, or of an alignment, is no matter of this gate: it is shown, and refused where it is begun.
UPGRADE_GATE: Final = Table[Claims, UpgradeGate](
    name="upgrade_gate",
    asks=Claims,
    rows=(
        row(UpgradeGate.WORKFLOW_STATE_MALFORMED, setup=SetupClaim.UNREADABLE),
        row(UpgradeGate.WORKFLOW_STATE_MALFORMED, transition=TransitionClaim.UNREADABLE),
        row(UpgradeGate.WORKFLOW_OWNER_UNKNOWN, transition=TransitionClaim.UNSUPPORTED),
        row(UpgradeGate.WORKFLOW_OWNER_CONFLICT, setup=UNFINISHED, transition=OUTSIDE_SETUP),
        row(UpgradeGate.SETUP_ABANDON_REQUIRED, setup=SetupClaim.ACTIVE),
        row(
            UpgradeGate.SETUP_CLEANUP_REQUIRED,
            setup={SetupClaim.CLEANUP_PENDING, SetupClaim.REVIEW_REQUIRED},
        ),
        row(UpgradeGate.SETUP_ABANDON_REQUIRED, transition=TransitionClaim.SETUP),
        row(UpgradeGate.OPEN),
    ),
)


def write_refusal(transition: TransitionClaim) -> Refusal | None:
    """Say what stands against a config write from outside the operation."""
    gate = WRITE_GATE.classify(Pending(transition))
    return None if gate is WriteGate.OPEN else Refusal(Code(gate))


def upgrade_refusal(setup: SetupClaim, transition: TransitionClaim) -> Refusal | None:
    """Say what stands against a Guided Upgrade, the same for looking at a build and for beginning."""
    gate = UPGRADE_GATE.classify(Claims(setup, transition))
    return None if gate is UpgradeGate.OPEN else Refusal(Code(gate))
