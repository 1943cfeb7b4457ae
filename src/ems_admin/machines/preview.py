"""The exact preview: what was shown is what is carried out, or nothing is.

Slot `preview` of B0. The guards are checks 02 to 05 of the mutation contract, in that order; 01 is the workflow's, 06
and 08 belong to the config seam, and 07 is 04 asked again under the config lock.

Source: `seed 000` 2.3, `site.md` 2 (*Preview*).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Edge, Machine, guard
from ems_admin.machines.records.setup import BaseRevision, GuidedSetup, Preview
from ems_admin.machines.setup.facts import (
    ABANDON,
    BIND_WRITTEN,
    CHECK_MUTATION,
    COMMIT_FOUND_STALE,
    COMPLETE,
    CONSUME_PREVIEW,
    ISSUE_PREVIEW,
    REVOKE_PREVIEW,
    SUPERSEDE,
    IssueFacts,
    Moment,
    MutationFacts,
    PreviewFacts,
    WrittenFacts,
)


class PreviewState(StrEnum):
    """What the operator was last shown, as far as it still authorises anything."""

    NONE = "none"
    ISSUED = "issued"
    BOUND = "bound"


def preview_state(record: GuidedSetup) -> PreviewState:
    """Read the slot: a preview is bound while the written config was made from it."""
    if record.preview is None:
        return PreviewState.NONE
    bound = record.preview.preview_id == record.artifacts.generated_preview_id
    return PreviewState.BOUND if bound else PreviewState.ISSUED


@guard(Code.SETUP_PREVIEW_MISMATCH)
def preview_id_is_new(record: GuidedSetup, facts: IssueFacts) -> bool:
    """The new preview does not pass for the one that the written config was made from."""
    return facts.preview_id != record.artifacts.generated_preview_id


@guard(Code.SETUP_PREVIEW_REQUIRED)
def preview_is_named(_record: GuidedSetup, facts: MutationFacts) -> bool:
    """The request names a preview."""
    return facts.preview_id is not None


@guard(Code.SETUP_PREVIEW_MISMATCH)
def preview_is_exact(record: GuidedSetup, facts: MutationFacts) -> bool:
    """The preview named is the stored one, and its draft still has the fingerprint."""
    shown = record.preview
    return shown is not None and (
        (shown.preview_id, shown.draft_fingerprint) == (facts.preview_id, facts.draft_fingerprint)
    )


@guard(Code.STALE_SETUP_CONFIG)
def config_is_as_shown(record: GuidedSetup, facts: MutationFacts) -> bool:
    """The live config is still the one that the preview was compared with."""
    return record.preview is not None and record.preview.base_config_revision == base(facts.live_revision)


@guard(Code.SETUP_PREVIEW_MISMATCH)
def payload_is_as_shown(record: GuidedSetup, facts: MutationFacts) -> bool:
    """Serialising the draft again gives the very bytes that were shown."""
    shown = record.preview
    return shown is not None and shown.prepared_config_sha256 == facts.prepared_config_sha256


@guard(Code.SETUP_PREVIEW_MISMATCH)
def preview_is_stored(record: GuidedSetup, facts: PreviewFacts) -> bool:
    """The stored preview is still the one that was carried out."""
    return record.preview is not None and record.preview.preview_id == facts.preview_id


def base(live_revision: str | None) -> BaseRevision:
    """Say what a preview is compared with. Absence is a revision like any other."""
    return BaseRevision(expected_revision=live_revision, expect_absent=live_revision is None)


def issue(record: GuidedSetup, facts: IssueFacts) -> GuidedSetup:
    """Store the new preview; an older one is void from here on."""
    preview = Preview(
        preview_id=facts.preview_id,
        draft_fingerprint=facts.draft_fingerprint,
        base_config_revision=base(facts.live_revision),
        prepared_config_sha256=facts.prepared_config_sha256,
        issued_at=facts.now,
    )
    return evolve(record, preview=preview)


def bind(record: GuidedSetup, facts: WrittenFacts) -> GuidedSetup:
    """Claim the written config for the preview that it was made from."""
    artifacts = evolve(
        record.artifacts,
        generated_config=facts.generated_config,
        generated_metadata=facts.generated_metadata,
        generated_preview_id=facts.preview_id,
    )
    return evolve(record, artifacts=artifacts)


def drop(record: GuidedSetup, _facts: object) -> GuidedSetup:
    """Consume the preview: after that, nothing may be carried out."""
    return evolve(record, preview=None)


def revoke(record: GuidedSetup, facts: Moment) -> GuidedSetup:
    """Drop the preview in a step that no other machine takes, and note when."""
    return evolve(record, preview=None, updated_at=facts.now)


NONE, ISSUED, BOUND = PreviewState.NONE, PreviewState.ISSUED, PreviewState.BOUND
ANY: Final = (NONE, ISSUED, BOUND)
SHOWN: Final = (ISSUED, BOUND)

NAMED: Final = (preview_is_named, preview_is_exact)
AS_COMPARED: Final = (config_is_as_shown,)
AS_PREPARED: Final = (payload_is_as_shown,)
SAME: Final = (*NAMED, *AS_COMPARED, *AS_PREPARED)
STORED: Final = (preview_is_stored,)

REQUIRED: Final = Code.SETUP_PREVIEW_REQUIRED
MISMATCH: Final = Code.SETUP_PREVIEW_MISMATCH
STALE: Final = Code.STALE_SETUP_CONFIG

# A preview that went stale, or cannot be reproduced, will never be worth anything again: those two refusals revoke it.
# One that is merely named wrongly belongs to somebody else and stays. A preview issued while an older one is carried
# out is not consumed with it, and consuming twice is harmless: the config seam may be entered again after a crash.
PREVIEW: Final = Machine[GuidedSetup, PreviewState](
    name="preview",
    states=PreviewState,
    reads=preview_state,
    initial=(NONE,),
    codes=Code,
    edges=(
        Edge(ISSUE_PREVIEW, ANY, ISSUED, guards=(preview_id_is_new,), assigns=issue),
        Edge(REVOKE_PREVIEW, ANY, NONE, assigns=drop),
        Edge(CHECK_MUTATION, ISSUED, ISSUED, guards=SAME),
        Edge(CHECK_MUTATION, BOUND, BOUND, guards=SAME),
        Edge(CHECK_MUTATION, SHOWN, NONE, guards=NAMED, unless=AS_COMPARED, assigns=revoke, answers=STALE),
        Edge(CHECK_MUTATION, SHOWN, NONE, guards=NAMED, unless=AS_PREPARED, assigns=revoke, answers=MISMATCH),
        Edge(BIND_WRITTEN, SHOWN, BOUND, guards=STORED, assigns=bind),
        Edge(CONSUME_PREVIEW, SHOWN, NONE, guards=STORED, assigns=drop),
        Edge(CONSUME_PREVIEW, ISSUED, ISSUED, unless=STORED),
        Edge(CONSUME_PREVIEW, BOUND, BOUND, unless=STORED),
        Edge(CONSUME_PREVIEW, NONE, NONE),
        Edge(COMMIT_FOUND_STALE, SHOWN, NONE, guards=STORED, assigns=revoke, answers=STALE),
        Edge(COMPLETE, ANY, NONE, assigns=drop),
        Edge(ABANDON, ANY, NONE, assigns=drop),
        Edge(SUPERSEDE, ANY, NONE, assigns=drop),
    ),
    otherwise={CHECK_MUTATION: REQUIRED, BIND_WRITTEN: REQUIRED, COMMIT_FOUND_STALE: STALE},
)
