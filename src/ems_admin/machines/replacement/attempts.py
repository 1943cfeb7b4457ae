"""The attempts of a dispatch record, as read: whose they are, which one counts, which are settled.

Numbers count from 1 in each operation and go on when the oldest attempts are forgotten.

Source: `replacement.md` 7.1, 7.3; `faults.md` D9, F35.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import attrs

from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run
from ems_admin.machines.records.transition import Transition, identity
from ems_admin.machines.values.fingerprints import sha256_of

KEPT: Final = 16
"""Attempts that a record remembers."""
MOST_TRIES: Final = 3
"""Creates that one attempt may begin. After that only an explicit retry opens another one."""


class DispatchState(StrEnum):
    """What became of the last attempt."""

    NONE = "none"
    INTENDED = "intended"
    LAUNCHED = "launched"
    FAILED = "failed"


def state_of(dispatch: Dispatch) -> DispatchState:
    """Read the state of the last attempt."""
    attempt = last(dispatch)
    return DispatchState(attempt.outcome.value) if attempt else DispatchState.NONE


def last(dispatch: Dispatch) -> Attempt | None:
    """Give the attempt that counts."""
    return dispatch.attempts[-1] if dispatch.attempts else None


def is_open(attempt: Attempt | None) -> bool:
    """Say whether an attempt was promised and has come to nothing yet."""
    return attempt is not None and attempt.outcome is Outcome.INTENDED


def settled(dispatch: Dispatch | None, operation_id: str) -> int:
    """Count the attempts of an operation that are launched or failed: the `after` of whoever asks for another one.

    A record of another operation counts for nothing.
    """
    if dispatch is None or dispatch.operation_id != operation_id or not (attempt := last(dispatch)):
        return 0
    return attempt.number - (attempt.outcome is Outcome.INTENDED)


def answer_of(dispatch: Dispatch | None, operation_id: str, after: int) -> Attempt | None:
    """Give the settled attempt that answers a caller who saw `after`, if there is one: then nothing is launched."""
    if settled(dispatch, operation_id) <= after or dispatch is None:
        return None
    return next((attempt for attempt in dispatch.attempts if attempt.number == after + 1), last(dispatch))


def updater_name(operation_id: str, attempt: int) -> str:
    """Name the container of one attempt. A new attempt never meets the name of an old one."""
    return f"ems-admin-updater-{operation_id}-{attempt}"


def transition_identity(transition: Transition) -> str:
    """Give the SHA-256 over canonical JSON of B1's immutable projection: whose attempts a dispatch record holds."""
    return sha256_of({name: _as_json(value) for name, value in identity(transition)})


def is_walk_of(run: Run, operation_id: str, attempt: int | None) -> bool:
    """Say whether a run record tells of this attempt; where no attempt can be named, the operation has to do."""
    return run.operation_id == operation_id and attempt in {None, run.attempt}


def is_verified(run: Run) -> bool:
    """Say whether U10 is noted: an end alone does not tell, for a walk that was rolled back ends as well."""
    return run.verified_at is not None


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return attrs.asdict(value) if attrs.has(type(value)) else value
