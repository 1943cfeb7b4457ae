"""The lock that makes one Admin the owner of a site.

Source: `site.md` 1.5, 10; `faults.md` F12.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from attrs import asdict, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.stores.disk import DISK
from ems_admin.stores.failures import STATE, refused
from ems_admin.stores.folders import Folder, UnsafeFileError, UnsafeFolderError
from ems_admin.stores.locks import NoLocksError, file_system, let_go, open_lock, sign, signature, take
from ems_admin.stores.site_files import STATE_FOLDER
from ems_admin.workflows.ports.records import RefusalError

LOCK_NAME: Final = "site"
"""The file is `state/.site.lock`."""

_PAUSES: Final = (0.01, 0.02, 0.05)
"""Seconds: `site_owner` has the lock for an instant, and must not keep an Admin from starting."""


@frozen(kw_only=True)
class SiteOwner:
    """Who owns a site, in words that mean something on the host: a pid means nothing across containers."""

    instance: str
    container: str | None
    process: int
    started_at: datetime


@frozen
class SiteLock:
    """The lock as long as it is held. The kernel drops it when its holder ends, however that happens."""

    _file: int

    def release(self) -> None:
        """Let the next one in. The file stays."""
        let_go(self._file)


def take_site_lock(admin_data: Path, owner: SiteOwner) -> SiteLock:
    """Take the lock at once or not at all.

    Raises `RefusalError`: `site_locked` with the owner in `more`, or what stands against holding any lock here.
    """
    folder = Folder(str(admin_data.resolve()), (STATE_FOLDER,))
    try:
        with folder.opened(make=True) as at:
            file = open_lock(LOCK_NAME, at=at)
        try:
            _take_or_refuse(file)
            sign(file, _line(owner))
        except BaseException:
            DISK.close(file)
            raise
    except NoLocksError as error:
        detail = f"{errno.errorcode.get(error.errno or 0, 'unknown')}, {file_system(folder.path)}"
        raise RefusalError(Refusal(Code.STATE_LOCK_UNAVAILABLE, detail=detail)) from error
    except OSError as error:
        raise RefusalError(refused(error, words=STATE, folder=folder.name, path=folder.path)) from error
    return SiteLock(file)


def _take_or_refuse(file: int) -> None:
    for pause in _PAUSES:
        if take(file):
            return
        time.sleep(pause)
    raise RefusalError(Refusal(Code.SITE_LOCKED, more=_described(signature(file))))


@contextmanager
def site_lock(admin_data: Path, owner: SiteOwner) -> Iterator[SiteLock]:
    """Hold the site for a block."""
    held = take_site_lock(admin_data, owner)
    try:
        yield held
    finally:
        held.release()


def site_owner(admin_data: Path) -> dict[str, object] | None:
    """Say who owns a site right now, `None` when nobody does. Touches nothing, needs no lock of its own."""
    folder = Folder(str(admin_data.resolve()), (STATE_FOLDER,))
    with suppress(FileNotFoundError, UnsafeFileError, UnsafeFolderError), folder.opened() as at:
        file = DISK.open(f".{LOCK_NAME}.lock", os.O_RDWR, at=at)
        try:
            return None if take(file) else _described(signature(file))
        finally:
            DISK.close(file)
    return None


def _line(owner: SiteOwner) -> bytes:
    said = asdict(owner) | {"started_at": f"{owner.started_at.isoformat()[:19]}Z"}
    return json.dumps(said).encode() + b"\n"


def _described(said: dict[str, object]) -> dict[str, object]:
    """Give every word, and null where the holder has not signed yet."""
    return {name: said.get(name) for name in ("instance", "container", "process", "started_at")}
