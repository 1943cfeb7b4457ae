"""A whole site in memory: every store, with the names that they have on disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import field, frozen

from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, NativeServices, SelectedRelease
from ems_admin.machines.records.reading import Reading
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext
from tests.memory.backups import MemoryBackups
from tests.memory.files import MARKER, MemoryConfig, MemoryInstallation, MemoryPasswords, MemorySetupFiles
from tests.memory.history import MemoryHistory
from tests.memory.records import MemoryJournal, MemoryRecord
from tests.memory.recovery import MemoryRecovery
from tests.memory.running import MemoryClock, MemoryEvents, MemoryIds, MemoryLocks, MemoryTasks
from tests.memory.world import World

R = TypeVar("R")


@frozen(kw_only=True)
class MemorySite:
    """One process over one world. After a power cut: `MemorySite(world=site.world.after_power_cut())`."""

    world: World = field(factory=World)
    clock: MemoryClock = field(factory=MemoryClock)
    ids: MemoryIds = field(factory=MemoryIds)
    locks: MemoryLocks = field(factory=MemoryLocks)
    tasks: MemoryTasks = field(factory=MemoryTasks)
    events: MemoryEvents = field(factory=MemoryEvents)
    journal: MemoryJournal = field(init=False)

    @journal.default
    def _journal(self) -> MemoryJournal:
        return MemoryJournal(self.clock)

    @property
    def setup(self) -> MemoryRecord[GuidedSetup]:
        return self._record("state/guided-setup-workflow.json", GuidedSetup)

    @property
    def transition(self) -> MemoryRecord[Transition]:
        return self._record("state/pending-transition.json", Transition)

    @property
    def marker(self) -> MemoryRecord[DeploymentMarker]:
        return self._record(MARKER, DeploymentMarker)

    @property
    def selected_release(self) -> MemoryRecord[SelectedRelease]:
        return self._record("state/selected-release.json", SelectedRelease)

    @property
    def known_good(self) -> MemoryRecord[KnownGood]:
        return self._record("state/known-good-system-build.json", KnownGood)

    @property
    def upgrade(self) -> MemoryRecord[UpgradeContext]:
        return self._record("state/guided-upgrade-context.json", UpgradeContext)

    @property
    def admin_update(self) -> MemoryRecord[PendingAdminUpdate]:
        return self._record("state/pending-admin-update.json", PendingAdminUpdate)

    @property
    def dispatch(self) -> MemoryRecord[Dispatch]:
        return self._record("state/replacement-dispatch.json", Dispatch)

    @property
    def run(self) -> MemoryRecord[Run]:
        return self._record("state/replacement-run.json", Run)

    @property
    def config_commit(self) -> MemoryRecord[ConfigCommit]:
        return self._record("state/config-commit.json", ConfigCommit)

    @property
    def native_services(self) -> MemoryRecord[NativeServices]:
        return self._record("state/native-services.json", NativeServices)

    @property
    def current_admin(self) -> MemoryRecord[CurrentAdmin]:
        return self._record("state/current-admin.json", CurrentAdmin)

    async def together(self) -> Mapping[str, Reading[Any]]:
        records = (
            *(self.setup, self.transition, self.marker, self.selected_release, self.known_good),
            *(self.upgrade, self.admin_update, self.dispatch, self.run, self.config_commit),
        )
        return {record.name: await record.read() for record in records}

    @property
    def config(self) -> MemoryConfig:
        return MemoryConfig(self.world)

    @property
    def history(self) -> MemoryHistory:
        return MemoryHistory(self.world, self.clock)

    @property
    def setup_files(self) -> MemorySetupFiles:
        return MemorySetupFiles(self.world)

    @property
    def recovery(self) -> MemoryRecovery:
        return MemoryRecovery(self.world)

    @property
    def backups(self) -> MemoryBackups:
        return MemoryBackups(self.world)

    @property
    def installation(self) -> MemoryInstallation:
        return MemoryInstallation(self.world)

    @property
    def passwords(self) -> MemoryPasswords:
        return MemoryPasswords(self.world)

    def _record(self, name: str, kind: type[Any]) -> MemoryRecord[Any]:
        return MemoryRecord(self.world, name, kind)
