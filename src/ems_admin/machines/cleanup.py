"""The cleanup of a workflow that has ended: nothing is forgotten, and nothing foreign is removed.

Slot `cleanup` of B0. The commit that ends the workflow also owes its cleanup; the removal itself is an effect, and
reports back as `CLEANUP_RAN`.

Source: `seed 000` 5.3, `site.md` 2 (*Cleanup*), `http.md` 5.3 (disown).
"""

from __future__ import annotations

from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Edge, Effect, Machine, guard
from ems_admin.machines.records import words
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    ArtifactKind,
    ArtifactStatus,
    Cleanup,
    CleanupEntry,
    CleanupState,
    GuidedSetup,
)
from ems_admin.machines.setup.facts import (
    ABANDON,
    CLEANUP_RAN,
    DISOWN,
    EXACT,
    OWNED,
    RECONCILE_REVIEW,
    RETRY_CLEANUP,
    SUPERSEDE,
    CleanupFacts,
    DisownFacts,
    Moment,
)

GLOBAL_KINDS: Final = frozenset(
    {ArtifactKind.LEGACY_GENERATED_CONFIG, ArtifactKind.LEGACY_GENERATED_METADATA, ArtifactKind.DEPLOYMENT_MARKER}
)
"""Places that belong to the installed system as well: without a claim, a workflow has no say about them."""
UNRESOLVED: Final = frozenset({ArtifactStatus.FAILED, ArtifactStatus.REVIEW_REQUIRED})


@frozen
class RemoveArtifacts(Effect):
    """Remove what the workflow provably owns, keep everything else, and report both."""

    workflow_id: str


@guard(Code.ABANDON_CLEANUP_INCOMPLETE)
def every_removal_succeeded(_record: GuidedSetup, facts: CleanupFacts) -> bool:
    """Everything that the workflow owns could be removed."""
    return not kinds(facts.artifacts, ArtifactStatus.FAILED)


@guard(Code.SETUP_ARTIFACT_REVIEW_REQUIRED)
def every_owner_is_proven(_record: GuidedSetup, facts: CleanupFacts) -> bool:
    """Everything that the workflow claims is provably its own."""
    return not kinds(facts.artifacts, ArtifactStatus.REVIEW_REQUIRED)


@guard(Code.CLEANUP_NOT_DISOWNABLE)
def retry_failed_again(record: GuidedSetup, _facts: object) -> bool:
    """A retry failed to remove the very artifact that an earlier attempt had failed to remove."""
    return record.cleanup.failed_count > len(kinds(record.cleanup.artifacts, ArtifactStatus.FAILED))


@guard(Code.CONFIRMATION_REQUIRED)
def operator_confirmed(_record: GuidedSetup, facts: DisownFacts) -> bool:
    """The operator confirmed that the files stay as they are."""
    return facts.confirm


@guard(Code.UNSUPPORTED_VALUE)
def reason_fits(_record: GuidedSetup, facts: DisownFacts) -> bool:
    """The reason is given, in at most 200 characters."""
    return facts.reason.strip() != "" and len(facts.reason) <= words.REASON_LIMIT


@guard(Code.SETUP_ARTIFACT_REVIEW_REQUIRED)
def review_is_stranded(record: GuidedSetup, _facts: object) -> bool:
    """The workflow claims nothing, and what is unresolved lies where nobody owns anything without a claim."""
    unresolved = {entry.kind for entry in record.cleanup.artifacts if entry.status in UNRESOLVED}
    return record.artifacts == NO_ARTIFACTS and unresolved <= GLOBAL_KINDS


def kinds(entries: tuple[CleanupEntry, ...], status: ArtifactStatus) -> frozenset[ArtifactKind]:
    """List the artifacts that came to this."""
    return frozenset(entry.kind for entry in entries if entry.status is status)


def owe(record: GuidedSetup, facts: Moment) -> GuidedSetup:
    """Note when the cleanup was ordered; what it comes to is told by `CLEANUP_RAN`."""
    return evolve(record, updated_at=facts.now)


def note(record: GuidedSetup, facts: CleanupFacts) -> GuidedSetup:
    """Keep what the attempt came to, artifact by artifact.

    `failed_count` counts removals that failed, and goes on counting while one of them is the same as last time: it
    exceeds the failed entries exactly when a retry has failed on the same artifact, also after a restart.
    """
    failed = kinds(facts.artifacts, ArtifactStatus.FAILED)
    before = record.cleanup
    again = failed & kinds(before.artifacts, ArtifactStatus.FAILED)
    cleanup = Cleanup(
        state=before.state,
        attempted_at=facts.now,
        failed_count=len(failed) + (before.failed_count if again else 0),
        review_count=len(kinds(facts.artifacts, ArtifactStatus.REVIEW_REQUIRED)),
        artifacts=facts.artifacts,
    )
    return evolve(record, cleanup=cleanup, updated_at=facts.now)


def let_go(record: GuidedSetup, facts: CleanupFacts) -> GuidedSetup:
    """Note the attempt and drop the claims: everything that was owned is gone."""
    return evolve(note(record, facts), artifacts=NO_ARTIFACTS)


def disown(record: GuidedSetup, facts: DisownFacts) -> GuidedSetup:
    """Drop the claims and say so, artifact by artifact; the files stay as they are."""
    entries = tuple(
        evolve(entry, status=ArtifactStatus.DISOWNED) if entry.status in UNRESOLVED else entry
        for entry in record.cleanup.artifacts
    )
    cleanup = evolve(record.cleanup, failed_count=0, review_count=0, artifacts=entries)
    return evolve(record, artifacts=NO_ARTIFACTS, cleanup=cleanup, updated_at=facts.now)


def forget_unowned(record: GuidedSetup, facts: Moment) -> GuidedSetup:
    """Strike out what was never this workflow's; no file is touched."""
    entries = tuple(entry for entry in record.cleanup.artifacts if entry.status not in UNRESOLVED)
    cleanup = evolve(record.cleanup, failed_count=0, review_count=0, artifacts=entries)
    return evolve(record, cleanup=cleanup, updated_at=facts.now)


def write_state(record: GuidedSetup, state: CleanupState) -> GuidedSetup:
    """Put the state into its slot."""
    return evolve(record, cleanup=evolve(record.cleanup, state=state))


def remove_artifacts(record: GuidedSetup, _facts: object) -> tuple[Effect, ...]:
    """Promise the removal; the reconciler keeps the promise after a crash."""
    return (RemoveArtifacts(record.workflow_id),)


NOT_REQUIRED, PENDING = CleanupState.NOT_REQUIRED, CleanupState.PENDING
REVIEW_REQUIRED, COMPLETE = CleanupState.REVIEW_REQUIRED, CleanupState.COMPLETE

REMOVED: Final = (every_removal_succeeded,)
PROVEN: Final = (every_owner_is_proven,)
CLEAN: Final = (*EXACT, *REMOVED, *PROVEN)
SAID_SO: Final = (operator_confirmed, reason_fits)
STRANDED: Final = (review_is_stranded,)

INCOMPLETE: Final = Code.ABANDON_CLEANUP_INCOMPLETE
UNPROVEN: Final = Code.SETUP_ARTIFACT_REVIEW_REQUIRED
NOT_ACTIVE: Final = Code.SETUP_WORKFLOW_NOT_ACTIVE

# What failed may succeed next time, so it is answered before what only a person can decide. A recheck of a review owes
# the cleanup again: it never overrides ownership, it only asks anew.
CLEANUP: Final = Machine[GuidedSetup, CleanupState](
    name="cleanup",
    states=CleanupState,
    reads=lambda record: record.cleanup.state,
    writes=write_state,
    initial=(NOT_REQUIRED,),
    final=(COMPLETE,),
    codes=Code,
    edges=(
        Edge(ABANDON, NOT_REQUIRED, PENDING, effects=remove_artifacts),
        Edge(ABANDON, COMPLETE, COMPLETE),
        Edge(SUPERSEDE, NOT_REQUIRED, PENDING, effects=remove_artifacts),
        Edge(CLEANUP_RAN, PENDING, COMPLETE, guards=CLEAN, assigns=let_go),
        Edge(CLEANUP_RAN, PENDING, PENDING, guards=EXACT, unless=REMOVED, assigns=note, answers=INCOMPLETE),
        Edge(CLEANUP_RAN, PENDING, REVIEW_REQUIRED, guards=EXACT, unless=PROVEN, assigns=note, answers=UNPROVEN),
        Edge(RETRY_CLEANUP, (PENDING, REVIEW_REQUIRED), PENDING, guards=OWNED, assigns=owe, effects=remove_artifacts),
        Edge(RETRY_CLEANUP, COMPLETE, COMPLETE),
        Edge(DISOWN, REVIEW_REQUIRED, COMPLETE, guards=SAID_SO, assigns=disown),
        Edge(DISOWN, PENDING, COMPLETE, guards=(retry_failed_again, *SAID_SO), assigns=disown),
        Edge(RECONCILE_REVIEW, REVIEW_REQUIRED, COMPLETE, guards=STRANDED, assigns=forget_unowned),
        Edge(RECONCILE_REVIEW, REVIEW_REQUIRED, REVIEW_REQUIRED, unless=STRANDED),
        Edge(RECONCILE_REVIEW, NOT_REQUIRED, NOT_REQUIRED),
        Edge(RECONCILE_REVIEW, PENDING, PENDING),
        Edge(RECONCILE_REVIEW, COMPLETE, COMPLETE),
    ),
    otherwise={
        ABANDON: Code.SETUP_CLEANUP_REQUIRED,
        SUPERSEDE: NOT_ACTIVE,
        CLEANUP_RAN: Code.INVALID_TRANSITION,
        RETRY_CLEANUP: Code.SETUP_ABANDON_REQUIRED,
        DISOWN: Code.CLEANUP_NOT_DISOWNABLE,
    },
)
