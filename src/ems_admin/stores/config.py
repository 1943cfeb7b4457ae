"""The live config of the EMS and its credential store, under one lock.

The config is read through a link, but never written through one, and never written in place.
Source: `site.md` 4, 11; `faults.md` D5, D8, F06 to F09.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from attrs import field, frozen

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.config_copies import UNREADABLE, ConfigCopies
from ems_admin.stores.disk import DISK, RECORD_MODE, Disk
from ems_admin.stores.failures import CONFIG, unreadable
from ems_admin.stores.folders import Folder, read_all, read_file, resolved
from ems_admin.stores.locks import FileLock
from ems_admin.stores.records import WAIT, sha256
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.files import Content, FileReading
from ems_admin.workflows.ports.records import Commit, NotCommitted
from ems_admin.workflows.ports.running import Clock

CONFIG_FOLDER: Final = "config"
CONFIG_FILE: Final = "config.json"
CREDENTIALS_FILE: Final = "credentials.json"
CONFIG_LIMIT: Final = 1 << 20
"""The most bytes that a config may have; people edit it, so there is room."""
CONFIG_MODE: Final = 0o644
CONFIG_FOLDER_MODE: Final = 0o755
"""Of a config, and a folder, that were not there before: they hold no secret, and the EMS may run as somebody else."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def config_folder(install_root: Path) -> Folder:
    """Name the config folder. People may have linked it elsewhere before we start: everything happens there then."""
    seen = install_root / CONFIG_FOLDER
    if seen.is_symlink():
        return Folder(str(seen.resolve()))
    return Folder(str(install_root), (CONFIG_FOLDER,), mode=CONFIG_FOLDER_MODE)


@frozen(kw_only=True)
class ConfigFiles:
    """`config/config.json` and `config/credentials.json` of an install."""

    install_root: Path = field(converter=resolved)
    admin_data: Path = field(converter=resolved)
    clock: Clock
    disk: Disk = DISK
    threads: DiskThreads = DISK_THREADS
    folder: Folder = field(init=False)
    _lock: FileLock = field(init=False, eq=False, repr=False)

    @folder.default
    def _find_folder(self) -> Folder:
        return config_folder(self.install_root)

    @_lock.default
    def _make_lock(self) -> FileLock:
        return FileLock(folder=self.folder, name=CONFIG_FILE, words=CONFIG, disk=self.disk)

    @asynccontextmanager
    async def hold(self, wait: float = WAIT) -> AsyncIterator[HeldFiles]:
        """Hold both. Raises `RefusalError`."""
        async with self._lock.hold(wait, self._clear):
            yield HeldFiles(self)

    async def config(self) -> FileReading:
        """Read the live config; a byte order mark is allowed, anything else that is no JSON is unreadable."""
        return await self.threads.run(self.look_at_config)

    async def credentials(self) -> FileReading:
        """Read the credential store."""
        return await self.threads.run(partial(self.look_at, CREDENTIALS_FILE))

    def look_at_config(self) -> FileReading:
        """Read the live config, wherever a link leads. Blocking."""
        return look_at_config(self.install_root / CONFIG_FOLDER / CONFIG_FILE)

    def look_at(self, name: str, *, parsed: bool = True) -> FileReading:
        """Read another file of the folder, for what it says or for its bytes alone. Blocking."""
        try:
            with self.folder.opened(self.disk) as at:
                data = read_file(name, at=at, limit=CONFIG_LIMIT, disk=self.disk)
        except FileNotFoundError:
            return Absent()
        except OSError as error:
            return unreadable(error)
        if data is None:
            return Absent()
        return content(data, mark_allowed=False) if parsed else Content(data=data, revision=sha256(data))

    def place(self, name: str) -> Place:
        """Say how a file of the folder is replaced: it keeps its owner, a new one takes its folder's."""
        mode = CONFIG_MODE if name == CONFIG_FILE else RECORD_MODE
        path = Path(self.folder.path)
        seen = _seen(path / name) or _seen(path)
        if seen is not None and stat.S_ISREG(seen.st_mode) and name == CONFIG_FILE:
            mode = stat.S_IMODE(seen.st_mode)
        owner = None if seen is None else (seen.st_uid, seen.st_gid)
        return Place(folder=self.folder, name=name, words=CONFIG, mode=mode, owner=owner, limit=CONFIG_LIMIT)

    def _clear(self, at: int) -> None:
        for name in (CONFIG_FILE, CREDENTIALS_FILE):
            atomic.clear_leftovers(name, at=at, disk=self.disk)


@frozen
class HeldFiles:
    """Both files under their lock."""

    _files: ConfigFiles

    async def config(self) -> FileReading:
        """Read the live config; read anew each time, for people edit it without asking for the lock."""
        return await self._files.config()

    async def credentials(self) -> FileReading:
        """Read the credential store."""
        return await self._files.credentials()

    async def keep_credentials(self, commit_id: str) -> Commit:
        """Lay the old bytes of the credential store beside it, whatever they say; none when there was none."""
        match await self._bytes_of(CREDENTIALS_FILE):
            case Content(data=data):
                return await self._replace(_kept(commit_id), data)
            case Absent():
                return await self._remove(_kept(commit_id))
            case Unreadable(fault=fault):
                return NotCommitted(code=Code.CREDENTIAL_STAGING_FAILED, detail=fault)

    async def kept_credentials(self, commit_id: str) -> FileReading:
        """Read those bytes."""
        return await self._bytes_of(_kept(commit_id))

    async def drop_kept_credentials(self, commit_id: str) -> Commit:
        """Remove them."""
        return await self._remove(_kept(commit_id))

    async def write_credentials(self, data: bytes | None) -> Commit:
        """Replace the credential store, or remove it."""
        return await (self._remove(CREDENTIALS_FILE) if data is None else self._replace(CREDENTIALS_FILE, data))

    async def write_config(self, data: bytes) -> Commit:
        """Replace the live config."""
        return await self._replace(CONFIG_FILE, data)

    async def back_up(self, label: str, data: bytes | None = None) -> str | Commit:
        """Copy the live config, or `data`, into `backups/config` and give its name below the Admin data."""
        if not _NAME.fullmatch(label):
            raise ValueError(f"{label!r} is no label")
        if data is not None:
            return await self._files.threads.run(partial(self._copies.keep, label, data))
        reading = await self.config()
        if not isinstance(reading, Content):
            detail = "absent" if isinstance(reading, Absent) else reading.fault
            return NotCommitted(code=Code.CONFIG_UNREADABLE, detail=detail)
        return await self._files.threads.run(partial(self._copies.keep, label, reading.data))

    async def set_aside(self, label: str) -> str | Commit:
        """Copy the bytes of a config that cannot be read: nobody takes them for a backup, and nothing is lost."""
        if not _NAME.fullmatch(label):
            raise ValueError(f"{label!r} is no label")
        match await self._bytes_of(CONFIG_FILE):
            case Content(data=data):
                return await self._files.threads.run(partial(self._copies.keep, label, data, UNREADABLE))
            case Absent():
                return NotCommitted(code=Code.CONFIG_UNREADABLE, detail="absent")
            case Unreadable(fault=fault):
                return NotCommitted(code=Code.CONFIG_UNREADABLE, detail=fault)

    @property
    def _copies(self) -> ConfigCopies:
        files = self._files
        return ConfigCopies(admin_data=files.admin_data, clock=files.clock, disk=files.disk)

    async def _bytes_of(self, name: str) -> FileReading:
        return await self._files.threads.run(partial(self._files.look_at, name, parsed=False))

    async def _replace(self, name: str, data: bytes) -> Commit:
        files = self._files
        return await files.threads.run(lambda: atomic.replace(files.place(name), data, disk=files.disk))

    async def _remove(self, name: str) -> Commit:
        files = self._files
        return await files.threads.run(lambda: atomic.remove(files.place(name), disk=files.disk))


def look_at_config(path: Path) -> FileReading:
    """Read a config that people edit, wherever a link leads. Blocking."""
    try:
        data = _bounded(path)
    except OSError as error:
        return unreadable(error)
    return Absent() if data is None else content(data, mark_allowed=True)


def content(data: bytes, *, mark_allowed: bool) -> FileReading:
    """Make a reading of the bytes of a config or a credential store."""
    try:
        codec.parse(data, limit=CONFIG_LIMIT, mark_allowed=mark_allowed)
    except codec.TextError as error:
        return Unreadable(fault=error.fault, detail=error.detail, sha256=sha256(data))
    return Content(data=data, revision=sha256(data))


def _bounded(path: Path) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        if not DISK.is_regular(file):
            raise IsADirectoryError(errno.EISDIR, "no regular file")
        return read_all(file, limit=CONFIG_LIMIT)
    finally:
        os.close(file)


def _seen(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None


def _kept(commit_id: str) -> str:
    if not _NAME.fullmatch(commit_id):
        raise ValueError(f"{commit_id!r} is no commit id")
    return f".{CREDENTIALS_FILE}.{commit_id}.kept"
