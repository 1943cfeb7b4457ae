"""What a kill has left of commits that no lock of a record guards: copies, generated files, a password, kept secrets.

Only the Admin that owns the site makes them, so what lies there when it starts belongs to nobody who lives. It is
cleared once, before anything else works on the site. Source: `faults.md` F10, F42.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import structlog

from ems_admin.stores import passwords, recovery
from ems_admin.stores.config import CREDENTIALS_FILE, config_folder
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.runtime_state import RuntimeFile
from ems_admin.stores.site_files import STATE_FOLDER
from ems_admin.stores.threads import DISK_THREADS, DiskThreads

OURS_ALONE: Final = ("backups", "workflows", f"{STATE_FOLDER}/{recovery.FOLDER}")
"""Folders below the Admin data in which nothing is written but whole files, all the way down."""
LEFTOVER: Final = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")
BESIDE_THE_CONFIG: Final = re.compile(
    rf"\.(?:{re.escape(passwords.FILE)}|\.{re.escape(CREDENTIALS_FILE)}\.[A-Za-z0-9_-]+\.kept)\.[0-9a-f]{{8}}\.tmp"
)
"""People and the EMS write there as well: only what bears a name of ours is touched."""

_log: Final = structlog.get_logger(__name__)


async def clear_leftovers(
    install_root: Path, admin_data: Path, runtime: RuntimeFile, *, threads: DiskThreads = DISK_THREADS
) -> None:
    """Remove them, each folder's with a line in the log. For whoever owns the site, and has done nothing there yet."""
    found = partial(_remove_all, install_root, admin_data)
    if removed := await threads.run(lambda: tuple(found())):
        _log.info("leftover files removed", files=removed)
    await runtime.clear_leftovers()


def _remove_all(install_root: Path, admin_data: Path) -> Iterator[str]:
    for name in OURS_ALONE:
        with contextlib.suppress(OSError):  # it may not be there yet, or not be ours to enter
            for folder, _, names, at in os.fwalk(admin_data / name):
                yield from _remove(Path(folder), names, at, LEFTOVER)
    with contextlib.suppress(OSError), config_folder(install_root).opened() as at:
        yield from _remove(install_root / "config", DISK.names(at), at, BESIDE_THE_CONFIG)


def _remove(folder: Path, names: list[str], at: int, ours: re.Pattern[str], disk: Disk = DISK) -> Iterator[str]:
    for name in names:
        if ours.fullmatch(name):
            with contextlib.suppress(OSError):  # the next start tries again, nothing is wrong until then
                disk.unlink(name, at=at)
                yield str(folder / name)
