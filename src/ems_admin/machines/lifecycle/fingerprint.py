"""The lifecycle fingerprint: the durable facts behind a verdict about who owns the console.

A switch or a recovery presents the one it was decided on. What lives in this process is left out on purpose: work that
comes and goes must not void a preview that somebody is still reading; it is asked again when the act is performed.

Source: `site.md` 4 (*Lifecycle fingerprint*), `seed 000` 7.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeVar

from attrs import frozen

from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import NO_ARTIFACTS, GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.values.fingerprints import fingerprint_of

R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)

LIFECYCLE_FINGERPRINT_VERSION: Final = 2


class Names(Protocol[R_contra]):
    """Gives the words of a readable record; of an absent or unreadable one, their keys with nothing in them."""

    def __call__(self, record: R_contra | None, /) -> dict[str, Any]:
        """Name what the fingerprint covers."""
        ...


@frozen(kw_only=True)
class UpgradeIdentity:
    """What of B6 can be read even when the rest of it is not valid any more."""

    operation_id: str
    target_system_tag: str


@frozen(kw_only=True)
class LifecycleRecords:
    """The five records as they were read just now, and the digests of others that are unreadable, by name."""

    setup: Reading[GuidedSetup]
    transition: Reading[Transition]
    upgrade_context: Reading[UpgradeIdentity]
    dispatch: Reading[Dispatch]
    run: Reading[Run]
    other: Mapping[str, str | None]


def lifecycle_fingerprint(records: LifecycleRecords) -> str:
    """Bind a preview to exactly what it was shown for; unreadable bytes count by their digest."""
    facts: dict[str, Any] = {
        "fingerprint_version": LIFECYCLE_FINGERPRINT_VERSION,
        "setup": _mark(records.setup, _of_setup),
        "transition": _mark(records.transition, _of_transition),
        "upgrade_context": _mark(records.upgrade_context, _of_upgrade),
        "dispatch": _mark(records.dispatch, _of_dispatch),
        "run": _mark(records.run, _of_run),
    }
    # Only a release that names such a file speaks of it: without one the key is not there at all.
    return fingerprint_of({**facts, "other": dict(records.other)} if records.other else facts)


def _mark(reading: Reading[R], names: Names[R]) -> dict[str, Any]:
    match reading:
        case Absent():
            return {"present": False, "readable": True, "digest": None, **names(None)}
        case Unreadable(sha256=digest):
            return {"present": True, "readable": False, "digest": digest, **names(None)}
        case Present(record=record):
            return {"present": True, "readable": True, "digest": None, **names(record)}


def _of_setup(record: GuidedSetup | None) -> dict[str, Any]:
    return {
        "workflow_id": record and record.workflow_id,
        "status": record and record.status,
        "cleanup": record and record.cleanup.state,
        "artifacts_claimed": record and record.artifacts != NO_ARTIFACTS,
        "operation_id": record and record.operation_id,
    }


def _of_transition(record: Transition | None) -> dict[str, Any]:
    return {
        "operation_id": record and record.operation_id,
        "mode": record and record.mode,
        "stage": record and record.stage,
    }


def _of_upgrade(record: UpgradeIdentity | None) -> dict[str, Any]:
    return {
        "operation_id": record and record.operation_id,
        "target_system_tag": record and record.target_system_tag,
    }


def _of_dispatch(record: Dispatch | None) -> dict[str, Any]:
    last = record.attempts[-1] if record and record.attempts else None
    return {
        "operation_id": record and record.operation_id,
        "attempt": last and last.number,
        "outcome": last and last.outcome,
    }


def _of_run(record: Run | None) -> dict[str, Any]:
    return {
        "operation_id": record and record.operation_id,
        "attempt": record and record.attempt,
        "step": record and record.step,
    }
