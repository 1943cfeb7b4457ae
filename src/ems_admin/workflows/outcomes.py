"""What a port said of an act, read as "go on" or as the refusal that ends the sequence."""

from __future__ import annotations

from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, RefusalError, Unprovable


def require(outcome: Commit) -> None:
    """Go on only when it is proved durable. Raises `RefusalError` with the outcome's own code."""
    match outcome:
        case Committed():
            return
        case NotCommitted(code=code, detail=detail):
            raise RefusalError(Refusal(code, detail=detail))
        case Unprovable(code=code):
            raise RefusalError(Refusal(code))


def require_done(outcome: Done | EngineFailure) -> None:
    """Go on only when the engine says that it is so. Raises `RefusalError` with the engine's code."""
    if isinstance(outcome, EngineFailure):
        raise RefusalError(Refusal(outcome.code, detail=outcome.detail))
