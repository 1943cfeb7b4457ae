"""Where a release keeps what it sets aside, and what can still be read of a record that no longer loads.

Source: `seed 000` 7.4, 7.6.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from attrs import frozen

from ems_admin.machines.lifecycle.fingerprint import UpgradeIdentity
from ems_admin.machines.records.recovery import RecoveryManifest
from ems_admin.workflows.ports.records import Commit, NotCommitted, Unprovable


@frozen(kw_only=True)
class BackedUp:
    """A copy that is durable."""

    sha256: str
    bytes: int


class RecoveryBackups(Protocol):
    """Copies of released records, one folder a release. Never pruned.

    Every folder on the way is proven to be one: behind a link nothing is read, written or removed.
    """

    async def upgrade_identity(self) -> UpgradeIdentity | None:
        """Read whom B6 names, also when the rest of it does not hold together; `None` when not even that is there."""
        ...

    async def open_folder(self, at: datetime) -> str | NotCommitted:
        """Make a new folder named after `at`, and give its name relative to the Admin data."""
        ...

    async def back_up(self, name: str, folder: str) -> BackedUp | NotCommitted | Unprovable | None:
        """Copy the record called `name` byte by byte into `folder`; `None` when there is no such file."""
        ...

    async def write_manifest(self, manifest: RecoveryManifest, folder: str) -> Commit:
        """Write `recovery-manifest.json` into `folder`."""
        ...
