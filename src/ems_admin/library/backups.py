"""Backups for programs: one method a route. Source: `http.md` 5.3 (Maintenance)."""

from __future__ import annotations

from ems_admin.library.room import Room
from ems_admin.machines.records.backup import BackupOrigin, BackupPart, BackupScope
from ems_admin.workflows.backups import looking, making, planning, restoring, tidying
from ems_admin.workflows.backups.creating import Wanted
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.backups import BackupSet


class BackupViews(Room):
    """The backups, looked at. A wrong password is refused with `backup_password_invalid`."""

    async def list(self) -> looking.BackupList:
        """List every set, the newest first, and how many are kept."""
        return await looking.backup_list(self.house)

    async def inspect(self, backup_id: str, password: str | None = None) -> looking.Listed:
        """Open a set, prove every byte of it, and say what it holds."""
        return await looking.inspect(self.house, backup_id, password)

    async def diff(
        self, backup_id: str, password: str | None = None, *, part: BackupPart = BackupPart.CONFIG
    ) -> looking.BackupDiff:
        """Compare a file of a set with what is there now."""
        return await looking.compare(self.house, backup_id, password, part)

    async def download(self, backup_id: str) -> bytes:
        """Give a locked set as the file that it is; an open one does not leave."""
        return await looking.download(self.house, backup_id)

    async def preview_restore(self, wish: planning.Wish) -> planning.RestorePreview:
        """Work a restore out; its plan id is good for twenty minutes."""
        return await planning.preview(self.house, self.caller, wish)


class BackupActs(BackupViews):
    """The backups, acted on."""

    async def create(
        self, *, scope: BackupScope = BackupScope.CONFIG, label: str = "", password: str | None = None, confirm: bool
    ) -> Job:
        """Make a set; the result of the job tells it."""
        wanted = Wanted(scope=scope, label=label, origin=BackupOrigin.PERSON, password=password)
        return await making.create(self.house, self.caller, wanted, confirm=confirm)

    async def delete(self, backup_id: str, *, confirm: bool) -> tidying.Deleted:
        """Remove a set."""
        return await tidying.delete(self.house, self.caller, backup_id, confirm=confirm)

    async def keep_at_most(self, keep: int | None, *, confirm: bool) -> tidying.Trimmed:
        """Say how many sets are kept, `None` for all."""
        return await tidying.keep_at_most(self.house, self.caller, keep, confirm=confirm)

    async def take_in(self, data: bytes, *, confirm: bool) -> BackupSet:
        """Put a set among the others that was made elsewhere."""
        return await making.take_in(self.house, self.caller, data, confirm=confirm)

    async def restore(self, plan_id: str, *, confirm: bool) -> Job:
        """Carry out what was previewed (W7)."""
        return await restoring.execute(self.house, self.caller, plan_id, confirm=confirm)
