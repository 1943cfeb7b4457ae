"""Copies of the live config from before it was replaced: `backups/config`, one file each, never one over another.

Source: `site.md` 4 (B9); `faults.md` State files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.disk import Disk
from ems_admin.stores.folders import Folder
from ems_admin.workflows.ports.records import Commit, Committed
from ems_admin.workflows.ports.running import Clock

FOLDER: Final = ("backups", "config")
READABLE: Final = ".json"
UNREADABLE: Final = ".unreadable"
"""How the name of a copy ends that says nothing usable: nobody takes it for a backup."""


@frozen(kw_only=True)
class ConfigCopies:
    """The copies of one site."""

    admin_data: Path
    clock: Clock
    disk: Disk

    def keep(self, label: str, data: bytes, suffix: str = READABLE) -> str | Commit:
        """Make a copy and give its name below the Admin data; the outcome on failure. Blocking."""
        folder = Folder(str(self.admin_data), FOLDER)
        stem = f"{self.clock.now():%Y%m%dT%H%M%SZ}-{label}"
        try:
            with folder.opened(self.disk, make=True) as at:
                taken = frozenset(self.disk.names(at))
        except OSError as error:
            return atomic.failed(Place(folder=folder, name=stem), error)
        number = 1
        while (name := f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}") in taken:
            number += 1
        outcome = atomic.replace(Place(folder=folder, name=name, limit=max(len(data), 1)), data, disk=self.disk)
        return "/".join((*FOLDER, name)) if isinstance(outcome, Committed) else outcome
