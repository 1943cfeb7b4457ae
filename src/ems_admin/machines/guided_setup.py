"""Guided Setup: from a chosen System Build to a running first configuration.

The workflow machine, slot `status` of B0, and the record as a whole: three machines, one decision, one commit.

Source: `site.md` 2, `seed 000` 5.3 to 5.5.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.cleanup import CLEANUP
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Beginning, Edge, Effect, Machine, Regions, guard
from ems_admin.machines.preview import PREVIEW
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    NO_CLEANUP,
    SETUP_FORMAT,
    CleanupState,
    GuidedSetup,
    WorkflowStatus,
)
from ems_admin.machines.setup.facts import (
    ABANDON,
    BEGIN,
    BIND_WRITTEN,
    CHECK_MUTATION,
    CLAIM_MARKER,
    COMMIT_FOUND_STALE,
    COMPLETE,
    CONSUME_PREVIEW,
    DISOWN,
    EXACT,
    ISSUE_PREVIEW,
    LINK_OPERATION,
    OWNED,
    PROVE_OWNERSHIP,
    RESTORE_LINK,
    RETRY_CLEANUP,
    REVOKE_PREVIEW,
    SELECT_BUILD,
    SUPERSEDE,
    BeginFacts,
    LinkFacts,
    LiveTransition,
    MarkerFacts,
    OperationFacts,
    RestoreFacts,
    SelectFacts,
    touch,
)


@frozen
class RetireIntents(Effect):
    """Retire every confirmation that was given for the workflow, in every session."""

    workflow_id: str


@guard(Code.SETUP_CLEANUP_REQUIRED)
def predecessor_is_settled(predecessor: GuidedSetup | None, _facts: object) -> bool:
    """Nothing of an earlier workflow is left to be cleaned up."""
    settled = {CleanupState.NOT_REQUIRED, CleanupState.COMPLETE}
    return predecessor is None or predecessor.cleanup.state in settled


@guard(Code.TRANSITION_CONTEXT_MISMATCH)
def no_other_build_is_under_way(record: GuidedSetup, facts: SelectFacts) -> bool:
    """No operation of the workflow is under way for another build."""
    return facts.transition is LiveTransition.NONE or record.selected_system_tag in {None, facts.system_tag}


@guard(Code.SETUP_TRANSITION_CONTEXT_MISMATCH)
def link_is_as_seen(record: GuidedSetup, facts: LinkFacts) -> bool:
    """The workflow still names the operation that the caller saw, so no newer link is overwritten."""
    return record.operation_id == facts.replaces


@guard(Code.SETUP_TRANSITION_CONTEXT_MISMATCH)
def link_is_as_written(record: GuidedSetup, facts: RestoreFacts) -> bool:
    """This very workflow still names the operation that the failed attempt wrote."""
    return (record.workflow_id, record.operation_id) == (facts.workflow_id, facts.written)


@guard(Code.SETUP_TRANSITION_CONTEXT_MISMATCH)
def operation_is_linked(record: GuidedSetup, facts: OperationFacts) -> bool:
    """The operation is the one that this workflow has linked."""
    return record.operation_id == facts.operation_id


def begin(facts: BeginFacts) -> GuidedSetup:
    """Create the record of a new workflow."""
    return GuidedSetup(
        format_version=SETUP_FORMAT,
        workflow_id=facts.workflow_id,
        status=WorkflowStatus.ACTIVE,
        operation_id=None,
        transition_mode=None,
        selected_system_tag=facts.selected_system_tag,
        preview=None,
        artifacts=NO_ARTIFACTS,
        cleanup=NO_CLEANUP,
        created_at=facts.now,
        updated_at=facts.now,
    )


def select(record: GuidedSetup, facts: SelectFacts) -> GuidedSetup:
    """Note the build that was chosen."""
    return evolve(record, selected_system_tag=facts.system_tag, updated_at=facts.now)


def link(record: GuidedSetup, facts: LinkFacts) -> GuidedSetup:
    """Name the operation *before* it exists: one without an owner must never come into being."""
    return evolve(
        record,
        operation_id=facts.operation_id,
        transition_mode=facts.mode,
        selected_system_tag=facts.system_tag,
        updated_at=facts.now,
    )


def restore(record: GuidedSetup, facts: RestoreFacts) -> GuidedSetup:
    """Name the operation from before. Mode and tag stay: they are a selection, not ownership."""
    return evolve(record, operation_id=facts.previous, updated_at=facts.now)


def claim_marker(record: GuidedSetup, facts: MarkerFacts) -> GuidedSetup:
    """Claim the deployment marker."""
    artifacts = evolve(record.artifacts, deployment_marker=facts.deployment_marker)
    return evolve(record, artifacts=artifacts, updated_at=facts.now)


def retire_intents(record: GuidedSetup, _facts: object) -> tuple[Effect, ...]:
    """Promise that no confirmation outlives its workflow."""
    return (RetireIntents(record.workflow_id),)


ACTIVE, ABANDONED = WorkflowStatus.ACTIVE, WorkflowStatus.ABANDONED
SUPERSEDED, COMPLETED = WorkflowStatus.SUPERSEDED, WorkflowStatus.COMPLETED

FREE_TO_CHOOSE: Final = (*OWNED, no_other_build_is_under_way)
UNLINKED: Final = (*EXACT, link_is_as_seen)
AS_WRITTEN: Final = (link_is_as_written,)
DONE: Final = (*EXACT, operation_is_linked)
NOT_ACTIVE: Final = Code.SETUP_WORKFLOW_NOT_ACTIVE

# Edges out of a final state stay there and assign nothing: they answer once more what has been answered before. The
# compensation of a link that somebody else has overtaken is such a no-op in every state; an absent record is refused
# with `absent`, and its caller has nothing to restore either.
WORKFLOW: Final = Machine[GuidedSetup, WorkflowStatus](
    name="guided_setup",
    states=WorkflowStatus,
    reads=lambda record: record.status,
    writes=lambda record, status: evolve(record, status=status),
    initial=(ACTIVE,),
    final=(ABANDONED, SUPERSEDED, COMPLETED),
    codes=Code,
    edges=(
        Edge(PROVE_OWNERSHIP, ACTIVE, ACTIVE, guards=OWNED),
        Edge(SELECT_BUILD, ACTIVE, ACTIVE, guards=FREE_TO_CHOOSE, assigns=select),
        Edge(LINK_OPERATION, ACTIVE, ACTIVE, guards=UNLINKED, assigns=link),
        Edge(RESTORE_LINK, ACTIVE, ACTIVE, guards=AS_WRITTEN, assigns=restore),
        Edge(RESTORE_LINK, ACTIVE, ACTIVE, unless=AS_WRITTEN),
        *(Edge(RESTORE_LINK, over, over) for over in (ABANDONED, SUPERSEDED, COMPLETED)),
        Edge(ISSUE_PREVIEW, ACTIVE, ACTIVE, guards=EXACT, assigns=touch),
        Edge(REVOKE_PREVIEW, ACTIVE, ACTIVE, guards=EXACT, assigns=touch),
        Edge(CHECK_MUTATION, ACTIVE, ACTIVE, guards=EXACT),
        Edge(BIND_WRITTEN, ACTIVE, ACTIVE, guards=EXACT, assigns=touch),
        Edge(CONSUME_PREVIEW, ACTIVE, ACTIVE, guards=EXACT, assigns=touch),
        Edge(COMMIT_FOUND_STALE, ACTIVE, ACTIVE, guards=EXACT),
        Edge(CLAIM_MARKER, ACTIVE, ACTIVE, guards=EXACT, assigns=claim_marker),
        Edge(COMPLETE, ACTIVE, COMPLETED, guards=DONE, assigns=touch, effects=retire_intents),
        Edge(COMPLETE, COMPLETED, COMPLETED, guards=DONE),
        Edge(ABANDON, ACTIVE, ABANDONED, guards=OWNED, assigns=touch, effects=retire_intents),
        Edge(ABANDON, ABANDONED, ABANDONED, guards=EXACT),
        Edge(SUPERSEDE, ACTIVE, SUPERSEDED, guards=OWNED, assigns=touch, effects=retire_intents),
        *(Edge(RETRY_CLEANUP, over, over, guards=EXACT) for over in (ABANDONED, SUPERSEDED)),
        *(Edge(DISOWN, state, state, guards=EXACT) for state in WorkflowStatus),
    ),
    otherwise={
        PROVE_OWNERSHIP: NOT_ACTIVE,
        SELECT_BUILD: NOT_ACTIVE,
        LINK_OPERATION: NOT_ACTIVE,
        ISSUE_PREVIEW: NOT_ACTIVE,
        REVOKE_PREVIEW: NOT_ACTIVE,
        CHECK_MUTATION: NOT_ACTIVE,
        BIND_WRITTEN: NOT_ACTIVE,
        CONSUME_PREVIEW: NOT_ACTIVE,
        COMMIT_FOUND_STALE: NOT_ACTIVE,
        CLAIM_MARKER: NOT_ACTIVE,
        COMPLETE: NOT_ACTIVE,
        ABANDON: NOT_ACTIVE,
        SUPERSEDE: NOT_ACTIVE,
        RETRY_CLEANUP: {ACTIVE: Code.SETUP_ABANDON_REQUIRED, COMPLETED: NOT_ACTIVE},
    },
)

# The workflow is asked first: whoever acts for the wrong one learns nothing about the rest. A setup that is alive is
# resumed without any trigger, so a `BEGIN` that meets one has lost a race.
GUIDED_SETUP: Final = Regions[GuidedSetup](
    name="guided_setup",
    begins=Beginning(BEGIN, guards=(predecessor_is_settled,), creates=begin, otherwise=Code.SETUP_ABANDON_REQUIRED),
    absent=Code.SETUP_WORKFLOW_REQUIRED,
    machines=(WORKFLOW, PREVIEW, CLEANUP),
)

OWED: Final = frozenset({CleanupState.PENDING, CleanupState.COMPLETE, CleanupState.REVIEW_REQUIRED})
CLEANUP_BESIDE: Final = {
    ACTIVE: frozenset({CleanupState.NOT_REQUIRED}),
    ABANDONED: OWED,
    SUPERSEDED: OWED,
    COMPLETED: frozenset({CleanupState.NOT_REQUIRED}),
}


def slots_fit(record: GuidedSetup) -> bool:
    """Say whether these machines can have written the three slots together.

    A workflow that ends without success owes its cleanup in the same commit, no other one ever owes any, and what is
    over authorises nothing. A record for which this is false has no way on: it is read as unreadable, and released.
    """
    over = record.status in WORKFLOW.final
    return record.cleanup.state in CLEANUP_BESIDE[record.status] and not (over and record.preview is not None)
