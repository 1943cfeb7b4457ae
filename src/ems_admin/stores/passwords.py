"""The password of the first person: argon2id, made once, never made again by a damaged file.

Source: `http.md` 5.2; `site.md` 10 (password reset).
"""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from attrs import field, frozen

from ems_admin.machines.records.reading import Absent, Present, ReadFault, Reading, Unreadable
from ems_admin.stores.config import config_folder
from ems_admin.stores.failures import CONFIG, refused
from ems_admin.stores.folders import resolved
from ems_admin.stores.records import RecordFile
from ems_admin.workflows.ports.access import PasswordFile
from ems_admin.workflows.ports.records import Commit, RefusalError
from ems_admin.workflows.ports.running import Clock

FILE: Final = "admin-auth.json"
FORMAT: Final = 1

_ARGON2ID: Final = re.compile(r"\$argon2id\$v=[0-9]+\$[A-Za-z0-9=,]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+")
_NO_PASSWORD: Final = "no password has been set"  # noqa: S105  # what is hashed so that every answer takes as long
_FAULTS: Final = {
    ReadFault.UNSUPPORTED_FORMAT: PasswordFile.UNSUPPORTED_FORMAT,
    ReadFault.NOT_PERMITTED: PasswordFile.UNREADABLE,
    ReadFault.IO_ERROR: PasswordFile.UNREADABLE,
    ReadFault.FILE_UNSAFE: PasswordFile.UNREADABLE,
    ReadFault.DIRECTORY_UNSAFE: PasswordFile.UNREADABLE,
}


@frozen(kw_only=True)
class AdminAuth:
    """What the password file holds."""

    format_version: int = field(metadata={"format": FORMAT})
    password_hash: str
    created_at: datetime


@frozen(kw_only=True)
class PasswordStore:
    """`config/admin-auth.json` of an install."""

    install_root: Path = field(converter=resolved)
    clock: Clock
    hasher: PasswordHasher = field(factory=PasswordHasher, eq=False)
    _file: RecordFile[AdminAuth] = field(init=False, eq=False, repr=False)

    @_file.default
    def _make_file(self) -> RecordFile[AdminAuth]:
        return RecordFile(kind=AdminAuth, folder=config_folder(self.install_root), file_name=FILE, words=CONFIG)

    async def state(self) -> PasswordFile:
        """Look at the file."""
        return _state(await self._file.read())

    async def create(self, password: str) -> Commit | None:
        """Create the file; `None` when there is one already, readable or not."""
        hashed = await asyncio.to_thread(self.hasher.hash, password)
        async with self._file.hold() as file:
            if not isinstance(await file.read(), Absent):
                return None
            return await file.commit(
                AdminAuth(format_version=FORMAT, password_hash=hashed, created_at=self.clock.now())
            )

    async def verify(self, password: str) -> bool:
        """Compare; a wrong password takes as long as a right one, and so does one that was never set."""
        match await self._file.read():
            case Present(record=AdminAuth(password_hash=hashed)):
                return await asyncio.to_thread(self._compare, hashed, password)
            case _:
                await asyncio.to_thread(self.hasher.hash, _NO_PASSWORD)
                return False

    async def reset(self, now: datetime) -> str | None:
        """Set the file aside, so that the next start behaves like the first; give its new name, `None` for no file.

        Whatever the file holds, it is kept. Raises `RefusalError`.
        """
        async with self._file.hold():
            return await self._file.threads.run(lambda: self._set_aside(f"{FILE}.{now:%Y%m%dT%H%M%SZ}"))

    def _set_aside(self, wanted: str) -> str | None:
        folder, disk = self._file.folder, self._file.disk
        try:
            with folder.opened(disk) as at:
                names = disk.names(at)
                if FILE not in names:
                    return None
                number, name = 1, wanted
                while name in names:
                    number += 1
                    name = f"{wanted}-{number}"
                disk.replace(FILE, name, at=at)
                disk.fsync(at)
        except OSError as error:
            raise RefusalError(refused(error, words=CONFIG, folder=folder.name, path=folder.path)) from error
        return name

    def _compare(self, hashed: str, password: str) -> bool:
        try:
            return self.hasher.verify(hashed, password)
        except (Argon2Error, InvalidHashError):
            return False


def _state(reading: Reading[AdminAuth]) -> PasswordFile:
    match reading:
        case Absent():
            return PasswordFile.ABSENT
        case Present(record=AdminAuth(password_hash=hashed)):
            return PasswordFile.CONFIGURED if _ARGON2ID.fullmatch(hashed) else PasswordFile.MALFORMED
        case Unreadable(fault=fault):
            return _FAULTS.get(fault, PasswordFile.MALFORMED)
