"""What the three machines of Guided Setup hear, what has to be found out first, and the rules they share.

The record is B0 (`records/setup.py`). Facts are gathered beforehand: times, ids, hashes, and what B1 shows. Whether
other work runs is asked of `work.py`, under whose claim all of this is decided.

Source: `seed 000` 2.3, 5.3, 5.5, `site.md` 1.9 and 2.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Trigger, guard
from ems_admin.machines.records.setup import CleanupEntry, GuidedSetup
from ems_admin.machines.records.transition import SETUP_MODES, Mode, Stage, Transition


@frozen(kw_only=True)
class Moment:
    """When it is."""

    now: datetime


@frozen(kw_only=True)
class BeginFacts(Moment):
    """A new id, and the build that was chosen already: a superseding workflow knows it, another one does not."""

    workflow_id: str
    selected_system_tag: str | None


@frozen(kw_only=True)
class WorkflowFacts(Moment):
    """Which workflow the caller means to act for; `None` when the request named none."""

    workflow_id: str | None


@frozen(kw_only=True)
class LinkFacts(WorkflowFacts):
    """The operation that is about to be created, and the one that the caller saw linked before."""

    operation_id: str
    mode: Mode
    system_tag: str
    replaces: str | None


@frozen(kw_only=True)
class RestoreFacts(WorkflowFacts):
    """The link that an attempt wrote, and what stood there before."""

    written: str
    previous: str | None


class LiveTransition(StrEnum):
    """What B1 shows. A transition that is over is none."""

    NONE = "none"
    SETUP = "setup"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"


def live_transition(transition: Transition | None) -> LiveTransition:
    """Classify a readable B1. The mode classifies, it proves nothing; whoever could not read says `UNREADABLE`."""
    if transition is None or transition.stage in {Stage.COMPLETED, Stage.CANCELLED}:
        return LiveTransition.NONE
    return LiveTransition.SETUP if transition.mode in SETUP_MODES else LiveTransition.FOREIGN


@frozen(kw_only=True)
class TransitionFacts(WorkflowFacts):
    """What B1 shows just now, and the operation that it names."""

    transition: LiveTransition
    live_operation_id: str | None


@frozen(kw_only=True)
class SelectFacts(TransitionFacts):
    """The build that was chosen."""

    system_tag: str


@frozen(kw_only=True)
class OperationFacts(WorkflowFacts):
    """The operation that is spoken of."""

    operation_id: str


@frozen(kw_only=True)
class IssueFacts(WorkflowFacts):
    """A draft as it was resolved, fingerprinted and serialised just now. `live_revision` is `None` without a config."""

    preview_id: str
    draft_fingerprint: str
    live_revision: str | None
    prepared_config_sha256: str


@frozen(kw_only=True)
class MutationFacts(WorkflowFacts):
    """The preview that the caller names, and its draft worked out once more."""

    preview_id: str | None
    draft_fingerprint: str
    live_revision: str | None
    prepared_config_sha256: str


@frozen(kw_only=True)
class PreviewFacts(WorkflowFacts):
    """The preview that an act was carried out for."""

    preview_id: str


@frozen(kw_only=True)
class WrittenFacts(PreviewFacts):
    """Where the generated config and its sidecar were written, relative to the Admin data."""

    generated_config: str
    generated_metadata: str


@frozen(kw_only=True)
class MarkerFacts(WorkflowFacts):
    """Where the deployment marker was written, relative to the Admin data."""

    deployment_marker: str


@frozen(kw_only=True)
class CleanupFacts(WorkflowFacts):
    """What became of each artifact."""

    artifacts: tuple[CleanupEntry, ...]


@frozen(kw_only=True)
class DisownFacts(WorkflowFacts):
    """Whether the operator said yes to leaving the files as they are, and why."""

    confirm: bool
    reason: str


BEGIN: Final = Trigger("begin", BeginFacts)
PROVE_OWNERSHIP: Final = Trigger("prove_ownership", TransitionFacts)
SELECT_BUILD: Final = Trigger("select_build", SelectFacts)
LINK_OPERATION: Final = Trigger("link_operation", LinkFacts)
RESTORE_LINK: Final = Trigger("restore_link", RestoreFacts)
ISSUE_PREVIEW: Final = Trigger("issue_preview", IssueFacts)
REVOKE_PREVIEW: Final = Trigger("revoke_preview", WorkflowFacts)
CHECK_MUTATION: Final = Trigger("check_mutation", MutationFacts)
BIND_WRITTEN: Final = Trigger("bind_written", WrittenFacts)
CONSUME_PREVIEW: Final = Trigger("consume_preview", PreviewFacts)
COMMIT_FOUND_STALE: Final = Trigger("commit_found_stale", PreviewFacts)
CLAIM_MARKER: Final = Trigger("claim_marker", MarkerFacts)
COMPLETE: Final = Trigger("complete", OperationFacts)
ABANDON: Final = Trigger("abandon", TransitionFacts)
SUPERSEDE: Final = Trigger("supersede", TransitionFacts)
CLEANUP_RAN: Final = Trigger("cleanup_ran", CleanupFacts)
RETRY_CLEANUP: Final = Trigger("retry_cleanup", TransitionFacts)
DISOWN: Final = Trigger("disown", DisownFacts)
RECONCILE_REVIEW: Final = Trigger("reconcile_review", Moment)


class Naming(StrEnum):
    """Whether a request names this workflow."""

    EXACT = "exact"
    MISSING = "missing"
    FOREIGN = "foreign"


def naming(record: GuidedSetup, workflow_id: str | None) -> Naming:
    """Compare the id that a request names with the stored one: nothing falls back to whichever is stored."""
    if workflow_id is None:
        return Naming.MISSING
    return Naming.EXACT if workflow_id == record.workflow_id else Naming.FOREIGN


@guard(
    {
        Naming.EXACT: HOLDS,
        Naming.MISSING: Code.SETUP_WORKFLOW_REQUIRED,
        Naming.FOREIGN: Code.SETUP_WORKFLOW_NOT_ACTIVE,
    }
)
def workflow_is_exact(record: GuidedSetup, facts: WorkflowFacts) -> Naming:
    """The request names this very workflow."""
    return naming(record, facts.workflow_id)


class Ownership(StrEnum):
    """Whose the live transition is. The mode classifies it; only the operation id proves it."""

    NONE = "none"
    OWNED = "owned"
    UNPROVEN = "unproven"
    MISMATCH = "mismatch"
    UNREADABLE = "unreadable"


@guard(
    {
        Ownership.NONE: HOLDS,
        Ownership.OWNED: HOLDS,
        Ownership.UNPROVEN: Code.SETUP_TRANSITION_OWNER_UNPROVEN,
        Ownership.MISMATCH: Code.SETUP_TRANSITION_CONTEXT_MISMATCH,
        Ownership.UNREADABLE: Code.TRANSITION_STATUS_UNAVAILABLE,
    }
)
def transition_is_owned(record: GuidedSetup, facts: TransitionFacts) -> Ownership:
    """The live transition, if there is one, is the operation that this workflow names."""
    match facts.transition:
        case LiveTransition.NONE:
            return Ownership.NONE
        case LiveTransition.UNREADABLE:
            return Ownership.UNREADABLE
        case LiveTransition.FOREIGN:
            return Ownership.UNPROVEN
        case LiveTransition.SETUP:
            if record.operation_id is None:
                return Ownership.UNPROVEN
            return Ownership.OWNED if record.operation_id == facts.live_operation_id else Ownership.MISMATCH


EXACT: Final = (workflow_is_exact,)
OWNED: Final = (workflow_is_exact, transition_is_owned)
"""Who cannot name the transition cannot know which artifacts are its own either: nothing ends, nothing is cleaned."""


def touch(record: GuidedSetup, facts: Moment) -> GuidedSetup:
    """Note when the record was last changed."""
    return evolve(record, updated_at=facts.now)
