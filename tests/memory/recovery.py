"""Backups of released records in memory, under the names that they have on disk."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from attrs import frozen

from ems_admin import codec
from ems_admin.machines.lifecycle.fingerprint import UpgradeIdentity
from ems_admin.machines.records.recovery import RecoveryManifest
from ems_admin.stores.records import sha256
from ems_admin.stores.recovery import identity_in, stamp_of
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, Unprovable
from ems_admin.workflows.ports.recovery import BackedUp
from tests.memory.world import Call, Durable, Step, World

FOLDER = "state/workflow-recovery"


@frozen
class MemoryRecovery:
    """Implements `RecoveryBackups` over a world. A fault under the name of the folder is met when it is made."""

    world: World

    async def upgrade_identity(self) -> UpgradeIdentity | None:
        await Step(Call("read whom B6 names"))
        return identity_in(self.world.files.get("state/guided-upgrade-context.json"))

    async def open_folder(self, at: datetime) -> str | NotCommitted:
        await Step(Call("open a folder for backups"))
        if (fault := self.world.faults.pop(FOLDER, None)) and isinstance(fault.outcome, NotCommitted):
            return fault.outcome
        wanted = f"{FOLDER}/{stamp_of(at)}"
        number, name = 1, wanted
        while name in self.world.folders:
            number += 1
            name = f"{wanted}-{number}"
        self.world.folders.add(name)
        await Step(Durable(name))
        return name

    async def back_up(self, name: str, folder: str) -> BackedUp | NotCommitted | Unprovable | None:
        await Step(Call(f"back up {name}"))
        data = self.world.files.get(name)
        if data is None:
            return None
        outcome = await self.world.change(f"{folder}/{PurePosixPath(name).name}", data)
        return BackedUp(sha256=sha256(data), bytes=len(data)) if isinstance(outcome, Committed) else outcome

    async def write_manifest(self, manifest: RecoveryManifest, folder: str) -> Commit:
        return await self.world.change(f"{folder}/recovery-manifest.json", codec.encode(manifest))
