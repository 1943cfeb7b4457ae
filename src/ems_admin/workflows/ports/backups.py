"""Backup sets: made, proved by reading them back, listed, opened, removed.

Source: `site.md` 9 (Backups); `faults.md` State files, F01, F06, D7.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol, TypeAlias

from attrs import field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.backup import (
    BackedUpFile,
    BackupContents,
    BackupFacts,
    BackupOrigin,
    BackupPart,
    BackupRetention,
    BackupScope,
    LeftOut,
)
from ems_admin.machines.records.reading import Absent, ReadFault, Reading, Unreadable
from ems_admin.workflows.ports.records import Commit, NotCommitted, Unprovable


@frozen(kw_only=True)
class KeptFile:
    """The bytes of one file, exactly as they were."""

    name: BackupPart
    data: bytes = field(repr=False)


@frozen(kw_only=True)
class Gathered:
    """What goes into a set, and what was there and does not."""

    files: tuple[KeptFile, ...]
    left_out: tuple[LeftOut, ...] = ()


@frozen(kw_only=True)
class BackupSet:
    """A set whose bytes are whole. What it holds is told once it is open: a locked one keeps that to itself."""

    facts: BackupFacts
    locked: bool
    contents: BackupContents | None
    bytes: int
    sha256: str
    """Of the whole file: a set that was exchanged is another one."""

    @property
    def id(self) -> str:
        """What it is called."""
        return self.facts.id

    @property
    def created_at(self) -> datetime:
        """When it was made."""
        return self.facts.created_at

    @property
    def scope(self) -> BackupScope:
        """How much it holds."""
        return self.facts.scope

    @property
    def origin(self) -> BackupOrigin:
        """Who wanted it."""
        return self.facts.origin

    @property
    def files(self) -> tuple[BackedUpFile, ...]:
        """What it is known to hold; nothing while it is locked."""
        return self.contents.files if self.contents else ()

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was there and is not in it."""
        return self.contents.left_out if self.contents else ()


@frozen(kw_only=True)
class DamagedSet:
    """A file in the place of a set that is none: nothing is taken from it, and nothing tidies it away."""

    id: str
    fault: ReadFault
    detail: str | None
    bytes: int | None


@frozen(kw_only=True)
class OpenedSet:
    """A set that was opened: every file proven by its hash."""

    backup: BackupSet
    files: tuple[KeptFile, ...]

    def data(self, part: BackupPart) -> bytes | None:
        """Give the bytes of one file; `None` when the set does not hold it."""
        return next((file.data for file in self.files if file.name is part), None)


@frozen(kw_only=True)
class MadeSet:
    """A set that is durable and was read back whole."""

    backup: BackupSet
    found: bool = False
    """It was there already, under the very id that was asked for."""
    storage_unreliable: bool = False
    """As for any commit: people are warned."""


@frozen(kw_only=True)
class BackupFailure:
    """Why a set does not open: `backup_password_required`, `backup_password_invalid` or `backup_damaged`."""

    code: Code
    detail: str | None = None


NotMade: TypeAlias = NotCommitted | Unprovable | BackupFailure


class Backups(Protocol):
    """The sets of a site, one file each, and how many of them are kept. Locks: held alone, like the run record's."""

    async def evidence(self) -> Gathered:
        """Gather what a full set holds besides config and credentials: each file by its own decoder, or left out."""
        ...

    async def create(self, facts: BackupFacts, gathered: Gathered, password: str | None) -> MadeSet | NotMade:
        """Write a set under its id and read it back with the same password.

        A whole set that already has the id is the answer; a damaged one is replaced. Raises `RefusalError` like
        `RecordStore.hold`.
        """
        ...

    async def add(self, data: bytes) -> MadeSet | NotMade:
        """Put a set there that was made elsewhere, under the id that it names; `target_exists` beside another one."""
        ...

    async def sets(self) -> tuple[BackupSet | DamagedSet, ...] | Unreadable:
        """Look at every set, the newest first, damaged ones last."""
        ...

    async def open(self, backup_id: str, password: str | None) -> OpenedSet | BackupFailure | Absent:
        """Read a set, every byte of it proven."""
        ...

    async def data(self, backup_id: str) -> bytes | BackupFailure | Absent:
        """Give the whole file of a set, proven whole and still locked if it is."""
        ...

    async def delete(self, backup_id: str) -> Commit | Absent:
        """Remove a set, damaged or not. Raises `RefusalError` like `RecordStore.hold`."""
        ...

    async def retention(self) -> Reading[BackupRetention]:
        """Read how many sets are kept."""
        ...

    async def keep(self, retention: BackupRetention) -> Commit:
        """Remember how many. Raises `RefusalError` like `RecordStore.hold`."""
        ...
