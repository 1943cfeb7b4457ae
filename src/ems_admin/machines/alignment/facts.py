"""What is asked of a System Alignment transition, and the facts that come with each question.

Facts are gathered under the lock of B1, just before the decision. A liveness that could not be read is a value of
its own, and no rule takes it for "no".

Source: `site.md` 3, `replacement.md` 7.3, 7.6, `seed 000` 5.3, 5.5.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.expiry import Expiry
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Trigger
from ems_admin.machines.records.transition import (
    AcceptedBy,
    AdminIdentity,
    CompatibilityMode,
    DigestKind,
    Mode,
    ResourceStrategy,
)


class Worker(StrEnum):
    """Whether running work of this process names the operation."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    UNKNOWN = "unknown"


class Updater(StrEnum):
    """What the engine says of the updater of the last attempt."""

    RUNNING = "running"
    """Or restarting: somebody acts."""
    CREATED = "created"
    """Never started. Whoever cancels removes it, without force."""
    INACTIVE = "inactive"
    """Proven absent, or exited."""
    UNKNOWN = "unknown"


class OwnName(StrEnum):
    """Whether the Admin that answers bears its own name, and has not been set aside by an updater."""

    HELD = "held"
    SET_ASIDE = "set_aside"
    UNKNOWN = "unknown"


class RunningEms(StrEnum):
    """Which EMS the engine shows running, measured by the digest of the operation."""

    EXACT = "exact"
    OTHER = "other"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class EmsHealth(StrEnum):
    """What the health check found."""

    HEALTHY = "healthy"
    IDENTITY_UNVERIFIABLE = "identity_unverifiable"
    IDENTITY_MISMATCH = "identity_mismatch"
    UNHEALTHY = "unhealthy"


class LiveConflict(StrEnum):
    """Whether the container in the way is still the one that the operator decided about, and fits the action."""

    SAME = "same"
    CHANGED = "changed"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class BeginFacts:
    """All that a new operation is: every field of its identity that is not worked out from these."""

    now: datetime
    operation_id: str
    mode: Mode
    system_tag: str
    build_id: str
    revision: str
    admin_image: str | None
    admin_digest: str
    ems_image: str | None
    ems_digest: str
    digest_kind: DigestKind
    boot_id: str | None
    boottime: float | None
    admin_alignment_required: bool
    """Whether another Admin than the running one belongs to the build."""
    request_fingerprint: str
    compatibility_mode: CompatibilityMode
    resource_strategy: ResourceStrategy
    orchestrator_admin: AdminIdentity | None
    """The Admin that runs while the operation begins."""
    accepted_by: AcceptedBy
    acknowledged_development_tag: str | None
    """The tag whose development build was chosen on purpose."""


@frozen(kw_only=True)
class OperationFacts:
    """The exact operation, and when. Every question names it: a record may have been replaced meanwhile."""

    now: datetime
    operation_id: str


@frozen(kw_only=True)
class AgedFacts(OperationFacts):
    """For what expiry closes or opens."""

    expiry: Expiry


@frozen(kw_only=True)
class AdminClaimFacts(AgedFacts):
    """An updater asks for the operation."""

    attempt: int
    last_attempt: int | None
    """The number of the last attempt in the dispatch record; `None` when there is none, or none readable."""


@frozen(kw_only=True)
class ReconnectFacts(AgedFacts):
    """Who runs now, in the words of its own build; `None` for a word that cannot be read."""

    running_digest: str | None
    running_build_id: str | None
    running_revision: str | None
    walk_verified: bool
    """Whether the updater has noted that its successor is healthy: from there on nothing rolls back."""
    updater: Updater


@frozen(kw_only=True)
class ResourceClaimFacts(AgedFacts):
    """Somebody wants to import. A claim of an earlier process is stale, however it reads on disk."""

    import_is_live: bool


@frozen(kw_only=True)
class FailureFacts(OperationFacts):
    """What went wrong."""

    code: Code
    message: str | None


@frozen(kw_only=True)
class RetryFacts(AgedFacts):
    """What a second try needs to know of the first."""

    updater: Updater


@frozen(kw_only=True)
class ConflictFacts(AgedFacts):
    """The one failure that the conflict route may lift."""

    conflict: LiveConflict


@frozen(kw_only=True)
class EmsRecoveryFacts(OperationFacts):
    """What is left of a start that was cut."""

    worker: Worker
    ems: RunningEms


@frozen(kw_only=True)
class HealthFacts(OperationFacts):
    """What the health check found, and where it looked."""

    health: EmsHealth
    message: str | None


@frozen(kw_only=True)
class ResumeFacts(AgedFacts):
    """Somebody wants to go on."""

    worker: Worker


@frozen(kw_only=True)
class CancelFacts(AgedFacts):
    """Who might still act for the operation."""

    worker: Worker
    import_is_live: bool
    updater: Updater
    own_name: OwnName


BEGIN: Final = Trigger("begin", BeginFacts)
HAND_OVER: Final = Trigger("hand_over", OperationFacts)
"""The stage before a launch, so that the updater finds a state that it can fail recoverably (R2)."""
CLAIM_ADMIN_UPDATE: Final = Trigger("claim_admin_update", AdminClaimFacts)
END_UNCLAIMED_UPDATER: Final = Trigger("end_unclaimed_updater", FailureFacts)
"""An updater restarts for ever and never claims. Under the lock of B1 either this wins, or its claim."""
RESUME_AFTER_ADMIN_RECONNECT: Final = Trigger("resume_after_admin_reconnect", ReconnectFacts)
CLAIM_RESOURCE_VERIFICATION: Final = Trigger("claim_resource_verification", ResourceClaimFacts)
RESOURCES_VERIFIED: Final = Trigger("resources_verified", OperationFacts)
REQUEST_EMS_OPERATION: Final = Trigger("request_ems_operation", AgedFacts)
START_EMS_OPERATION: Final = Trigger("start_ems_operation", OperationFacts)
EMS_STARTED: Final = Trigger("ems_started", OperationFacts)
RECOVER_EMS_OPERATION: Final = Trigger("recover_ems_operation", EmsRecoveryFacts)
REQUEST_HEALTHCHECK: Final = Trigger("request_healthcheck", OperationFacts)
"""For an operation that starts no EMS: the one that runs already is looked at."""
HEALTHCHECKED: Final = Trigger("healthchecked", HealthFacts)
MARK_FAILED: Final = Trigger("mark_failed", FailureFacts)
RESUME: Final = Trigger("resume", ResumeFacts)
"""The permission to go on, which moves nothing by itself. What is then done says `RESUMPTION`."""
RETRY: Final = Trigger("retry", RetryFacts)
RESOLVE_CONTAINER_CONFLICT: Final = Trigger("resolve_container_conflict", ConflictFacts)
CANCEL: Final = Trigger("cancel", CancelFacts)
