"""The rules of stored values that their types cannot say: how long a hash is, what a path may look like.

A rule is asked of a value that is there; whether it may be absent is said by the field's type.
Source: `site.md` 3, 4, 6.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ems_admin.machines.records.build import ArchiveRef, CatalogueEntry, Manifest, Program
from ems_admin.machines.records.config_commit import Change, ConfigCommit
from ems_admin.machines.records.installed import DeployedImage, DeploymentMarker, KnownGood, NativeService
from ems_admin.machines.records.replacement import Attempt, Dispatch, Run
from ems_admin.machines.records.setup import BaseRevision, Cleanup, GeneratedMetadata, GuidedSetup, Preview
from ems_admin.machines.records.transition import RESUME_PATH, AdminIdentity, Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, SeenAdmin, UpgradeContext
from ems_admin.machines.records.words import MESSAGE_LIMIT

Rule = Callable[[Any], bool]

LARGEST_ID: Final = 2**31 - 1
CLEANUP_LIMIT: Final = 32
ATTEMPTS_KEPT: Final = 16


def spelled(pattern: str) -> Rule:
    """A text of exactly this spelling."""
    compiled = re.compile(pattern, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None


def counted(at_most: int = LARGEST_ID, *, at_least: int = 0) -> Rule:
    """A whole number within bounds."""
    return lambda number: at_least <= number <= at_most


def at_most(limit: int) -> Rule:
    """A list or text of at most so many members."""
    return lambda members: len(members) <= limit


def same_as(wanted: str) -> Rule:
    """The one text that may stand there."""
    return lambda text: text == wanted


def is_relative_path(text: str) -> bool:
    """A path that stays below where it starts: no root, no `..`, no empty part, no backslash, no NUL."""
    parts = text.split("/")
    return not any(part in {"", ".", ".."} or "\\" in part or "\0" in part for part in parts)


def is_workspace(text: str) -> bool:
    """The install root itself, or a path below it."""
    return text == "." or is_relative_path(text)


def is_finite(number: float) -> bool:
    """A number of seconds that can be counted on."""
    return math.isfinite(number) and number >= 0


OPERATION: Final = spelled(r"[0-9a-f]{32}")
WORKFLOW: Final = spelled(r"[A-Za-z0-9_-]{43}")
"""32 random bytes in url-safe base64, and thereby safe as a name of a directory."""
OPAQUE: Final = spelled(r"[A-Za-z0-9_-]{1,64}")
TAG: Final = spelled(r"v?[0-9A-Za-z][0-9A-Za-z._-]{0,127}")
BUILD: Final = spelled(r"[0-9a-z][0-9a-z.-]{0,63}")
REVISION: Final = spelled(r"[0-9a-f]{40}")
SHA256: Final = spelled(r"[0-9a-f]{64}")
DIGEST: Final = spelled(r"(sha256:)?[0-9a-f]{64}")
"""Of an image, as engines write it, or of a program tree."""
FINGERPRINT: Final = spelled(r"sha256:[0-9a-f]{64}")
REQUEST: Final = DIGEST
TEXT: Final = spelled(r"[^\x00]{1,256}")

FIELD_RULES: Final[Mapping[type, Mapping[str, Rule]]] = {
    GuidedSetup: {"workflow_id": WORKFLOW, "operation_id": OPERATION, "selected_system_tag": TAG},
    Preview: {"preview_id": OPAQUE, "draft_fingerprint": FINGERPRINT, "prepared_config_sha256": SHA256},
    BaseRevision: {"expected_revision": SHA256},
    Cleanup: {"failed_count": counted(), "review_count": counted(), "artifacts": at_most(CLEANUP_LIMIT)},
    GeneratedMetadata: {
        "owner": TEXT,
        "workflow_id": WORKFLOW,
        "preview_id": OPAQUE,
        "draft_fingerprint": FINGERPRINT,
        "prepared_config_sha256": SHA256,
    },
    Transition: {
        "operation_id": OPERATION,
        "system_tag": TAG,
        "build_id": BUILD,
        "revision": REVISION,
        "admin_digest": DIGEST,
        "ems_digest": DIGEST,
        "created_boottime": is_finite,
        "resume_path": same_as(RESUME_PATH),
        "request_fingerprint": REQUEST,
        "development_risk_acknowledged_for_tag": TAG,
        "error_message": at_most(MESSAGE_LIMIT),
    },
    AdminIdentity: {"digest": DIGEST, "build_id": BUILD},
    DeploymentMarker: {
        "release": TAG,
        "config_sha256": SHA256,
        "owner": TEXT,
        "workflow_id": WORKFLOW,
        "preview_id": OPAQUE,
        "workspace": is_workspace,
        "puid": counted(),
        "pgid": counted(),
    },
    DeployedImage: {"service": TEXT, "digest": DIGEST},
    KnownGood: {
        "system_tag": TAG,
        "build_id": BUILD,
        "revision": REVISION,
        "admin_digest": DIGEST,
        "admin_build_id": BUILD,
        "ems_digest": DIGEST,
    },
    UpgradeContext: {
        "operation_id": OPERATION,
        "target_system_tag": TAG,
        "request_fingerprint": REQUEST,
        "migration_revision": SHA256,
        "integrity": SHA256,
    },
    SeenAdmin: {"digest": DIGEST, "build_id": BUILD},
    PendingAdminUpdate: {"plan_id": OPAQUE, "target_system_tag": TAG, "operation_id": OPERATION},
    Dispatch: {"operation_id": OPERATION, "transition_identity": SHA256, "attempts": at_most(ATTEMPTS_KEPT)},
    Attempt: {"number": counted(at_least=1), "tries": counted()},
    Run: {"operation_id": OPERATION, "attempt": counted(at_least=1), "entries": counted()},
    ConfigCommit: {"commit_id": OPAQUE, "preview_id": OPAQUE, "workflow_id": WORKFLOW},
    Change: {"old": SHA256, "new": SHA256},
    NativeService: {
        "build_id": BUILD,
        "program_sha256": SHA256,
        "attempt": OPAQUE,
        "pid": counted(at_least=1),
        "start_ticks": counted(2**63 - 1),
        "port": counted(65535, at_least=1),
    },
    Manifest: {"system_tag": TAG, "revision": REVISION, "build_id": BUILD, "requires": SHA256},
    Program: {"directory": is_relative_path, "sha256": SHA256},
    CatalogueEntry: {"tag": TAG, "revision": REVISION, "build_id": BUILD},
    ArchiveRef: {"path": is_relative_path, "sha256": SHA256, "bytes": counted(2**63 - 1)},
}
"""By type and name of field. `64 KiB` holds for the whole record and is asked of its bytes."""
