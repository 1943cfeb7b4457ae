"""What is done with each artifact of a workflow that has ended: claim and proof are two decisions.

A claim says that the artifact is this workflow's business at all; proof says that removing it is safe. A path that is
merely known is neither. Source: `seed 000` 5.3.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.setup import ArtifactKind, Artifacts, ArtifactStatus, CleanupEntry


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


class Kept(StrEnum):
    """The word that a kept artifact is shown with, where its kind has one of its own."""

    UNNAMED = "unnamed"
    SETUP_ARTIFACT_OWNER_MISMATCH = Code.SETUP_ARTIFACT_OWNER_MISMATCH
    GENERATED_CONFIG_REVIEW_REQUIRED = Code.GENERATED_CONFIG_REVIEW_REQUIRED


@frozen
class Artifact:
    """What is known of one artifact."""

    place: Place
    claim: Claim
    evidence: Evidence


@frozen
class Reported:
    """One entry of the report of a cleanup."""

    kind: ArtifactKind
    status: ArtifactStatus


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


# What lies below the directory of a workflow is kept for one reason only: the directory is not where it must be.
KEPT: Final = Table[Reported, Kept](
    name="kept",
    asks=Reported,
    rows=(
        row(Kept.UNNAMED, status=frozenset(ArtifactStatus) - {ArtifactStatus.REVIEW_REQUIRED}),
        row(
            Kept.SETUP_ARTIFACT_OWNER_MISMATCH,
            kind=frozenset(kind for kind, place in PLACES.items() if place is Place.OWN),
        ),
        row(Kept.UNNAMED, kind=ArtifactKind.DEPLOYMENT_MARKER),
        row(Kept.GENERATED_CONFIG_REVIEW_REQUIRED),
    ),
)


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


def kept_because(entry: CleanupEntry) -> Code | None:
    """Name what keeps an artifact; `None` where it is not kept, or where its kind alone says all there is to say."""
    kept = KEPT.classify(Reported(entry.kind, entry.status))
    return None if kept is Kept.UNNAMED else Code(kept)
