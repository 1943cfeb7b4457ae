"""Who may act for a Guided Setup at all: check 01, asked before anything is claimed, and again under the claim.

It is a table and not an edge because it is asked where nothing moves, and because a request that names no workflow is
told so also when the stored one is over.

Source: `site.md` 1.8 and 1.9, `seed 000` 2.3 (01), 5.3.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import HOLDS, Refusal, Table, Trigger, row
from ems_admin.machines.records.setup import CleanupState, GuidedSetup, WorkflowStatus
from ems_admin.machines.setup.facts import ABANDON, RETRY_CLEANUP, Naming, TransitionFacts, naming


class Stored(StrEnum):
    """What stands in B0. One that cannot be read is the reader's answer, not a member here."""

    ABSENT = "absent"
    ACTIVE = "active"
    OVER = "over"


class Verdict(StrEnum):
    """Whether the request may act for the workflow."""

    HOLDS = "holds"
    REQUIRED = "required"
    NOT_ACTIVE = "not_active"


@frozen
class Claim:
    """What stands there, and what the request names."""

    stored: Stored
    naming: Naming


SETUP_AUTHORITY: Final = Table[Claim, Verdict](
    name="setup_authority",
    asks=Claim,
    rows=(
        row(Verdict.REQUIRED, stored=Stored.ABSENT),
        row(Verdict.REQUIRED, naming=Naming.MISSING),
        row(Verdict.NOT_ACTIVE, naming=Naming.FOREIGN),
        row(Verdict.NOT_ACTIVE, stored=Stored.OVER),
        row(Verdict.HOLDS),
    ),
)

REFUSALS: Final[dict[Verdict, Refusal | None]] = {
    Verdict.HOLDS: HOLDS,
    Verdict.REQUIRED: Refusal(Code.SETUP_WORKFLOW_REQUIRED, rule="The request names a workflow, and there is one."),
    Verdict.NOT_ACTIVE: Refusal(Code.SETUP_WORKFLOW_NOT_ACTIVE, rule="The request names the one active workflow."),
}


def stored(record: GuidedSetup | None) -> Stored:
    """Classify a readable B0."""
    if record is None:
        return Stored.ABSENT
    return Stored.ACTIVE if record.status is WorkflowStatus.ACTIVE else Stored.OVER


def authority_refusal(record: GuidedSetup | None, workflow_id: str | None) -> Refusal | None:
    """Say what stands against acting for the workflow that the request names; `None` when nothing does."""
    named = Naming.FOREIGN if workflow_id else Naming.MISSING
    if record is not None:
        named = naming(record, workflow_id)
    return REFUSALS[SETUP_AUTHORITY.classify(Claim(stored(record), named))]


def naming_refusal(record: GuidedSetup | None, workflow_id: str | None) -> Refusal | None:
    """Say what stands against speaking of this very workflow, alive or over; `None` when nothing does."""
    if record is None or workflow_id is None:
        return REFUSALS[Verdict.REQUIRED]
    return None if naming(record, workflow_id) is Naming.EXACT else REFUSALS[Verdict.NOT_ACTIVE]


def abandoning(record: GuidedSetup) -> Trigger[TransitionFacts]:
    """Say what a request to abandon means: the end of the workflow, or another go at a cleanup that is unfinished.

    One route serves both. What is already settled hears `ABANDON` again, and answers accordingly.
    """
    unfinished = {CleanupState.PENDING, CleanupState.REVIEW_REQUIRED}
    return RETRY_CLEANUP if record.cleanup.state in unfinished else ABANDON
