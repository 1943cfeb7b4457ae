"""A generated config is deployed by its own workflow, and only over what its preview was compared with.

Source: `seed 000` 2.2.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.preview import base
from ems_admin.machines.records.setup import METADATA_FORMAT, OWNER, GeneratedMetadata, GuidedSetup
from ems_admin.machines.setup.generated_config import GeneratedFacts, deploy_refusal
from tests.machines.transcript import replay

WRITTEN: Final = """
given workflow_id=w1 selected_system_tag=v1 now=12:00 transition=none live_operation_id=-
given preview_id=p1 draft_fingerprint=f1 live_revision=- prepared_config_sha256=s1
given generated_config=c generated_metadata=m operation_id=op1 replaces=- mode=fresh_install system_tag=v1
begin
issue_preview
bind_written
"""


def record(story: str = "") -> GuidedSetup:
    told = replay(GUIDED_SETUP, WRITTEN + story).record
    assert told is not None
    return told


METADATA: Final = GeneratedMetadata(
    format_version=METADATA_FORMAT,
    owner=OWNER,
    workflow_id="w1",
    preview_id="p1",
    draft_fingerprint="f1",
    base_config_revision=base(None),
    prepared_config_sha256="s1",
    recorded_at=record().created_at,
)


def refusal(live: str | None, *, compared_with: str | None = None, **changes: Any) -> Code | None:
    metadata = evolve(METADATA, base_config_revision=base(compared_with))
    facts = GeneratedFacts(metadata=metadata, generated_sha256="s1", live_revision=live)
    refused = deploy_refusal(record(), evolve(facts, **changes))
    return Code(refused.code) if refused else None


@pytest.mark.parametrize(
    ("compared_with", "live", "code"),
    [
        (None, None, None),
        (None, "s1", None),
        (None, "r9", Code.STALE_GENERATED_CONFIG),
        ("r1", None, Code.STALE_GENERATED_CONFIG),
        ("r1", "r1", None),
        ("r1", "s1", None),
        ("r1", "r9", Code.STALE_GENERATED_CONFIG),
    ],
)
def test_presence_and_absence_are_both_part_of_the_revision(
    compared_with: str | None, live: str | None, code: Code | None
) -> None:
    assert refusal(live, compared_with=compared_with) is code


@pytest.mark.parametrize(
    "changes",
    [
        {"metadata": None},
        {"metadata": evolve(METADATA, owner="somebody")},
        {"metadata": evolve(METADATA, workflow_id="w0")},
        {"metadata": evolve(METADATA, preview_id="p0")},
        {"metadata": evolve(METADATA, prepared_config_sha256="s0")},
        {"generated_sha256": "s9"},
    ],
    ids=["no_sidecar", "owner", "workflow", "preview", "hash", "tampered"],
)
def test_what_is_not_provably_its_own_is_reviewed_first(changes: dict[str, Any]) -> None:
    assert refusal(None, **changes) is Code.GENERATED_CONFIG_REVIEW_REQUIRED
    assert refusal("r9", **changes) is Code.GENERATED_CONFIG_REVIEW_REQUIRED, "ownership comes before freshness"


def test_a_newer_preview_never_disowns_what_was_written() -> None:
    newer = record("issue_preview preview_id=p2 prepared_config_sha256=s2\n")
    facts = GeneratedFacts(metadata=METADATA, generated_sha256="s1", live_revision=None)
    assert deploy_refusal(newer, facts) is None


@pytest.mark.parametrize("end", ["abandon\n", "supersede\n", "link_operation\ncomplete\n"])
def test_a_workflow_that_is_over_deploys_nothing(end: str) -> None:
    refused = deploy_refusal(record(end), GeneratedFacts(metadata=METADATA, generated_sha256="s1", live_revision=None))
    assert refused is not None
    assert refused.code is Code.GENERATED_CONFIG_REVIEW_REQUIRED
