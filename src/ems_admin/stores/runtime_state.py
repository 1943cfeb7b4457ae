"""`data/runtime-state.json`, which belongs to the EMS: what was changed while it runs, over its config.

EMS and Admin both write it, so every change is made under the lock file beside it, and the file is replaced as a whole.
Keys that are not ours stay, and a file that says nothing usable stays as it is. Source: `site.md` 9 (W9), 11.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog
from attrs import field, frozen

from ems_admin import codec
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.failures import CONFIG
from ems_admin.stores.folders import Folder, read_file, resolved
from ems_admin.stores.locks import FileLock
from ems_admin.stores.records import WAIT
from ems_admin.stores.threads import DISK_THREADS, DiskThreads
from ems_admin.workflows.ports.records import Committed, RefusalError
from ems_admin.workflows.ports.running import Clock
from ems_admin.workflows.ports.runtime import RuntimeSync, RuntimeValue

FOLDER: Final = "data"
FILE: Final = "runtime-state.json"
LOCKED: Final = "runtime-state"
FORMAT: Final = 1
LIMIT: Final = 1 << 16
MODE: Final = 0o644
"""It holds no secret, and the EMS may run as somebody else."""
SHORTLY: Final = 1.0
"""Seconds that a start waits for the EMS, only to tidy up."""

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class RuntimeFile:
    """The file of one install."""

    install_root: Path = field(converter=resolved)
    clock: Clock
    disk: Disk = DISK
    threads: DiskThreads = DISK_THREADS
    folder: Folder = field(init=False)
    _lock: FileLock = field(init=False, eq=False, repr=False)

    @folder.default
    def _find_folder(self) -> Folder:
        return Folder(str(self.install_root), (FOLDER,))

    @_lock.default
    def _make_lock(self) -> FileLock:
        return FileLock(folder=self.folder, name=LOCKED, words=CONFIG, disk=self.disk)

    async def converge(self, values: Mapping[str, RuntimeValue]) -> RuntimeSync:
        """Set exactly these keys and keep all others."""
        try:
            if await self.threads.run(self._read) is None:
                return RuntimeSync.ABSENT  # nothing to lock either: the folder is the EMS's to make
            async with self._lock.hold(WAIT, self._clear):
                return await self.threads.run(partial(self._set, values))
        except (OSError, RefusalError) as error:
            _log.warning("the running EMS was not told of its new config", error=str(error))
            return RuntimeSync.FAILED

    async def clear_leftovers(self) -> None:
        """Take the lock once, which removes what a kill left; where the EMS holds it for long, the next holder does."""
        with contextlib.suppress(OSError, RefusalError):
            if await self.threads.run(self._read) is not None:
                async with self._lock.hold(SHORTLY, self._clear):
                    pass

    def _clear(self, at: int) -> None:
        atomic.clear_leftovers(FILE, at=at, disk=self.disk)

    def _read(self) -> bytes | None:
        try:
            with self.folder.opened(self.disk) as at:
                return read_file(FILE, at=at, limit=LIMIT, disk=self.disk)
        except FileNotFoundError:
            return None

    def _set(self, values: Mapping[str, RuntimeValue]) -> RuntimeSync:
        data = self._read()
        if data is None:
            return RuntimeSync.ABSENT
        document = _document(data)
        if document is None:
            return RuntimeSync.UNREADABLE
        changed = {
            **document,
            "overrides": {**document["overrides"], **values},
            "updated_at": f"{self.clock.now():%Y-%m-%dT%H:%M:%SZ}",
        }
        place = Place(folder=self.folder, name=FILE, words=CONFIG, mode=MODE, owner=self._owner(), limit=LIMIT)
        outcome = atomic.replace(place, codec.pretty(changed), disk=self.disk)
        return RuntimeSync.SYNCED if isinstance(outcome, Committed) else RuntimeSync.FAILED

    def _owner(self) -> tuple[int, int]:
        seen = (Path(self.folder.path) / FILE).lstat()
        return seen.st_uid, seen.st_gid


def _document(data: bytes) -> dict[str, Any] | None:
    """Read the file; `None` when it is not one of its format."""
    try:
        document: Any = codec.parse(data, limit=LIMIT)
    except codec.TextError:
        return None
    usable = isinstance(document, dict) and document.get("format_version") == FORMAT
    return document if usable and isinstance(document.get("overrides"), dict) else None
