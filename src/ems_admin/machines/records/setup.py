"""B0 and B2a: one Guided Setup workflow, and the sidecar of the config that it generated.

Source: `site.md` 4 (B0, B2a), `seed 000` 1.1, 2.2, 5.3.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Mode


class WorkflowStatus(StrEnum):
    """How the workflow stands. It ends in one of three ways, and never comes back."""

    ACTIVE = "active"
    ABANDONED = "abandoned"
    SUPERSEDED = "superseded"
    COMPLETED = "completed"


class CleanupState(StrEnum):
    """What is still on disk of a workflow that has ended. Ending is one fact, this is another."""

    NOT_REQUIRED = "not_required"
    PENDING = "pending"
    COMPLETE = "complete"
    REVIEW_REQUIRED = "review_required"


class ArtifactKind(StrEnum):
    """What a workflow may leave behind."""

    WORKFLOW_DIRECTORY = "workflow_directory"
    GENERATED_CONFIG = "generated_config"
    GENERATED_METADATA = "generated_metadata"
    LEGACY_GENERATED_CONFIG = "legacy_generated_config"
    LEGACY_GENERATED_METADATA = "legacy_generated_metadata"
    DEPLOYMENT_MARKER = "deployment_marker"


class ArtifactStatus(StrEnum):
    """What became of one artifact."""

    REMOVED = "removed"
    ABSENT = "absent"
    FAILED = "failed"
    REVIEW_REQUIRED = "review_required"
    DISOWNED = "disowned"


@frozen(kw_only=True)
class BaseRevision:
    """The live config that a preview was compared with. Absence is a state of it like any other."""

    expected_revision: str | None
    expect_absent: bool


@frozen(kw_only=True)
class Preview:
    """The one request that was shown and may be carried out."""

    preview_id: str
    draft_fingerprint: str
    """`sha256:…` over the whole input of the mutation."""
    base_config_revision: BaseRevision
    prepared_config_sha256: str
    issued_at: datetime


@frozen(kw_only=True)
class Artifacts:
    """What the workflow claims as its own; `None` when unclaimed. Paths are relative to the Admin data."""

    generated_config: str | None
    generated_metadata: str | None
    generated_preview_id: str | None
    deployment_marker: str | None


NO_ARTIFACTS = Artifacts(
    generated_config=None, generated_metadata=None, generated_preview_id=None, deployment_marker=None
)


@frozen(kw_only=True)
class CleanupEntry:
    """One artifact and what became of it: no path, no text of the operating system."""

    kind: ArtifactKind
    status: ArtifactStatus


@frozen(kw_only=True)
class Cleanup:
    """The last attempt to remove what the workflow left behind."""

    state: CleanupState
    attempted_at: datetime | None
    failed_count: int
    review_count: int
    artifacts: tuple[CleanupEntry, ...]


NO_CLEANUP = Cleanup(state=CleanupState.NOT_REQUIRED, attempted_at=None, failed_count=0, review_count=0, artifacts=())


@frozen(kw_only=True)
class GuidedSetup:
    """B0. Slots for workflow (`status`), preview and cleanup; three machines read them."""

    format_version: int
    workflow_id: str
    """32 random bytes, url-safe base64."""
    status: WorkflowStatus
    operation_id: str | None
    """The System Alignment operation that this workflow owns; written before that operation exists."""
    transition_mode: Mode | None
    selected_system_tag: str | None
    preview: Preview | None
    artifacts: Artifacts
    cleanup: Cleanup
    created_at: datetime
    updated_at: datetime


@frozen(kw_only=True)
class GeneratedMetadata:
    """B2a, the sidecar beside a generated config: whose it is, and what it was made from."""

    format_version: int
    owner: str
    workflow_id: str
    preview_id: str
    draft_fingerprint: str
    base_config_revision: BaseRevision
    prepared_config_sha256: str
    recorded_at: datetime


OWNER = "guided_setup"
"""The owner word in B2a and B3."""
SETUP_FORMAT = 2
METADATA_FORMAT = 2


@frozen(kw_only=True)
class ValidationEntry:
    """One finding about a draft, with the JSON pointer of the field."""

    code: Code
    pointer: str
    message: str
