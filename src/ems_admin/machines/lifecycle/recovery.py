"""What safe recovery may do: the normal ends of what is in progress, and nothing else.

It is closed while anything can still write (`workflow_lifecycle.RECOVERABLE`), and beside what cannot be read. What it
can resolve is never released (`release.py`). Source: `seed 000` 7.4, 7.6; `http.md` 5.4; `replacement.md` 7.6.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import UNFINISHED


class Mode(StrEnum):
    """The two ways to recover."""

    SAFE = "safe"
    RELEASE_STALE_STATE = "release_stale_state"


class SafeAction(StrEnum):
    """What safe recovery does, in this order."""

    DISCARD_UNSTARTED_UPDATER = "discard_unstarted_updater"
    TRANSITION_CANCEL = "transition_cancel"
    SETUP_CLEANUP = "setup_cleanup"
    UPGRADE_CONTEXT_CLEAR = "upgrade_context_clear"
    SETTLE_CONFIG_COMMIT = "settle_config_commit"


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


class OpenCommit(StrEnum):
    """How a config commit stands that did not come to its end."""

    NONE = "none"
    PROVABLE = "provable"
    """The next start or write settles it, forward or back."""
    UNPROVABLE = "unprovable"


class Offer(StrEnum):
    """Whether safe recovery offers an action."""

    YES = "yes"
    NO = "no"


class Reach(StrEnum):
    """Whether safe recovery may act at all on what was read: it may, or the detail of its refusal."""

    OPEN = "open"
    WORKFLOW_STATE_MALFORMED = Code.WORKFLOW_STATE_MALFORMED
    WORKFLOW_OWNER_UNKNOWN = Code.WORKFLOW_OWNER_UNKNOWN


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
class UpdaterLeft:
    """The updater that the dispatch record names, beside what B1 claims."""

    transition: TransitionClaim
    updater: Updater


@frozen
class CommitLeft:
    """A config commit that did not come to its end, beside what claims the console."""

    setup: SetupClaim
    transition: TransitionClaim
    commit: OpenCommit


@frozen
class Resolvable:
    """The two records that safe recovery has to understand, and the one thing that it may do without."""

    setup: SetupClaim
    transition: TransitionClaim
    discard: Offer


OUTSIDE_SETUP: Final = frozenset({TransitionClaim.UPGRADE, TransitionClaim.ALIGN})
NOT_KNOWN: Final = frozenset({TransitionClaim.UNREADABLE, TransitionClaim.UNSUPPORTED})
NAMED: Final = frozenset({Ownership.NONE, Ownership.OWNED})
LIVE: Final = OUTSIDE_SETUP | {TransitionClaim.SETUP}

# Whoever cancels an operation removes its updater. This one belongs to an operation that nobody can read any more.
DISCARD_UPDATER: Final = Table[UpdaterLeft, Offer](
    name="offers_discard_unstarted_updater",
    asks=UpdaterLeft,
    rows=(
        row(Offer.NO, transition=LIVE),
        row(Offer.YES, updater=Updater.CREATED),
        row(Offer.NO),
    ),
)

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

# What can be proven is settled by the next start or write; only what nobody can prove waits for a person.
SETTLE_COMMIT: Final = Table[CommitLeft, Offer](
    name="offers_settle_config_commit",
    asks=CommitLeft,
    rows=(
        row(Offer.NO, setup=SetupClaim.UNREADABLE),
        row(Offer.NO, transition=NOT_KNOWN),
        row(Offer.YES, commit=OpenCommit.UNPROVABLE),
        row(Offer.NO),
    ),
)

REACH: Final = Table[Resolvable, Reach](
    name="safe_recovery_reaches",
    asks=Resolvable,
    rows=(
        row(Reach.OPEN, discard=Offer.YES),
        row(Reach.WORKFLOW_STATE_MALFORMED, setup=SetupClaim.UNREADABLE),
        row(Reach.WORKFLOW_STATE_MALFORMED, transition=TransitionClaim.UNREADABLE),
        row(Reach.WORKFLOW_OWNER_UNKNOWN, transition=TransitionClaim.UNSUPPORTED),
        row(Reach.OPEN),
    ),
)
