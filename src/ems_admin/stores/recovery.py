"""Backups of released records: `state/workflow-recovery/<UTC stamp>/`, with their manifest.

A copy is made whole and flushed before anything is told of it. Source: `seed 000` 7.4; `site.md` 4; `faults.md` D7.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from attrs import frozen

from ems_admin import codec
from ems_admin.machines.lifecycle.fingerprint import UpgradeIdentity
from ems_admin.machines.records.recovery import RecoveryManifest
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.failures import STATE, not_committed
from ems_admin.stores.folders import HASHED, Folder, read_file
from ems_admin.stores.records import sha256
from ems_admin.stores.site_files import STATE_FOLDER, SiteFiles
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, Unprovable
from ems_admin.workflows.ports.recovery import BackedUp

FOLDER: Final = "workflow-recovery"
MANIFEST: Final = "recovery-manifest.json"


@frozen(kw_only=True)
class RecoveryFolders:
    """Implements `RecoveryBackups` over the files of a site."""

    files: SiteFiles

    @property
    def _state(self) -> Folder:
        return self.files.folder.inner(STATE_FOLDER)

    async def upgrade_identity(self) -> UpgradeIdentity | None:
        """Read whom B6 names."""
        return await self.files.threads.run(self._upgrade_identity)

    async def open_folder(self, at: datetime) -> str | NotCommitted:
        """Make a new folder."""
        return await self.files.threads.run(lambda: self._open_folder(stamp_of(at)))

    async def back_up(self, name: str, folder: str) -> BackedUp | NotCommitted | Unprovable | None:
        """Copy a record."""
        return await self.files.threads.run(lambda: self._back_up(PurePosixPath(name).name, folder))

    async def write_manifest(self, manifest: RecoveryManifest, folder: str) -> Commit:
        """Write the manifest."""
        return await self.files.threads.run(lambda: self._put(folder, MANIFEST, codec.encode(manifest)))

    def _upgrade_identity(self) -> UpgradeIdentity | None:
        try:
            with self._state.opened(self.files.disk) as at:
                name = self.files.upgrade.file_name
                return identity_in(read_file(name, at=at, limit=codec.RECORD_LIMIT, disk=self.files.disk))
        except OSError:
            return None

    def _open_folder(self, stamp: str) -> str | NotCommitted:
        folder, disk = self._state.inner(FOLDER), self.files.disk
        try:
            with folder.opened(disk, make=True) as at:
                number, name = 1, stamp
                while True:
                    try:
                        disk.make_folder(name, at=at)
                        break
                    except FileExistsError:
                        number += 1
                        name = f"{stamp}-{number}"
                disk.fsync(at)
        except OSError as error:
            return not_committed(error, words=STATE, folder=folder.name, path=folder.path)
        return folder.inner(name).name

    def _back_up(self, file_name: str, folder: str) -> BackedUp | NotCommitted | Unprovable | None:
        # Whatever the record weighs, the copy is whole: only a file that nobody would even hash is refused.
        try:
            with self._state.opened(self.files.disk) as at:
                data = read_file(file_name, at=at, limit=HASHED, disk=self.files.disk)
        except OSError as error:
            return not_committed(error, words=STATE, folder=self._state.name, path=self._state.path)
        if data is None:
            return None
        outcome = self._put(folder, file_name, data)
        return BackedUp(sha256=sha256(data), bytes=len(data)) if isinstance(outcome, Committed) else outcome

    def _put(self, folder: str, file_name: str, data: bytes) -> Commit:
        place = Place(folder=self.files.folder.inner(*folder.split("/")), name=file_name, limit=max(len(data), 1))
        return atomic.replace(place, data, disk=self.files.disk)


def stamp_of(at: datetime) -> str:
    """Spell a moment as the name of a folder."""
    return f"{at:%Y%m%dT%H%M%SZ}"


def identity_in(data: bytes | None) -> UpgradeIdentity | None:
    """Read whom a B6 names from its bytes. It proves nothing else of them."""
    if data is None:
        return None
    try:
        value: Any = codec.parse(data, limit=codec.RECORD_LIMIT)
    except codec.TextError:
        return None
    match value:
        case {"operation_id": str(operation_id), "target_system_tag": str(tag)} if operation_id and tag:
            return UpgradeIdentity(operation_id=operation_id, target_system_tag=tag)
        case _:
            return None
