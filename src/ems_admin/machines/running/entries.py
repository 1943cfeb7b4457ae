"""What runs on a site right now: its entries, and what can be asked of them.

Source: `site.md` 2 (*Running work*), `faults.md` F43 (each entry names its operation and start).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Refusal
from ems_admin.machines.running.kinds import EXCLUDES, WorkClass, WorkKind, class_of


@frozen(kw_only=True)
class WorkEntry:
    """One piece of work. Its task, if it has one, is known to whoever runs it."""

    id: str
    kind: WorkKind
    workflow_id: str | None
    operation_id: str | None
    started_at: datetime
    request_hash: str | None
    """Of the request that began it. Work without one is never joined."""
    job_id: str | None


@frozen(kw_only=True)
class RunningWork:
    """All that runs: at most one entry that holds the site, and any number aside."""

    entries: tuple[WorkEntry, ...]


NO_WORK: Final = RunningWork(entries=())


class WorkState(StrEnum):
    """Whether somebody holds the site, and for what."""

    FREE = "free"
    MUTATING = "mutating"
    TERMINALIZING = "terminalizing"


def holder(work: RunningWork) -> WorkEntry | None:
    """Give the entry that holds the site. Work aside never does."""
    return next((entry for entry in work.entries if EXCLUDES[class_of(entry.kind)]), None)


def joined(work: RunningWork, entry: WorkEntry) -> WorkEntry | None:
    """Give the running work that began by the very same request: it is answered once more, not done twice."""
    return next((running for running in work.entries if is_same_request(running, entry)), None)


def is_same_request(running: WorkEntry, entry: WorkEntry) -> bool:
    """Compare kind and request. The ids are new with every try and say nothing."""
    return entry.request_hash is not None and (running.kind, running.request_hash) == (entry.kind, entry.request_hash)


def worker_active(work: RunningWork, operation_id: str, *, but: str | None = None) -> bool:
    """Say whether live work names the operation: the one proof that somebody may still commit for it.

    `but` leaves one entry out: the caller's own.
    """
    return any(entry.operation_id == operation_id and entry.id != but for entry in work.entries)


def is_ending(work: RunningWork) -> bool:
    """Say whether something is being ended: whatever begins now would come too late."""
    return work_state(work) is WorkState.TERMINALIZING


def name_holder(refusal: Refusal, work: RunningWork, *, aside: WorkKind | None = None) -> Refusal:
    """Add the kind of the work that is in the way, and nothing else about it.

    In the way of work `aside` is its own kind, whoever holds the site meanwhile.
    """
    held = holder(work)
    kind = aside or (held.kind if held else None)
    return refusal.with_detail(refusal.detail, operation=kind) if kind else refusal


def work_state(work: RunningWork) -> WorkState:
    """Read the state from what runs."""
    held = holder(work)
    if held is None:
        return WorkState.FREE
    return WorkState.TERMINALIZING if class_of(held.kind) is WorkClass.TERMINAL else WorkState.MUTATING
