"""The real record of the native services, with a power cut or a full disk built in before or after a commit."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService, NativeServices
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Commit, Committed, HeldRecord, NotCommitted, RecordStore

Interference = Callable[[int], Commit | None]


@define
class Interfered:
    """A record whose commits, numbered from 1, somebody interferes with."""

    store: RecordStore[NativeServices]
    before: Interference = lambda _number: None
    after: Interference = lambda _number: None
    commits: int = 0

    @property
    def name(self) -> str:
        return self.store.name

    async def read(self) -> Reading[NativeServices]:
        return await self.store.read()

    @asynccontextmanager
    async def hold(self, wait: float = 10.0) -> AsyncIterator[HeldRecord[NativeServices]]:
        async with self.store.hold(wait) as held:
            yield HeldInterfered(self, held)


@frozen
class HeldInterfered:
    """The same under its lock."""

    record: Interfered
    held: HeldRecord[NativeServices]

    async def read(self) -> Reading[NativeServices]:
        return await self.held.read()

    async def commit(self, record: NativeServices) -> Commit:
        self.record.commits += 1
        if outcome := self.record.before(self.record.commits):
            return outcome
        outcome = await self.held.commit(record)
        return self.record.after(self.record.commits) or outcome

    async def remove(self) -> Commit:
        return await self.held.remove()


def kill_me_at(number: int) -> Interference:
    """Be a power cut at one commit: nothing of this process runs any more."""

    def cut(seen: int) -> None:
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return cut


def answer_at(number: int, outcome: Commit) -> Interference:
    """Let one commit come out otherwise."""
    return lambda seen: outcome if seen == number else None


FULL_DISK = NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no_space")


async def entries(files: SiteFiles) -> dict[str, NativeService]:
    match await files.native_services.read():
        case Present(record=found):
            return found.services
        case Absent():
            return {}
        case unreadable:
            pytest.fail(str(unreadable))


async def change_entry(files: SiteFiles, change: Callable[[NativeService], NativeService]) -> None:
    """Let the entry of the service say something else."""
    services = await entries(files)
    services = {**services, "ems": change(services["ems"])}
    async with files.native_services.hold() as held:
        assert isinstance(await held.commit(NativeServices(format_version=1, services=services)), Committed)
