"""What the steps of a Guided Setup write into its record, field by field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.records.setup import (
    NO_CLEANUP,
    SETUP_FORMAT,
    Artifacts,
    ArtifactStatus,
    BaseRevision,
    GuidedSetup,
    Preview,
    WorkflowStatus,
)
from ems_admin.machines.records.transition import Mode
from tests.machines.transcript import replay

BEGUN: Final = """
given workflow_id=w1 selected_system_tag=v1 system_tag=v2 mode=automated_setup
given transition=none live_operation_id=- preview_id=p1 draft_fingerprint=sha256:f1 live_revision=r1
given prepared_config_sha256=s1 generated_config=generated/c.json generated_metadata=generated/m.json
given deployment_marker=state/marker.json confirm=yes reason=kept
begin now=12:00
"""


def told(story: str) -> GuidedSetup:
    """Replay a story that begins at noon, and give the record at its end."""
    record = replay(GUIDED_SETUP, BEGUN + story).record
    assert record is not None
    return record


def at(hour: int) -> datetime:
    return datetime(2026, 1, 1, hour, tzinfo=UTC)


def test_a_new_workflow_owns_nothing_yet() -> None:
    assert told("") == GuidedSetup(
        format_version=SETUP_FORMAT,
        workflow_id="w1",
        status=WorkflowStatus.ACTIVE,
        operation_id=None,
        transition_mode=None,
        selected_system_tag="v1",
        preview=None,
        artifacts=Artifacts(
            generated_config=None, generated_metadata=None, generated_preview_id=None, deployment_marker=None
        ),
        cleanup=NO_CLEANUP,
        created_at=at(12),
        updated_at=at(12),
    )


def test_a_link_keeps_operation_mode_and_tag_together() -> None:
    record = told("link_operation now=13:00 operation_id=op1 replaces=-\n")
    assert (record.operation_id, record.transition_mode) == ("op1", Mode.AUTOMATED_SETUP)
    assert (record.selected_system_tag, record.updated_at) == ("v2", at(13))


def test_a_link_that_is_taken_back_leaves_the_choice() -> None:
    record = told(
        "link_operation now=13:00 operation_id=op1 replaces=-\n"
        "link_operation now=13:00 operation_id=op2 replaces=op1\n"
        "restore_link now=14:00 written=op2 previous=op1\n"
    )
    assert (record.operation_id, record.transition_mode) == ("op1", Mode.AUTOMATED_SETUP)
    assert (record.selected_system_tag, record.updated_at) == ("v2", at(14))


def test_a_preview_keeps_what_it_was_compared_with() -> None:
    assert told("issue_preview now=13:00\n").preview == Preview(
        preview_id="p1",
        draft_fingerprint="sha256:f1",
        base_config_revision=BaseRevision(expected_revision="r1", expect_absent=False),
        prepared_config_sha256="s1",
        issued_at=at(13),
    )
    absent = told("issue_preview now=13:00 live_revision=-\n").preview
    assert absent is not None
    assert absent.base_config_revision == BaseRevision(expected_revision=None, expect_absent=True)


def test_writing_claims_config_sidecar_and_their_preview() -> None:
    record = told("issue_preview now=13:00\nbind_written now=14:00\nclaim_marker now=15:00\n")
    assert record.artifacts == Artifacts(
        generated_config="generated/c.json",
        generated_metadata="generated/m.json",
        generated_preview_id="p1",
        deployment_marker="state/marker.json",
    )
    assert record.updated_at == at(15)


def test_a_completed_workflow_keeps_its_claims_and_owes_nothing() -> None:
    story = "issue_preview now=13:00\nbind_written now=14:00\nlink_operation now=14:00 operation_id=op1 replaces=-\n"
    record = told(story + "complete now=15:00 operation_id=op1\n")
    assert record.artifacts.generated_preview_id == "p1"
    assert (record.cleanup, record.preview, record.updated_at) == (NO_CLEANUP, None, at(15))


ENDED: Final = "claim_marker now=12:00\nabandon now=13:00\n"


def test_a_cleanup_keeps_every_artifact_and_what_became_of_it() -> None:
    record = told(
        ENDED + "cleanup_ran now=14:00 artifacts=workflow_directory:failed,deployment_marker:review_required\n"
    )
    assert record.cleanup.attempted_at == record.updated_at == at(14)
    assert (record.cleanup.failed_count, record.cleanup.review_count) == (1, 1)
    statuses = [entry.status for entry in record.cleanup.artifacts]
    assert statuses == [ArtifactStatus.FAILED, ArtifactStatus.REVIEW_REQUIRED]
    assert record.artifacts.deployment_marker == "state/marker.json", "claimed until it is settled"


def test_what_was_disowned_says_so_and_claims_nothing() -> None:
    ran = "cleanup_ran now=14:00 artifacts=workflow_directory:removed,deployment_marker:review_required\n"
    record = told(ENDED + ran + "disown now=15:00\n")
    assert [entry.status for entry in record.cleanup.artifacts] == [ArtifactStatus.REMOVED, ArtifactStatus.DISOWNED]
    assert (record.artifacts.deployment_marker, record.cleanup.review_count, record.updated_at) == (None, 0, at(15))
    assert record.cleanup.attempted_at == at(14)


def test_a_stranded_review_loses_only_what_was_never_its_own() -> None:
    ran = "cleanup_ran now=14:00 artifacts=workflow_directory:absent,deployment_marker:review_required\n"
    record = told("abandon now=13:00\n" + ran + "reconcile_review now=15:00\n")
    assert [entry.status for entry in record.cleanup.artifacts] == [ArtifactStatus.ABSENT]
    assert (record.cleanup.review_count, record.updated_at) == (0, at(15))


def test_a_read_that_reconciles_nothing_changes_nothing() -> None:
    assert told("reconcile_review now=15:00\n").updated_at == at(12)


def test_failures_are_counted_on_while_the_same_artifact_fails() -> None:
    once = ENDED + "cleanup_ran now=14:00 artifacts=workflow_directory:failed\n"
    again = "retry_cleanup now=14:00\ncleanup_ran now=14:00 artifacts=workflow_directory:failed\n"
    other = "retry_cleanup now=14:00\ncleanup_ran now=14:00 artifacts=deployment_marker:failed\n"
    assert told(once).cleanup.failed_count == 1
    assert told(once + again).cleanup.failed_count == 2
    assert told(once + again + other).cleanup.failed_count == 1
