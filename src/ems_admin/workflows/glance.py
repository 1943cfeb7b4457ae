"""The house at one moment: what a view asks in many places is looked at once.

So no two parts of an answer disagree, and a page costs one visit to the disk instead of one for each of its buttons.
For views alone: whoever decides reads anew, under a lock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

from attrs import define, evolve

from ems_admin.machines.records.reading import Present, Reading
from ems_admin.workflows.deployment.seen import SeenEngine
from ems_admin.workflows.house import House, Records
from ems_admin.workflows.ledger import Ledger
from ems_admin.workflows.ports.files import DirectoryVerdict, FileReading, Installation, Layout, RuntimeIdentity
from ems_admin.workflows.ports.records import Commit, HeldRecord, RecordStore
from ems_admin.workflows.replacement.seen import SeenLauncher
from ems_admin.workflows.sight import sight, stray_updater

R = TypeVar("R")


async def glance(house: House) -> House:
    """Give the house as it stands now: its records are read together, and its engine is asked everything at once."""
    readings = await house.records.together()
    seen = evolve(
        house,
        records=_seen(house.records, readings),
        installation=SeenInstallation(installation=house.installation),
        engine=SeenEngine(engine=house.engine),
        launcher=SeenLauncher(launcher=house.launcher),
    )
    # Side by side: an engine that is silent lets each question wait for its limit (`faults.md` F19).
    asked = [house.tasks.start("look at the engine", _heard(question)) for question in await _questions(seen)]
    for task in asked:
        await task.wait()
    return seen


async def _questions(house: House) -> tuple[Awaitable[object], ...]:
    """List what a page asks of the engine and of the hand that replaces the Admin."""
    ems = (house.engine.status(), house.engine.observe(), house.engine.conflict(None))
    match await house.records.transition.read():
        case Present(record=operation):
            return (*ems, sight(house, operation), house.launcher.own_name(operation.operation_id))
        case nothing_readable:
            return (*ems, stray_updater(house, nothing_readable, await house.records.dispatch.read()))


async def _heard(question: Awaitable[object]) -> None:
    """Let an answer be kept by who was asked. One that failed is asked for anew by whoever needs it."""
    await question


def _seen(records: Records, readings: Mapping[str, Reading[Any]]) -> Records:
    def store(store: RecordStore[R]) -> SeenRecord[R]:
        return SeenRecord(store=store, seen=readings.get(store.name))

    def ledger(ledger: Ledger[R]) -> Ledger[R]:
        return evolve(ledger, store=store(ledger.store))

    return evolve(
        records,
        setup=ledger(records.setup),
        transition=ledger(records.transition),
        marker=store(records.marker),
        selected_release=store(records.selected_release),
        known_good=store(records.known_good),
        upgrade=ledger(records.upgrade),
        admin_update=ledger(records.admin_update),
        dispatch=ledger(records.dispatch),
        run=ledger(records.run),
        config_commit=store(records.config_commit),
    )


@define(kw_only=True, eq=False)
class SeenRecord(Generic[R]):
    """A store whose record was read. Mutable: whoever holds the record may change it, and then it is read anew."""

    store: RecordStore[R]
    seen: Reading[R] | None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.store.name

    def hold(self, wait: float = 10.0) -> AbstractAsyncContextManager[HeldRecord[R]]:
        """Hold the record itself."""
        self.seen = None
        return self.store.hold(wait)

    async def read(self) -> Reading[R]:
        """Give what was read."""
        if self.seen is None:
            self.seen = await self.store.read()
        return self.seen


@define(kw_only=True, eq=False)
class SeenInstallation:
    """An install root that was looked at. Mutable: it looks when it is first asked."""

    installation: Installation
    seen_layout: Layout | None = None
    seen_verdict: tuple[DirectoryVerdict | None] | None = None

    async def layout(self) -> Layout:
        """Give what was seen."""
        if self.seen_layout is None:
            self.seen_layout = await self.installation.layout()
        return self.seen_layout

    async def not_writable(self) -> DirectoryVerdict | None:
        """Give the verdict that was found."""
        if self.seen_verdict is None:
            self.seen_verdict = (await self.installation.not_writable(),)
        return self.seen_verdict[0]

    async def legacy_config(self) -> FileReading:
        """Ask the install root itself."""
        return await self.installation.legacy_config()

    async def runtime_identity(self) -> RuntimeIdentity | None:
        """Ask the install root itself."""
        return await self.installation.runtime_identity()

    async def workspace(self) -> Commit:
        """Ask the install root itself."""
        return await self.installation.workspace()

    async def repair_permissions(self, identity: RuntimeIdentity) -> tuple[str, ...] | DirectoryVerdict:
        """Ask the install root itself."""
        return await self.installation.repair_permissions(identity)

    async def workspace_exists(self) -> bool:
        """Ask the install root itself."""
        return await self.installation.workspace_exists()

    async def free_bytes(self) -> int | None:
        """Ask the install root itself."""
        return await self.installation.free_bytes()
