"""Who owns the console, in which state it is, and what stands against a switch: read from the records, stored nowhere.

The tables stand on each other: two records make claims, the claims make an owner, the owner is a column of the state,
and owner and state say what blocks a switch and whether recovery has anything to do.
Source: `site.md` 1.10, 1.11, 2; `seed 000` 7.1, 7.3.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.setup.facts import Ownership


class Running(StrEnum):
    """Whether anything can still write. When both are true, the Setup mutation is named: it ends first."""

    NOTHING = "nothing"
    SETUP_MUTATION = "setup_mutation"
    BEYOND_CANCEL = "beyond_cancel"
    """B1 is not over, and cannot be cancelled now: its stage, a live worker or its updater forbids it."""


class Leftover(StrEnum):
    """Whether a record lies about that only recovery clears: an orphaned B6, an unstarted updater, a config intent."""

    NONE = "none"
    SOME = "some"


class Owner(StrEnum):
    """Who may act."""

    UNKNOWN = "unknown"
    CONFLICT = "conflict"
    GUIDED_SETUP = "guided_setup"
    GUIDED_UPGRADE = "guided_upgrade"
    ALIGN_EXISTING_INSTALL = "align_existing_install"
    NONE = "none"


class State(StrEnum):
    """What the owner is busy with, or kept from."""

    OPERATION_RUNNING = "operation_running"
    MALFORMED = "malformed"
    CONFLICT = "conflict"
    CLEANUP_PENDING = "cleanup_pending"
    REVIEW_REQUIRED = "review_required"
    IDLE = "idle"
    ACTIVE = "active"


class Blocking(StrEnum):
    """What stands against a switch: nothing, or the code that refuses it."""

    NOTHING = "nothing"
    SETUP_OPERATION_IN_PROGRESS = Code.SETUP_OPERATION_IN_PROGRESS
    WORKFLOW_OPERATION_IN_PROGRESS = Code.WORKFLOW_OPERATION_IN_PROGRESS
    WORKFLOW_STATE_MALFORMED = Code.WORKFLOW_STATE_MALFORMED
    WORKFLOW_OWNER_CONFLICT = Code.WORKFLOW_OWNER_CONFLICT
    WORKFLOW_RECOVERY_REQUIRED = Code.WORKFLOW_RECOVERY_REQUIRED
    WORKFLOW_OWNER_UNKNOWN = Code.WORKFLOW_OWNER_UNKNOWN
    WORKFLOW_SWITCH_BLOCKED = Code.WORKFLOW_SWITCH_BLOCKED


class Recoverable(StrEnum):
    """Whether recovery, safe or by release, has anything to do."""

    YES = "yes"
    NO = "no"


@frozen
class Claims:
    """What the two durable records say."""

    setup: SetupClaim
    transition: TransitionClaim


@frozen
class Console:
    """The claims, what they make of the owner, and whether anything is at work."""

    running: Running
    setup: SetupClaim
    transition: TransitionClaim
    owner: Owner


@frozen
class Standing:
    """What a switch depends on."""

    running: Running
    state: State
    owner: Owner
    ownership: Ownership
    """Whether the Setup can name the operation that it would have to cancel."""


@frozen
class Trouble:
    """What recovery depends on."""

    state: State
    owner: Owner
    leftover: Leftover


UNFINISHED: Final = frozenset({SetupClaim.ACTIVE, SetupClaim.CLEANUP_PENDING, SetupClaim.REVIEW_REQUIRED})

# A record that cannot be read comes first: it might claim anything. A contradiction comes before either side of it.
OWNER: Final = Table[Claims, Owner](
    name="console_owner",
    asks=Claims,
    rows=(
        row(Owner.UNKNOWN, setup=SetupClaim.UNREADABLE),
        row(Owner.UNKNOWN, transition={TransitionClaim.UNSUPPORTED, TransitionClaim.UNREADABLE}),
        row(Owner.CONFLICT, setup=UNFINISHED, transition={TransitionClaim.UPGRADE, TransitionClaim.ALIGN}),
        row(Owner.GUIDED_SETUP, transition=TransitionClaim.SETUP),
        row(Owner.GUIDED_UPGRADE, transition=TransitionClaim.UPGRADE),
        row(Owner.ALIGN_EXISTING_INSTALL, transition=TransitionClaim.ALIGN),
        row(Owner.GUIDED_SETUP, setup=UNFINISHED),
        row(Owner.NONE),
    ),
)

# Running work outranks a corrupt record: recovery stays closed while anything can still write.
STATE: Final = Table[Console, State](
    name="console_state",
    asks=Console,
    rows=(
        row(State.OPERATION_RUNNING, running={Running.SETUP_MUTATION, Running.BEYOND_CANCEL}),
        row(State.MALFORMED, setup=SetupClaim.UNREADABLE),
        row(State.MALFORMED, transition=TransitionClaim.UNREADABLE),
        row(State.CONFLICT, owner=Owner.CONFLICT),
        row(State.CLEANUP_PENDING, setup=SetupClaim.CLEANUP_PENDING),
        row(State.REVIEW_REQUIRED, setup=SetupClaim.REVIEW_REQUIRED),
        row(State.IDLE, owner=Owner.NONE),
        row(State.ACTIVE),
    ),
)

UNNAMED: Final = frozenset({Ownership.UNPROVEN, Ownership.MISMATCH, Ownership.UNREADABLE})

BLOCKING: Final = Table[Standing, Blocking](
    name="switch_blocked_by",
    asks=Standing,
    rows=(
        row(Blocking.SETUP_OPERATION_IN_PROGRESS, running=Running.SETUP_MUTATION),
        row(Blocking.WORKFLOW_OPERATION_IN_PROGRESS, running=Running.BEYOND_CANCEL),
        row(Blocking.WORKFLOW_STATE_MALFORMED, state=State.MALFORMED),
        row(Blocking.WORKFLOW_OWNER_CONFLICT, owner=Owner.CONFLICT),
        row(Blocking.WORKFLOW_RECOVERY_REQUIRED, state={State.CLEANUP_PENDING, State.REVIEW_REQUIRED}),
        row(Blocking.WORKFLOW_OWNER_UNKNOWN, owner={Owner.UNKNOWN, Owner.ALIGN_EXISTING_INSTALL}),
        row(Blocking.WORKFLOW_SWITCH_BLOCKED, owner=Owner.GUIDED_SETUP, ownership=UNNAMED),
        row(Blocking.NOTHING),
    ),
)

RECOVERABLE: Final = Table[Trouble, Recoverable](
    name="recoverable",
    asks=Trouble,
    rows=(
        row(Recoverable.NO, state=State.OPERATION_RUNNING),
        row(Recoverable.YES, leftover=Leftover.SOME),
        row(Recoverable.NO, owner=Owner.NONE),
        row(Recoverable.YES),
    ),
)


@frozen(kw_only=True)
class LifecycleFacts:
    """Everything that the view is read from."""

    setup: SetupClaim
    transition: TransitionClaim
    running: Running
    ownership: Ownership
    """B0's verdict on the live transition; `NONE` without a B0: no newer workflow could be lost then."""
    leftover: Leftover


@frozen(kw_only=True)
class Lifecycle:
    """The verdict. `blocking_reason` refuses a switch; `None` means that one is possible."""

    owner: Owner
    state: State
    blocking_reason: Code | None
    recoverable: bool

    @property
    def switchable(self) -> bool:
        """Say whether nothing stands against a switch."""
        return self.blocking_reason is None

    @property
    def may_write(self) -> bool:
        """Say whether anything can still write: then nothing is recovered, whatever else is corrupt."""
        return self.state is State.OPERATION_RUNNING


def read(facts: LifecycleFacts) -> Lifecycle:
    """Give the one reading of the console that every route, tab and gate goes by."""
    owner = OWNER.classify(Claims(facts.setup, facts.transition))
    state = STATE.classify(Console(facts.running, facts.setup, facts.transition, owner))
    blocking = BLOCKING.classify(Standing(facts.running, state, owner, facts.ownership))
    recoverable = RECOVERABLE.classify(Trouble(state, owner, facts.leftover))
    return Lifecycle(
        owner=owner,
        state=state,
        blocking_reason=None if blocking is Blocking.NOTHING else Code(blocking),
        recoverable=recoverable is Recoverable.YES,
    )
