"""What recovery may do: the normal ends of what is in progress, or the release of records that nothing else can end.

Both are closed while anything can still write (`workflow_lifecycle.RECOVERABLE`). What the normal ends can resolve is
never released, and a healthy operation is never stale. Source: `seed 000` 7.4, 7.6; `http.md` 5.4; `site.md` 4.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import UNFINISHED, UNNAMED


class Cancel(StrEnum):
    """Whether B1's own rules let the operation be cancelled now."""

    POSSIBLE = "possible"
    REFUSED = "refused"


class Context(StrEnum):
    """What B6 is. Whom it names is one fact, whether it still holds together another."""

    NONE = "none"
    OF_THE_OPERATION = "of_the_operation"
    """It names the operation that is in progress."""
    ORPHANED = "orphaned"
    UNUSABLE = "unusable"
    """It names an operation, but does not load any more: evidence, not litter."""
    UNREADABLE = "unreadable"


class Offer(StrEnum):
    """Whether safe recovery offers an action."""

    YES = "yes"
    NO = "no"


class Release(StrEnum):
    """Why a record is released, or that it is kept."""

    KEPT = "kept"
    UNREADABLE_STATE = Code.UNREADABLE_STATE
    UNSUPPORTED_TRANSITION_MODE = Code.UNSUPPORTED_TRANSITION_MODE
    WORKFLOW_OWNER_CONFLICT = Code.WORKFLOW_OWNER_CONFLICT
    SETUP_TRANSITION_CONTEXT_MISMATCH = Code.SETUP_TRANSITION_CONTEXT_MISMATCH
    SETUP_TRANSITION_OWNER_UNPROVEN = Code.SETUP_TRANSITION_OWNER_UNPROVEN
    UNUSABLE_UPGRADE_CONTEXT = Code.UNUSABLE_UPGRADE_CONTEXT


@frozen
class InProgress:
    """What B0 and B1 claim, whose the operation is, and whether it can be cancelled."""

    setup: SetupClaim
    transition: TransitionClaim
    ownership: Ownership
    cancel: Cancel


@frozen
class UpgradeLeft:
    """B6 beside what else claims the console."""

    setup: SetupClaim
    transition: TransitionClaim
    context: Context
    cancel: Cancel


@frozen
class OneClaim:
    """B1 alone."""

    transition: TransitionClaim


@frozen
class OneContext:
    """B6 alone."""

    context: Context


OUTSIDE_SETUP: Final = frozenset({TransitionClaim.UPGRADE, TransitionClaim.ALIGN})
NOT_KNOWN: Final = frozenset({TransitionClaim.UNREADABLE, TransitionClaim.UNSUPPORTED})
NAMED: Final = frozenset({Ownership.NONE, Ownership.OWNED})

CANCEL_OPERATION: Final = Table[InProgress, Offer](
    name="offers_transition_cancel",
    asks=InProgress,
    rows=(
        row(Offer.NO, setup=SetupClaim.UNREADABLE),
        row(Offer.YES, transition=OUTSIDE_SETUP, cancel=Cancel.POSSIBLE),
        row(Offer.NO),
    ),
)

# In a conflict the operation is cancelled first; the setup can then be ended like any other.
CLEAN_UP_SETUP: Final = Table[InProgress, Offer](
    name="offers_setup_cleanup",
    asks=InProgress,
    rows=(
        row(Offer.NO, transition=NOT_KNOWN),
        row(Offer.NO, cancel=Cancel.REFUSED),
        row(Offer.YES, setup=UNFINISHED, transition=OUTSIDE_SETUP),
        row(Offer.YES, setup=UNFINISHED, ownership=NAMED),
        # From before there were workflows: no newer setup could be lost.
        row(Offer.YES, setup=SetupClaim.NONE, transition=TransitionClaim.SETUP, ownership=NAMED),
        row(Offer.NO),
    ),
)

CLEAR_CONTEXT: Final = Table[UpgradeLeft, Offer](
    name="offers_upgrade_context_clear",
    asks=UpgradeLeft,
    rows=(
        row(Offer.NO, setup=SetupClaim.UNREADABLE),
        row(Offer.NO, transition=NOT_KNOWN),
        row(Offer.YES, context=Context.ORPHANED),
        row(
            Offer.YES,
            context=Context.OF_THE_OPERATION,
            transition=TransitionClaim.UPGRADE,
            cancel=Cancel.POSSIBLE,
        ),
        row(Offer.NO),
    ),
)

# Where a setup cannot name the operation it is the setup's record that goes: after that the operation can be ended.
RELEASE_SETUP: Final = Table[InProgress, Release](
    name="releases_setup",
    asks=InProgress,
    rows=(
        row(Release.UNREADABLE_STATE, setup=SetupClaim.UNREADABLE),
        row(Release.KEPT, setup=SetupClaim.NONE),
        row(Release.WORKFLOW_OWNER_CONFLICT, transition=OUTSIDE_SETUP, cancel=Cancel.REFUSED),
        row(
            Release.SETUP_TRANSITION_CONTEXT_MISMATCH,
            transition=TransitionClaim.SETUP,
            ownership=Ownership.MISMATCH,
        ),
        row(Release.SETUP_TRANSITION_OWNER_UNPROVEN, transition=TransitionClaim.SETUP, ownership=UNNAMED),
        row(Release.KEPT),
    ),
)

RELEASE_TRANSITION: Final = Table[OneClaim, Release](
    name="releases_transition",
    asks=OneClaim,
    rows=(
        row(Release.UNREADABLE_STATE, transition=TransitionClaim.UNREADABLE),
        row(Release.UNSUPPORTED_TRANSITION_MODE, transition=TransitionClaim.UNSUPPORTED),
        row(Release.KEPT),
    ),
)

RELEASE_CONTEXT: Final = Table[OneContext, Release](
    name="releases_upgrade_context",
    asks=OneContext,
    rows=(
        row(Release.UNREADABLE_STATE, context=Context.UNREADABLE),
        row(Release.UNUSABLE_UPGRADE_CONTEXT, context=Context.UNUSABLE),
        row(Release.KEPT),
    ),
)
