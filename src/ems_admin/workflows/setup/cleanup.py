"""The cleanup of a workflow that has ended: look at each artifact, remove what is provably its own, keep the rest.

Performed only after the record that owes it is durable; what it came to goes back as a trigger.
Source: `seed 000` 5.3.
"""

from __future__ import annotations

from ems_admin.machines.records.setup import ArtifactKind, ArtifactStatus, CleanupEntry, GuidedSetup
from ems_admin.machines.setup.cleanup_plan import PLACES, Plan, plan
from ems_admin.machines.setup.facts import CLEANUP_RAN, CleanupFacts
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Denied, Settled


async def remove_artifacts(house: House, setup: GuidedSetup) -> tuple[CleanupEntry, ...]:
    """Attempt every removal, going on after one that fails, and say what became of each artifact."""
    entries: list[CleanupEntry] = []
    for kind in PLACES:
        evidence = await house.setup_files.evidence(kind, setup.workflow_id)
        match plan(kind, setup.artifacts, evidence):
            case Plan.LEAVE:
                continue
            case Plan.NOTE_ABSENT:
                status = ArtifactStatus.ABSENT
            case Plan.KEEP_FOR_REVIEW:
                status = ArtifactStatus.REVIEW_REQUIRED
            case Plan.REMOVE:
                status = await _remove(house, kind, setup.workflow_id)
        entries.append(CleanupEntry(kind=kind, status=status))
    return tuple(entries)


async def note_verdict(
    house: House, caller: Caller, setup: GuidedSetup, entries: tuple[CleanupEntry, ...]
) -> Settled[GuidedSetup] | Denied:
    """Make the verdict durable. Raises `RefusalError` when it cannot be; the cleanup then stays owed."""
    facts = CleanupFacts(now=house.clock.now(), workflow_id=setup.workflow_id, artifacts=entries)
    return await house.records.setup.told(CLEANUP_RAN, facts, caller)


async def _remove(house: House, kind: ArtifactKind, workflow_id: str) -> ArtifactStatus:
    gone = await house.setup_files.remove(kind, workflow_id)
    return ArtifactStatus.REMOVED if gone else ArtifactStatus.FAILED
