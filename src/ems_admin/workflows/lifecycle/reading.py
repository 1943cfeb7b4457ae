"""The records that a verdict about the console rests on, read one after another, and the fingerprint of what was read.

Source: `seed 000` 7.2, 7.6; `site.md` 4 (lifecycle fingerprint, release allowlist).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.lifecycle.fingerprint import LifecycleRecords, UpgradeIdentity, lifecycle_fingerprint
from ems_admin.machines.records.config_commit import ConfigCommit
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.records.upgrade import PendingAdminUpdate, UpgradeContext
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RecordStore


@frozen(kw_only=True)
class Reads:
    """The durable records as they were read for one verdict."""

    setup: Reading[GuidedSetup]
    transition: Reading[Transition]
    upgrade: Reading[UpgradeContext]
    upgrade_identity: UpgradeIdentity | None
    """Whom B6 names when it does not load: identity is not validity."""
    dispatch: Reading[Dispatch]
    run: Reading[Run]
    admin_update: Reading[PendingAdminUpdate]
    config_commit: Reading[ConfigCommit]
    others: Mapping[str, str | None]
    """Digests of the records that a release names only when they are unreadable."""

    @property
    def setup_record(self) -> GuidedSetup | None:
        """B0, where it can be read."""
        return self.setup.record if isinstance(self.setup, Present) else None

    @property
    def transition_record(self) -> Transition | None:
        """B1, where it can be read."""
        return self.transition.record if isinstance(self.transition, Present) else None


STORES: Final = ("setup", "transition", "upgrade", "dispatch", "run", "admin_update", "config_commit")
"""All that a release may ever name, by their places in `Records`."""


def store_of(house: House, place: str) -> RecordStore[Any]:
    """Give the store of a record that has machines, or of one that has none."""
    kept = getattr(house.records, place)
    store: RecordStore[Any] = getattr(kept, "store", kept)
    return store


async def read_records(house: House) -> Reads:
    """Read everything that the verdict depends on."""
    found: dict[str, Reading[Any]] = {place: await store_of(house, place).read() for place in STORES}
    unloaded = isinstance(found["upgrade"], Unreadable)
    return Reads(
        **found,
        upgrade_identity=await house.recovery.upgrade_identity() if unloaded else None,
        others={
            store_of(house, place).name: reading.sha256
            for place in ("admin_update", "config_commit")
            if isinstance(reading := found[place], Unreadable)
        },
    )


def fingerprint(reads: Reads) -> str:
    """Bind whatever is decided on this reading to exactly this reading."""
    return lifecycle_fingerprint(
        LifecycleRecords(
            setup=reads.setup,
            transition=reads.transition,
            upgrade_context=_named(reads.upgrade),
            dispatch=reads.dispatch,
            run=reads.run,
            other=reads.others,
        )
    )


def _named(upgrade: Reading[UpgradeContext]) -> Reading[UpgradeIdentity]:
    """Name B6 by its identity. One that does not load counts by its bytes, also when they still name somebody."""
    match upgrade:
        case Present(record=context, sha256=sha256):
            identity = UpgradeIdentity(operation_id=context.operation_id, target_system_tag=context.target_system_tag)
            return Present(record=identity, sha256=sha256)
        case Absent() | Unreadable():
            return upgrade
