"""The two records of an Admin replacement: what the Admin dispatched, and how far its updater has walked.

Source: `replacement.md` 7.1.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import field, frozen


class Outcome(StrEnum):
    """What became of one attempt. An intended one is not settled."""

    INTENDED = "intended"
    LAUNCHED = "launched"
    FAILED = "failed"


@frozen(kw_only=True)
class UpdaterExit:
    """What the engine says of the updater's end."""

    code: int
    oom: bool
    log: tuple[str, ...]
    """The last 20 lines, secrets masked."""


@frozen(kw_only=True)
class Attempt:
    """One launch, durable before it is tried."""

    number: int
    container: str
    image: str | None
    tries: int
    """Creates begun, each counted before it is made."""
    outcome: Outcome
    code: str | None
    exit: UpdaterExit | None


@frozen(kw_only=True)
class Dispatch:
    """The dispatch record. Written by the Admin alone."""

    format_version: int
    operation_id: str
    transition_identity: str
    """SHA-256 over canonical JSON of B1's immutable projection."""
    attempts: tuple[Attempt, ...]
    """The last 16, oldest first."""


class WalkStep(StrEnum):
    """Where the updater is. U numbers are not stored."""

    OPENED = "opened"
    CLAIMED = "claimed"
    MOVING = "moving"
    VERIFIED = "verified"
    ENDED = "ended"
    ROLLING_BACK = "rolling_back"
    ROLLED_BACK = "rolled_back"
    REFUSED = "refused"


@frozen(kw_only=True)
class Body:
    """One Admin as the engine knows it."""

    id: str
    image_id: str | None
    name: str


@frozen(kw_only=True)
class Verified:
    """When and where the new Admin was seen healthy from outside."""

    at: datetime
    published: bool
    """Whether at the published address; otherwise at its own."""


@frozen(kw_only=True)
class Run:
    """The run record. Written by the updater alone."""

    format_version: int
    operation_id: str
    attempt: int
    container: str
    entries: int
    step: WalkStep
    step_at: datetime
    snapshot: str | None = field(repr=False)
    """The complete snapshot of the old Admin in canonical JSON, with the bytes of its image pin: it holds secrets."""
    predecessor: Body | None
    successor: Body | None
    verified_at: Verified | None
    code: str | None
    exit_code: int | None
    log: tuple[str, ...]
