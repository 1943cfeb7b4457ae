"""Whoever asks for a launch: who is answered by what was done already, who only hears how things stand, who launches.

Asked under the dispatch lock, with B1 read again under it. The stage may withdraw a launch, never demand one.
Source: `replacement.md` 7.3, 7.6; `seed 000` 5.5 (one dispatch per operation).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.replacement import Dispatch, Outcome
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.replacement.attempts import answer_of, last, settled


class Asked(StrEnum):
    """What became of the attempt that the caller asks for: the one after those that it saw settled."""

    NOT_BEGUN = "not_begun"
    """No attempt is newer than what it saw."""
    INTENDED = "intended"
    """It was begun, and nobody has said what came of it."""
    LAUNCHED = "launched"
    FAILED = "failed"


class CallerKind(StrEnum):
    """Why it asks."""

    GOING_ON = "going_on"
    """A start or a resume."""
    RETRYING = "retrying"
    """An explicit second try after a failure."""


class CallerAnswer(StrEnum):
    """What the caller gets."""

    REPORT = "report"
    """B1 as it stands; a failed one by its code. Nothing is launched."""
    ATTEMPT_FAILED = "attempt_failed"
    """The code of the attempt, which somebody else made."""
    RETRY_FIRST = "retry_first"
    """The retry edge of B1, taken under the lock; then the same question again, as one who goes on."""
    LAUNCH = "launch"


@frozen
class DispatchCall:
    """One caller under the dispatch lock."""

    asked: Asked
    caller: CallerKind
    stage: Stage


DISPATCH_CALL: Final = Table[DispatchCall, CallerAnswer](
    name="dispatch_call",
    asks=DispatchCall,
    rows=(
        row(CallerAnswer.REPORT, asked=Asked.LAUNCHED),
        row(CallerAnswer.ATTEMPT_FAILED, asked=Asked.FAILED),
        # Also for a retry: the one that took the edge was cut before its launch, and this is the launch that it owed.
        row(CallerAnswer.LAUNCH, stage=Stage.ADMIN_UPDATE_PENDING),
        # The edge itself refuses every stage that may not be opened again.
        row(CallerAnswer.RETRY_FIRST, caller=CallerKind.RETRYING, asked=Asked.NOT_BEGUN),
        # What is still intended beside a failure was left open by somebody who died: it is closed, then retried.
        row(CallerAnswer.RETRY_FIRST, caller=CallerKind.RETRYING, stage=Stage.FAILED_RECOVERABLE),
        row(CallerAnswer.REPORT),
    ),
)

SETTLED: Final = {Outcome.LAUNCHED: Asked.LAUNCHED, Outcome.FAILED: Asked.FAILED}


def asked_of(dispatch: Dispatch | None, operation_id: str, after: int) -> Asked:
    """Say what became of the attempt that a caller asks for who saw `after` attempts settled."""
    if answer := answer_of(dispatch, operation_id, after):
        return SETTLED[answer.outcome]
    attempt = last(dispatch) if dispatch is not None and dispatch.operation_id == operation_id else None
    newer = attempt is not None and attempt.number > settled(dispatch, operation_id)
    return Asked.INTENDED if newer else Asked.NOT_BEGUN
