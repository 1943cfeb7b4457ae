"""The history of the live config on disk: `backups/history/` below the Admin data.

`commits/<sequence>-<applied|found>.json` holds the lines, `applied/<revision>.json` and `found/<revision>.json` the
bytes as they were. Bytes come first: a line never names what is not there. Source: `site.md` 9; DESIGN 3.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Final

from attrs import field, frozen

from ems_admin import codec
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import HISTORY_FORMAT, KeptRevision
from ems_admin.machines.records.reading import Absent, ReadFault, Unreadable
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.config import CONFIG_LIMIT, content
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.failures import STATE, not_committed, unreadable
from ems_admin.stores.folders import Folder, read_file, resolved
from ems_admin.stores.records import sha256
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.files import FileReading
from ems_admin.workflows.ports.history import History
from ems_admin.workflows.ports.records import Commit, Committed
from ems_admin.workflows.ports.running import Clock

HISTORY_FOLDER: Final = ("backups", "history")
COMMITS: Final = "commits"
APPLIED: Final = "applied"
FOUND: Final = "found"
LOOKED_BACK: Final = 4
"""Lines from the end among which a commit that is gone on with finds its own: nobody else commits in between."""

_LINE: Final = re.compile(r"(\d{8})-(?:applied|found)\.json")
_REVISION: Final = re.compile(r"[0-9a-f]{64}")


@frozen(kw_only=True)
class ConfigHistoryFiles:
    """Implements `ConfigHistory` over a folder."""

    admin_data: Path = field(converter=resolved)
    clock: Clock
    disk: Disk = DISK
    threads: DiskThreads = DISK_THREADS

    async def keep(self, data: bytes, *, path: WritePath, base: str | None, commit_id: str) -> Commit:
        """Keep what a commit wrote."""
        return await self.threads.run(partial(self._keep, data, path=path, base=base, commit_id=commit_id))

    async def keep_found(self, data: bytes, *, commit_id: str) -> Commit:
        """Keep what a commit came upon."""
        return await self.threads.run(partial(self._keep, data, path=None, base=None, commit_id=commit_id))

    async def lay_by(self, data: bytes) -> Commit:
        """Keep bytes alone."""
        return await self.threads.run(partial(self._put_bytes, FOUND, data))

    async def list(self) -> History | Unreadable:
        """Read every line."""
        return await self.threads.run(self._list)

    async def read(self, revision: str) -> FileReading:
        """Read the bytes of a revision."""
        return await self.threads.run(partial(self._read, revision))

    def _keep(self, data: bytes, *, path: WritePath | None, base: str | None, commit_id: str) -> Commit:
        revision = sha256(data)
        try:
            names = self._names()
            latest = tuple(line for name in names[-LOOKED_BACK:] if isinstance(line := self._line(name), KeptRevision))
        except OSError as error:
            folder = self._folder(COMMITS)
            return not_committed(error, words=STATE, folder=folder.name, path=folder.path)
        last = latest[-1] if latest else None
        if path is None:
            if last is not None and last.revision == revision:
                return Committed()
            base = None if last is None else last.revision
        elif any(line.commit_id == commit_id and line.path is path for line in latest):
            return Committed()
        kind = FOUND if path is None else APPLIED
        outcome = self._put_bytes(kind, data)
        if not isinstance(outcome, Committed):
            return outcome
        sequence = 1 if not names else _sequence(names[-1]) + 1
        line = KeptRevision(
            format_version=HISTORY_FORMAT,
            sequence=sequence,
            commit_id=commit_id,
            path=path,
            revision=revision,
            base=base,
            kept_at=self.clock.now(),
        )
        return self._put(COMMITS, f"{sequence:08}-{kind}.json", codec.encode(line))

    def _put_bytes(self, kind: str, data: bytes) -> Commit:
        revision = sha256(data)
        if not isinstance(self._read(revision), Absent | Unreadable):
            return Committed()
        return self._put(kind, f"{revision}.json", data)

    def _put(self, kind: str, name: str, data: bytes) -> Commit:
        folder = self._folder(kind)
        try:
            with folder.opened(self.disk, make=True) as at:
                atomic.clear_leftovers(name, at=at, disk=self.disk)
        except OSError as error:
            return not_committed(error, words=STATE, folder=folder.name, path=folder.path)
        return atomic.replace(Place(folder=folder, name=name, limit=CONFIG_LIMIT), data, disk=self.disk)

    def _list(self) -> History | Unreadable:
        try:
            lines = {name: self._line(name) for name in self._names()}
        except OSError as error:
            return unreadable(error)
        return History(
            revisions=tuple(line for line in lines.values() if line is not None),
            damaged=tuple(name for name, line in lines.items() if line is None),
        )

    def _names(self) -> tuple[str, ...]:
        """List the lines, oldest first. Raises `OSError`."""
        try:
            with self._folder(COMMITS).opened(self.disk) as at:
                return tuple(sorted(name for name in self.disk.names(at) if _LINE.fullmatch(name)))
        except FileNotFoundError:
            return ()

    def _line(self, name: str) -> KeptRevision | None:
        """Read one line; `None` for one that its decoder does not accept. Raises `OSError`."""
        with self._folder(COMMITS).opened(self.disk) as at:
            data = read_file(name, at=at, limit=codec.RECORD_LIMIT, disk=self.disk)
        try:
            line = codec.decode(data or b"", KeptRevision)
        except codec.DecodeError:
            return None
        return line if line.sequence == _sequence(name) else None

    def _read(self, revision: str) -> FileReading:
        if not _REVISION.fullmatch(revision):
            return Absent()
        seen: FileReading = Absent()
        for kind in (APPLIED, FOUND):
            reading = self._bytes(kind, revision)
            if not isinstance(reading, Absent | Unreadable):
                return reading
            seen = seen if isinstance(reading, Absent) else reading
        return seen

    def _bytes(self, kind: str, revision: str) -> FileReading:
        try:
            with self._folder(kind).opened(self.disk) as at:
                data = read_file(f"{revision}.json", at=at, limit=CONFIG_LIMIT, disk=self.disk)
        except FileNotFoundError:
            return Absent()
        except OSError as error:
            return unreadable(error)
        if data is None:
            return Absent()
        if sha256(data) != revision:
            return Unreadable(fault=ReadFault.TAMPERED, sha256=sha256(data))
        return content(data, mark_allowed=True)

    def _folder(self, kind: str) -> Folder:
        return Folder(str(self.admin_data), (*HISTORY_FOLDER, kind))


def _sequence(name: str) -> int:
    return int(name.partition("-")[0])
