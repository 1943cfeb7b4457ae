"""Where every record of a site lies. No other place names these files.

Source: `site.md` 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from attrs import field, frozen

from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, NativeServices, SelectedRelease
from ems_admin.machines.records.reading import Reading
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.folders import Folder, resolved
from ems_admin.stores.records import RecordFile
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.records import RefusalError

R = TypeVar("R")

STATE_FOLDER: Final = "state"
FOLDERS: Final = (STATE_FOLDER, "workflows", "releases", "backups")
"""What the Admin writes to below its data, each of which may belong to somebody else (F13)."""


@frozen(kw_only=True)
class SiteFiles:
    """The records of one site. Made once a process, so that callers of one record meet at one lock."""

    admin_data: Path = field(converter=resolved)
    disk: Disk = DISK
    threads: DiskThreads = DISK_THREADS
    setup: RecordFile[GuidedSetup] = field(init=False)
    """B0."""
    transition: RecordFile[Transition] = field(init=False)
    """B1."""
    marker: RecordFile[DeploymentMarker] = field(init=False)
    """B3."""
    selected_release: RecordFile[SelectedRelease] = field(init=False)
    """B4."""
    known_good: RecordFile[KnownGood] = field(init=False)
    """B5."""
    upgrade: RecordFile[UpgradeContext] = field(init=False)
    """B6."""
    admin_update: RecordFile[PendingAdminUpdate] = field(init=False)
    """B7."""
    dispatch: RecordFile[Dispatch] = field(init=False)
    run: RecordFile[Run] = field(init=False)
    config_commit: RecordFile[ConfigCommit] = field(init=False)
    native_services: RecordFile[NativeServices] = field(init=False)
    current_admin: RecordFile[CurrentAdmin] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Name the files."""
        for name, kind, file_name in _RECORDS:
            object.__setattr__(self, name, self._state_file(kind, file_name))

    @property
    def folder(self) -> Folder:
        """The Admin data."""
        return Folder(str(self.admin_data))

    @property
    def all(self) -> tuple[RecordFile[Any], ...]:
        """Every record, in the one order in which locks are taken."""
        return tuple(getattr(self, name) for name, _, _ in _RECORDS)

    async def together(self) -> Mapping[str, Reading[Any]]:
        """Read every record in one go, by name."""
        return await self.threads.run(lambda: {record.name: record.look() for record in self.all})

    def prepare(self) -> None:
        """Make the folders that are missing, the Admin data itself included. Raises `OSError`."""
        self.admin_data.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in FOLDERS:
            with self.folder.inner(name).opened(self.disk, make=True):
                pass

    async def clear_leftovers(self) -> tuple[RefusalError, ...]:
        """Take every record's lock once, which removes what a kill left; give those that could not be taken (F42)."""
        refusals: list[RefusalError] = []
        for record in self.all:
            try:
                async with record.hold(wait=1.0):
                    pass
            except RefusalError as refusal:
                refusals.append(refusal)
        return tuple(refusals)

    def _state_file(self, kind: type[R], file_name: str) -> RecordFile[R]:
        folder = self.folder.inner(STATE_FOLDER)
        return RecordFile(kind=kind, folder=folder, file_name=file_name, disk=self.disk, threads=self.threads)


_RECORDS: Final[tuple[tuple[str, type[Any], str], ...]] = (
    ("dispatch", Dispatch, "replacement-dispatch.json"),
    ("config_commit", ConfigCommit, "config-commit.json"),
    ("setup", GuidedSetup, "guided-setup-workflow.json"),
    ("transition", Transition, "pending-transition.json"),
    ("upgrade", UpgradeContext, "guided-upgrade-context.json"),
    ("known_good", KnownGood, "known-good-system-build.json"),
    ("admin_update", PendingAdminUpdate, "pending-admin-update.json"),
    ("run", Run, "replacement-run.json"),
    ("marker", DeploymentMarker, ".admin-deployment.json"),
    ("selected_release", SelectedRelease, "selected-release.json"),
    ("native_services", NativeServices, "native-services.json"),
    ("current_admin", CurrentAdmin, "current-admin.json"),
)
"""Name, type and file of each; in the order of locks (DESIGN 3), those without a place in it last."""
