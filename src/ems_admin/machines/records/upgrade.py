"""B6 and B7: what a Guided Upgrade has settled, and a planned Admin update.

Source: `site.md` 4.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ems_admin.machines.records.transition import AdminIdentity


@frozen(kw_only=True)
class UpgradeOptions:
    """What the operator chose for one upgrade."""

    backup: bool
    config_check: bool
    config_add_keys: bool
    pull_image: bool
    recreate: bool
    diagnostics: bool
    auto_rollback: bool


@frozen(kw_only=True)
class UpgradeContext:
    """B6: only what is settled, so that a resume repeats neither backup nor migration."""

    format_version: int
    operation_id: str
    target_system_tag: str
    options: UpgradeOptions
    request_fingerprint: str
    backup_completed: bool
    backup_reference: str | None
    backup_verified: bool
    migration_required: bool
    migration_completed: bool
    migration_revision: str | None
    integrity: str
    """SHA-256 over the rest in canonical JSON."""


class AdminUpdateState(StrEnum):
    """A plan, or the operation that carries it out."""

    PLANNED = "planned"
    STARTED = "started"


class AdminUpdateReason(StrEnum):
    """Why an update of the Admin is proposed."""

    DIGEST_CHANGED = "digest_changed"
    DIGEST_UNKNOWN = "digest_unknown"
    CURRENT_IDENTITY_UNKNOWN = "current_identity_unknown"


@frozen(kw_only=True)
class SeenAdmin:
    """The Admin that ran when an update was planned, as far as it could tell: null where it could not."""

    image: str | None
    digest: str | None
    build_id: str | None
    revision: str | None


@frozen(kw_only=True)
class PendingAdminUpdate:
    """B7."""

    format_version: int
    plan_id: str
    state: AdminUpdateState
    target_system_tag: str
    current_admin: SeenAdmin
    target_admin: AdminIdentity
    reason: AdminUpdateReason
    operation_id: str | None
    created_at: datetime
    updated_at: datetime
