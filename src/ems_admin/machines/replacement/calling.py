"""Whoever asks for a launch: who is answered by what was done already, who only hears how things stand, who launches.

Asked under the dispatch lock, with B1 read again under it. The stage may withdraw a launch, never demand one.
Source: `replacement.md` 7.3; `seed 000` 5.5 (one dispatch per operation).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.transition import Stage


class Asked(StrEnum):
    """What became of the attempt that the caller asks for."""

    OPEN = "open"
    """It was not begun, or is intended."""
    LAUNCHED = "launched"
    FAILED = "failed"


class CallerKind(StrEnum):
    """Why it asks."""

    GOING_ON = "going_on"
    """A start, a resume, or the reconciler."""
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
        row(CallerAnswer.RETRY_FIRST, caller=CallerKind.RETRYING, stage=Stage.FAILED_RECOVERABLE),
        row(CallerAnswer.LAUNCH, stage=Stage.ADMIN_UPDATE_PENDING),
        row(CallerAnswer.REPORT),
    ),
)
