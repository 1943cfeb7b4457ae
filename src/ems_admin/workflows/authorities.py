"""The authorities of one site: every record that has machines, tied to its store and the journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ems_admin.machines.admin_update import ADMIN_UPDATE
from ems_admin.machines.codes import Code
from ems_admin.machines.guided_setup import GUIDED_SETUP
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.installed import DeploymentMarker, KnownGood, SelectedRelease
from ems_admin.machines.records.reading import Reading
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext
from ems_admin.machines.replacement_dispatch import REPLACEMENT_DISPATCH
from ems_admin.machines.replacement_run import REPLACEMENT_RUN
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.upgrade.groundwork import UPGRADE_CONTEXT
from ems_admin.workflows.house import Records
from ems_admin.workflows.ledger import Ledger
from ems_admin.workflows.ports.records import Journal, RecordStore
from ems_admin.workflows.ports.running import Events
from ems_admin.workflows.standing import (
    admin_plan_unreadable,
    promise_unreadable,
    setup_unreadable,
    transition_unreadable,
    upgrade_unreadable,
)


class Stores(Protocol):
    """Where every record of a site is kept."""

    @property
    def setup(self) -> RecordStore[GuidedSetup]: ...  # noqa: D102  # B0
    @property
    def transition(self) -> RecordStore[Transition]: ...  # noqa: D102  # B1
    @property
    def marker(self) -> RecordStore[DeploymentMarker]: ...  # noqa: D102  # B3
    @property
    def selected_release(self) -> RecordStore[SelectedRelease]: ...  # noqa: D102  # B4
    @property
    def known_good(self) -> RecordStore[KnownGood]: ...  # noqa: D102  # B5
    @property
    def upgrade(self) -> RecordStore[UpgradeContext]: ...  # noqa: D102  # B6
    @property
    def admin_update(self) -> RecordStore[PendingAdminUpdate]: ...  # noqa: D102  # B7
    @property
    def dispatch(self) -> RecordStore[Dispatch]: ...  # noqa: D102
    @property
    def run(self) -> RecordStore[Run]: ...  # noqa: D102
    @property
    def config_commit(self) -> RecordStore[ConfigCommit]: ...  # noqa: D102

    async def together(self) -> Mapping[str, Reading[Any]]:
        """Read every record in one go, by the names of their stores."""
        ...


def authorities(stores: Stores, *, journal: Journal, events: Events, warn: Callable[[Code], None]) -> Records:
    """Tie every record to its machines."""
    return Records(
        setup=Ledger(
            regions=GUIDED_SETUP,
            store=stores.setup,
            journal=journal,
            events=events,
            key=lambda record: record.workflow_id,
            unreadable=setup_unreadable,
            warn=warn,
        ),
        transition=Ledger(
            regions=SYSTEM_ALIGNMENT,
            store=stores.transition,
            journal=journal,
            events=events,
            key=lambda record: record.operation_id,
            unreadable=transition_unreadable,
            write_failed=Code.TRANSITION_STATE_WRITE_FAILED,
            warn=warn,
        ),
        marker=stores.marker,
        selected_release=stores.selected_release,
        known_good=stores.known_good,
        upgrade=Ledger(
            regions=UPGRADE_CONTEXT,
            store=stores.upgrade,
            journal=journal,
            events=events,
            key=lambda record: record.operation_id,
            unreadable=upgrade_unreadable,
            warn=warn,
        ),
        admin_update=Ledger(
            regions=ADMIN_UPDATE,
            store=stores.admin_update,
            journal=journal,
            events=events,
            key=lambda record: record.plan_id,
            unreadable=admin_plan_unreadable,
            warn=warn,
        ),
        dispatch=Ledger(
            regions=REPLACEMENT_DISPATCH,
            store=stores.dispatch,
            journal=journal,
            events=events,
            key=lambda record: record.operation_id,
            unreadable=promise_unreadable,
            warn=warn,
        ),
        run=Ledger(
            regions=REPLACEMENT_RUN,
            store=stores.run,
            journal=journal,
            events=events,
            key=lambda record: record.operation_id,
            unreadable=promise_unreadable,
            warn=warn,
        ),
        config_commit=stores.config_commit,
        together=stores.together,
    )
