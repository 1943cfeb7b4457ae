"""One row of the matrix: where one stands, what is done, and what it comes to for every authority at once.

A machine says what moves it. A row says what the others do meanwhile: whose the console is then, what becomes of files
that were written for somebody, and that the config of the EMS is nobody's prey. Rows are executed, not believed.
Source: `seed 000` 3; `site.md` 2 (Composition).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.workflow_lifecycle import Owner, State


class Operation(StrEnum):
    """Where B1 stands."""

    NONE = "none"
    UNREADABLE = "unreadable"
    """Also of a mode that nobody knows."""
    ADMIN_UPDATE_PENDING = Stage.ADMIN_UPDATE_PENDING
    ADMIN_RECONNECT_PENDING = Stage.ADMIN_RECONNECT_PENDING
    ADMIN_ALIGNED = Stage.ADMIN_ALIGNED
    RESOURCES_VERIFIED = Stage.RESOURCES_VERIFIED
    EMS_OPERATION_PENDING = Stage.EMS_OPERATION_PENDING
    EMS_OPERATION_RUNNING = Stage.EMS_OPERATION_RUNNING
    HEALTHCHECK_PENDING = Stage.HEALTHCHECK_PENDING
    FAILED_RECOVERABLE = Stage.FAILED_RECOVERABLE
    COMPLETED = Stage.COMPLETED
    CANCELLED = Stage.CANCELLED


class Verdict(StrEnum):
    """What the act is answered with."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    """With the codes of the row, and nothing is changed by it."""
    OWNER_FIRST = "refused until its owner ends it"
    """With the codes of the row for as long; then the way is open."""
    PARTIAL = "done in part"
    """It is done, and the codes of the row tell what is left."""


class Artifacts(StrEnum):
    """What becomes of the files that a workflow has written for itself: B2, B2a, B3 and B6."""

    KEPT = "kept"
    REMOVED = "the setup's own are removed"
    CONTEXT_CLEARED = "the upgrade's own context is cleared, all else is kept"
    SOME_LEFT = "what could be removed is removed, the rest is kept and reported"


class LiveConfig(StrEnum):
    """What becomes of the config that the EMS runs with."""

    UNTOUCHED = "untouched"
    MAY_CHANGE = "may change"


class KnownGood(StrEnum):
    """What becomes of B5."""

    UNTOUCHED = "untouched"
    WRITTEN = "written"


class Recovery(StrEnum):
    """Whether recovery can be reached afterwards."""

    AVAILABLE = "available"
    NOT_NEEDED = "not needed"


@frozen(kw_only=True)
class Given:
    """A state to stand in."""

    words: str
    owner: Owner
    state: State
    operation: Operation


@frozen(kw_only=True)
class Then:
    """What it comes to. What is not said of owner, state and operation is as it was."""

    verdict: Verdict = Verdict.ALLOWED
    codes: tuple[Code, ...] = ()
    """In the order in which they are met."""
    owner: Owner | None = None
    state: State | None = None
    operation: Operation | None = None
    artifacts: Artifacts = Artifacts.KEPT
    live_config: LiveConfig = LiveConfig.UNTOUCHED
    known_good: KnownGood = KnownGood.UNTOUCHED
    recovery: Recovery = Recovery.AVAILABLE
    view: str
    """What the page shows, and what it offers."""
    offers: frozenset[str] = frozenset()
    """Acts that can be done now, by their names."""
    withholds: frozenset[str] = frozenset()
    """Acts that cannot."""


@frozen(kw_only=True)
class Row:
    """One line of the matrix, under the number by which people speak of it."""

    number: str
    given: Given
    when: str
    then: Then

    @property
    def owners(self) -> tuple[Owner, Owner]:
        """Whose the console is, before and after."""
        return self.given.owner, self.then.owner or self.given.owner

    @property
    def states(self) -> tuple[State, State]:
        """In which state it is, before and after."""
        return self.given.state, self.then.state or self.given.state

    @property
    def operations(self) -> tuple[Operation, Operation]:
        """Where B1 stands, before and after."""
        return self.given.operation, self.then.operation or self.given.operation


def acts(*names: str) -> frozenset[str]:
    """Name acts."""
    return frozenset(names)


# The places that many rows begin at.
SETUP: Final = Owner.GUIDED_SETUP
UPGRADE: Final = Owner.GUIDED_UPGRADE

PREPARED: Final = Given(
    words="A Setup has its config written and its EMS prepared",
    owner=SETUP,
    state=State.ACTIVE,
    operation=Operation.RESOURCES_VERIFIED,
)
INSTALLED: Final = Given(
    words="An EMS is installed and nothing is in progress; a person is in Maintenance",
    owner=Owner.NONE,
    state=State.IDLE,
    operation=Operation.COMPLETED,
)
UPGRADING: Final = Given(
    words="A Guided Upgrade has verified its build and settled its backup",
    owner=UPGRADE,
    state=State.ACTIVE,
    operation=Operation.RESOURCES_VERIFIED,
)
SETUP_FAILED: Final = Given(
    words="The EMS of a Setup was started and turned out unhealthy",
    owner=SETUP,
    state=State.ACTIVE,
    operation=Operation.FAILED_RECOVERABLE,
)
UPGRADE_FAILED: Final = Given(
    words="A Guided Upgrade has failed on the way and may be gone on with",
    owner=UPGRADE,
    state=State.ACTIVE,
    operation=Operation.FAILED_RECOVERABLE,
)
