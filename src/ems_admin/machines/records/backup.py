"""A backup set: what may be in one, what is said of it without its password, and what it holds.

Source: `site.md` 9 (Backups), `http.md` 5.3 (Maintenance); `faults.md`, State files.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import field, frozen

BACKUP_FORMAT: Final = 1
LABEL_LIMIT: Final = 160
"""Characters of the name that a set is given; an upgrade names its target in it, and tags may be long."""


class BackupScope(StrEnum):
    """How much is kept."""

    CONFIG = "config"
    """The config and its credentials."""
    FULL = "full"
    """Besides them what tells how the site stood: evidence, which no restore ever writes back."""


class BackupOrigin(StrEnum):
    """Who wanted the set."""

    PERSON = "person"
    UPGRADE = "upgrade"


class BackupPart(StrEnum):
    """Everything that may be in a set, by its place below the install root or, for `state`, the Admin data.

    A set names nothing else, so no name out of one can lead anywhere.
    """

    CONFIG = "config/config.json"
    CREDENTIALS = "config/credentials.json"
    RUNTIME_STATE = "data/runtime-state.json"
    NATIVE_STACK = "stack.json"
    COMPOSE_FILE = "docker-compose.yml"
    MARKER = "state/.admin-deployment.json"
    SELECTED_RELEASE = "state/selected-release.json"
    KNOWN_GOOD = "state/known-good-system-build.json"


RESTORED: Final = frozenset({BackupPart.CONFIG, BackupPart.CREDENTIALS})
"""What a restore takes out of a set. The rest says what was: what runs is observed, never written back."""


@frozen(kw_only=True)
class BackedUpFile:
    """One file of a set."""

    name: BackupPart
    sha256: str
    bytes: int


@frozen(kw_only=True)
class LeftOut:
    """A file that was there and is not in the set: it could not be read, or fails its own decoder."""

    name: BackupPart
    fault: str
    """A word of `ReadFault`."""


@frozen(kw_only=True)
class BackupContents:
    """The list of what a set holds. In a locked set it lies behind the lock."""

    files: tuple[BackedUpFile, ...]
    left_out: tuple[LeftOut, ...]


@frozen(kw_only=True)
class BackupFacts:
    """What everybody may know of a set."""

    id: str
    created_at: datetime
    scope: BackupScope
    label: str
    origin: BackupOrigin
    system_tag: str | None
    """The build that was installed; null when nothing said which."""


@frozen(kw_only=True)
class BackupLock:
    """How a set is locked: whoever has the password makes the same key of these."""

    derivation: str
    memory_kib: int
    passes: int
    lanes: int
    salt: str
    """Hex, like all bytes here."""
    cipher: str
    nonce: str
    check: str
    """Tells the right key from a wrong one, and nothing of either."""


@frozen(kw_only=True)
class BackupManifest:
    """The head of a set, in plain text. `contents` is null exactly where there is a lock."""

    format_version: int = field(metadata={"format": BACKUP_FORMAT})
    facts: BackupFacts
    lock: BackupLock | None
    contents: BackupContents | None


@frozen(kw_only=True)
class BackupRetention:
    """How many sets stay when a new one is made; null for all of them."""

    format_version: int = field(metadata={"format": BACKUP_FORMAT})
    keep: int | None
