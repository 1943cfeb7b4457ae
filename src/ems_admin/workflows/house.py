"""Everything that a workflow may reach: the authorities by name, the ports, and the memory of this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import define, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.reading import Reading
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext
from ems_admin.workflows.backups.plans import RestorePlans
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Jobs
from ems_admin.workflows.ledger import Ledger
from ems_admin.workflows.ports.access import Passwords
from ems_admin.workflows.ports.backups import Backups
from ems_admin.workflows.ports.builds import Builds
from ems_admin.workflows.ports.engine import Engine
from ems_admin.workflows.ports.files import ConfigStore, Installation, SetupFiles
from ems_admin.workflows.ports.history import ConfigHistory
from ems_admin.workflows.ports.identity import Identity
from ems_admin.workflows.ports.records import Journal, RecordStore
from ems_admin.workflows.ports.recovery import RecoveryBackups
from ems_admin.workflows.ports.replacement import Launcher, Mover
from ems_admin.workflows.ports.running import Clock, Events, Ids, Locks, Tasks
from ems_admin.workflows.ports.runtime import RuntimeState
from ems_admin.workflows.work import Arbiter


@frozen(kw_only=True, eq=False)
class Records:
    """The durable records. Those with a machine move through their ledger, the others are plain facts."""

    setup: Ledger[GuidedSetup]
    """B0."""
    transition: Ledger[Transition]
    """B1."""
    marker: RecordStore[DeploymentMarker]
    """B3."""
    selected_release: RecordStore[SelectedRelease]
    """B4."""
    known_good: RecordStore[KnownGood]
    """B5."""
    upgrade: Ledger[UpgradeContext]
    """B6."""
    admin_update: Ledger[PendingAdminUpdate]
    """B7."""
    dispatch: Ledger[Dispatch]
    run: Ledger[Run]
    config_commit: RecordStore[ConfigCommit]
    together: Callable[[], Awaitable[Mapping[str, Reading[Any]]]]
    """Reads all of them in one go, by the names of their stores."""


@define(kw_only=True, eq=False)
class Warnings:
    """What people should know and nothing is refused for. Mutable: it is this process's memory."""

    shown: dict[Code, str | None]

    def show(self, code: Code, detail: str | None = None) -> None:
        """Show a warning until it is cleared."""
        self.shown[code] = detail

    def clear(self, code: Code) -> None:
        """Take a warning back."""
        self.shown.pop(code, None)


@frozen(kw_only=True, eq=False)
class House:
    """One site, as its workflows see it."""

    instance_id: str
    """New for each process."""
    started_at: datetime
    identity: Identity
    records: Records
    config: ConfigStore
    history: ConfigHistory
    runtime: RuntimeState
    setup_files: SetupFiles
    recovery: RecoveryBackups
    backups: Backups
    installation: Installation
    passwords: Passwords
    builds: Builds
    engine: Engine
    launcher: Launcher
    mover: Mover
    clock: Clock
    ids: Ids
    locks: Locks
    tasks: Tasks
    events: Events
    journal: Journal
    work: Arbiter
    intents: Intents
    jobs: Jobs
    restores: RestorePlans = field(factory=RestorePlans)
    warnings: Warnings
    startup: Startup
    stability: timedelta = timedelta(seconds=10)
    """How long a started EMS has to stay up before it counts as running (`faults.md` F22)."""
    started_for: str | None = None
    """`<operation>-<attempt>` when an updater started this Admin."""

    @property
    def own(self) -> OwnIdentity | None:
        """Which build this Admin is, as far as it is known; `None` when that cannot be read."""
        return self.identity.known


@define(kw_only=True, eq=False)
class Startup:
    """Whether the start-up check has passed. Mutable: it is asked again until it has."""

    passed: bool = False
    failed_by: Code | None = None
    failed_at: str | None = None
    """What the step named: a file, a folder and its owner."""
