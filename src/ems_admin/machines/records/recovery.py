"""What a release of stale records leaves behind: whose bytes were set aside, why, and on which state it was decided.

Identity and hashes alone: no content, and so no secret that a malformed record happened to hold.
Source: `seed 000` 7.4; `site.md` 4 (recovery manifest).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen

from ems_admin.machines.lifecycle.release import Release

MANIFEST_VERSION: Final = 1


@frozen(kw_only=True)
class ReleasedFile:
    """One record that was set aside."""

    name: str
    """Relative to the Admin data; the copy bears its last part."""
    reason: Release
    sha256: str
    bytes: int


@frozen(kw_only=True)
class RecoveryManifest:
    """`recovery-manifest.json`, written when every copy is durable and before the first record goes."""

    manifest_version: int
    created_at: datetime
    mode: str
    reason: str
    """In the person's own words."""
    admin_revision: str | None
    """The revision of the Admin that released; `None` when it cannot tell."""
    lifecycle_fingerprint: str
    files: tuple[ReleasedFile, ...]
