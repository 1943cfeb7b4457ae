"""What is done with each artifact of a workflow that has ended: claim and proof are two decisions.

A claim says that the artifact is this workflow's business at all; proof says that removing it is safe. A path that is
merely known is neither. Source: `seed 000` 5.3.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.setup import ArtifactKind, Artifacts


class Place(StrEnum):
    """Where an artifact lies."""

    OWN = "own"
    """Below the directory that carries the workflow's id: nothing else can own it."""
    SHARED = "shared"
    """At a path that an installed system uses too."""


class Claim(StrEnum):
    """Whether the record of the workflow names the artifact."""

    CLAIMED = "claimed"
    UNCLAIMED = "unclaimed"


class Evidence(StrEnum):
    """Whether an artifact is provably safe to delete for one workflow."""

    ABSENT = "absent"
    OURS = "ours"
    """Its content, or its canonical path, names exactly this workflow."""
    FOREIGN = "foreign"
    """It names somebody else, or nobody."""
    UNREADABLE = "unreadable"


class Plan(StrEnum):
    """What the cleanup does with it."""

    LEAVE = "leave"
    """It is nobody's leftover: not read as one, not reported."""
    NOTE_ABSENT = "note_absent"
    REMOVE = "remove"
    KEEP_FOR_REVIEW = "keep_for_review"


@frozen
class Artifact:
    """What is known of one artifact."""

    place: Place
    claim: Claim
    evidence: Evidence


CLEANUP_PLAN: Final = Table[Artifact, Plan](
    name="cleanup_plan",
    asks=Artifact,
    rows=(
        # Content that names this very workflow is itself a claim: an installed system never carries it.
        row(Plan.REMOVE, evidence=Evidence.OURS),
        row(Plan.NOTE_ABSENT, claim=Claim.CLAIMED, evidence=Evidence.ABSENT),
        row(Plan.LEAVE, evidence=Evidence.ABSENT),
        row(Plan.KEEP_FOR_REVIEW, claim=Claim.CLAIMED),
        row(Plan.KEEP_FOR_REVIEW, place=Place.OWN),
        row(Plan.LEAVE),
    ),
)

# Files before the directory that holds them, so that each is reported by its own name.
PLACES: Final = {
    ArtifactKind.GENERATED_CONFIG: Place.OWN,
    ArtifactKind.GENERATED_METADATA: Place.OWN,
    ArtifactKind.WORKFLOW_DIRECTORY: Place.OWN,
    ArtifactKind.LEGACY_GENERATED_CONFIG: Place.SHARED,
    ArtifactKind.LEGACY_GENERATED_METADATA: Place.SHARED,
    ArtifactKind.DEPLOYMENT_MARKER: Place.SHARED,
}


def claim(kind: ArtifactKind, artifacts: Artifacts) -> Claim:
    """Say whether the record claims an artifact of this kind."""
    named = {
        ArtifactKind.GENERATED_CONFIG: artifacts.generated_config,
        ArtifactKind.GENERATED_METADATA: artifacts.generated_metadata,
        ArtifactKind.DEPLOYMENT_MARKER: artifacts.deployment_marker,
    }
    return Claim.CLAIMED if named.get(kind) else Claim.UNCLAIMED


def plan(kind: ArtifactKind, artifacts: Artifacts, evidence: Evidence) -> Plan:
    """Decide about one artifact."""
    return CLEANUP_PLAN.classify(Artifact(PLACES[kind], claim(kind, artifacts), evidence))
