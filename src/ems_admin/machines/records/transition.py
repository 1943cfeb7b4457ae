"""B1: the System Alignment transition. What it is stays fixed; how far it has come moves.

Source: `site.md` 3, `seed 000` 5.5.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import attrs
from attrs import frozen


class Mode(StrEnum):
    """Which workflow an operation belongs to. It classifies, it never proves ownership."""

    FRESH_INSTALL = "fresh_install"
    AUTOMATED_SETUP = "automated_setup"
    GUIDED_UPGRADE = "guided_upgrade"
    ALIGN_EXISTING_INSTALL = "align_existing_install"


SETUP_MODES: Final = frozenset({Mode.FRESH_INSTALL, Mode.AUTOMATED_SETUP})


class Stage(StrEnum):
    """How far an operation has come. The order is the order of the walk."""

    ADMIN_UPDATE_PENDING = "admin_update_pending"
    ADMIN_RECONNECT_PENDING = "admin_reconnect_pending"
    ADMIN_ALIGNED = "admin_aligned"
    RESOURCES_VERIFIED = "resources_verified"
    EMS_OPERATION_PENDING = "ems_operation_pending"
    EMS_OPERATION_RUNNING = "ems_operation_running"
    HEALTHCHECK_PENDING = "healthcheck_pending"
    FAILED_RECOVERABLE = "failed_recoverable"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class DigestKind(StrEnum):
    """What a digest was taken of. Two kinds are never equal."""

    REGISTRY = "registry"
    IMAGE_ID = "image_id"
    PROGRAM_TREE = "program_tree"


class CompatibilityMode(StrEnum):
    """How Admin and EMS of a build were paired."""

    MODERN_PAIRED = "modern_paired"
    LEGACY_RELEASE = "legacy_release"
    LOCAL = "local"


class ResourceStrategy(StrEnum):
    """Where the resources of a build come from."""

    EMBEDDED = "embedded"
    RELEASE_ARCHIVE = "release_archive"


class NextStep(StrEnum):
    """What an operation began with."""

    UPDATE_ADMIN = "update_admin"
    VERIFY_RESOURCES = "verify_resources"


@frozen(kw_only=True)
class AdminIdentity:
    """Which Admin a record speaks of. `image` is the id of its image, null on the native engine."""

    image: str | None
    digest: str
    build_id: str
    revision: str


@frozen(kw_only=True)
class AcceptedBy:
    """Who accepted an operation: a browser session, or a token that no browser stands behind."""

    session: str | None
    token: str | None


@frozen(kw_only=True)
class Transition:
    """B1. All fields but the eight of `MUTABLE` are its identity."""

    state_version: int
    operation_id: str
    """A uuid in hex."""
    mode: Mode
    stage: Stage
    system_tag: str
    build_id: str
    revision: str
    """40 hex digits."""
    admin_image: str | None
    admin_digest: str
    ems_image: str | None
    ems_digest: str
    digest_kind: DigestKind
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    created_boot_id: str | None
    created_boottime: float | None
    """Seconds of the boottime clock; with `created_boot_id` the only judge of age within one boot."""
    next_step: NextStep
    resume_path: str
    admin_alignment_required: bool
    request_fingerprint: str
    compatibility_mode: CompatibilityMode
    resource_strategy: ResourceStrategy
    orchestrator_admin: AdminIdentity | None
    accepted_by: AcceptedBy
    development_risk_acknowledged: bool
    development_risk_acknowledged_for_tag: str | None
    failed_stage: Stage | None
    resume_stage: Stage | None
    error_code: str | None
    error_message: str | None
    admin_update_claimed_at: datetime | None
    resources_claimed_at: datetime | None


STATE_VERSION: Final = 2
TTL: Final = timedelta(seconds=3600)
RESUME_PATH: Final = "/api/admin/system-alignment/resume"

MUTABLE: Final = frozenset(
    {
        "stage",
        "updated_at",
        "failed_stage",
        "resume_stage",
        "error_code",
        "error_message",
        "admin_update_claimed_at",
        "resources_claimed_at",
    }
)


def identity(transition: Transition) -> tuple[tuple[str, Any], ...]:
    """Give the immutable projection, by exclusion: a field that is added later is identity until said otherwise."""
    return tuple(
        (field.name, getattr(transition, field.name)) for field in attrs.fields(Transition) if field.name not in MUTABLE
    )
