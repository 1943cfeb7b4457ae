"""Locks between processes: a lock file beside what it protects, tried without blocking, never deleted.

The kernel drops a lock with its holder, so a lock file without one blocks nobody.
Source: DESIGN 3; `faults.md` D7, F14, F15, F42.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import portalocker
from attrs import field, frozen
from portalocker.portalocker import PosixLocker

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.stores.disk import DISK, Disk
from ems_admin.stores.failures import STATE, Words, refused
from ems_admin.stores.folders import Folder, UnsafeFileError
from ems_admin.workflows.ports.records import RefusalError

T = TypeVar("T")

POLL: Final = 0.02
"""Seconds between two tries."""

_LOCKER: Final = PosixLocker()
"""What the library itself asks; called directly, it costs half as much."""
_TRY: Final = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
_SIGNATURE_LIMIT: Final = 4096


class NoLocksError(OSError):
    """The file system has no working locks."""


@frozen(kw_only=True)
class FileLock:
    """The lock of one file: `.<name>.lock` in the same folder."""

    folder: Folder
    name: str
    words: Words = STATE
    disk: Disk = DISK
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False, eq=False, repr=False)

    @asynccontextmanager
    async def hold(self, wait: float, entering: Callable[[int], T]) -> AsyncIterator[T]:
        """Hold the lock, and give what `entering` made of the folder's handle as soon as it was held.

        Callers of this process queue first, so that only one of them asks the kernel. Raises `RefusalError`.
        """
        deadline = time.monotonic() + wait
        try:
            async with asyncio.timeout(wait):
                await self._turn.acquire()
        except TimeoutError:
            raise self._busy() from None
        try:
            file, entered = await self._enter(deadline, entering)
            try:
                yield entered
            finally:
                let_go(file, disk=self.disk)
        finally:
            self._turn.release()

    async def _enter(self, deadline: float, entering: Callable[[int], T]) -> tuple[int, T]:
        # Not handed to a thread: none of these calls waits for a disk or a holder, and the way there and back would
        # cost more than they do. What does wait, a flush, is handed over by whoever commits.
        while (held := self._try(entering)) is None:
            if time.monotonic() >= deadline:
                raise self._busy()
            await asyncio.sleep(POLL)
        return held

    def _try(self, entering: Callable[[int], T]) -> tuple[int, T] | None:
        """Open everything anew and try once: the holder is looked at again on every try."""
        try:
            with self.folder.opened(self.disk, make=True) as at:
                file = open_lock(self.name, at=at, disk=self.disk)
                try:
                    if take(file):
                        sign(file, ours())
                        return file, entering(at)
                except BaseException:
                    self.disk.close(file)
                    raise
                self.disk.close(file)
                return None
        except NoLocksError as error:
            detail = f"{errno.errorcode.get(error.errno or 0, 'unknown')}, {file_system(self.folder.path)}"
            raise RefusalError(Refusal(Code.STATE_LOCK_UNAVAILABLE, detail=detail)) from error
        except OSError as error:
            refusal = refused(error, words=self.words, folder=self.folder.name, path=self.folder.path)
            raise RefusalError(refusal) from error

    def _busy(self) -> RefusalError:
        record = f"{self.folder.name}/{self.name}"
        more = {"record": record, "holder": self._holder()}
        return RefusalError(Refusal(Code.STATE_LOCK_BUSY, detail=record, more=more))

    def _holder(self) -> dict[str, object]:
        with contextlib.suppress(OSError), self.folder.opened(self.disk) as at:
            file = open_lock(self.name, at=at, disk=self.disk)
            try:
                return signature(file)
            finally:
                self.disk.close(file)
        return {}


def open_lock(name: str, *, at: int, disk: Disk = DISK) -> int:
    """Open a lock file for reading and writing, and make it when there is none. Raises `OSError`."""
    try:
        file = disk.open(f".{name}.lock", os.O_RDWR | os.O_CREAT, at=at)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EISDIR, errno.ENXIO}:
            raise UnsafeFileError(error.errno, "no regular file") from error
        raise
    if disk.is_regular(file):
        return file
    disk.close(file)
    raise UnsafeFileError(errno.EINVAL, "no regular file")


def take(file: int) -> bool:
    """Take the lock, unless somebody alive has it. Raises `NoLocksError` where there are no locks at all."""
    try:
        _LOCKER.lock(file, _TRY)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        cause = error.__cause__
        raise NoLocksError(cause.errno if isinstance(cause, OSError) else None, "no locks") from error
    return True


def let_go(file: int, *, disk: Disk = DISK) -> None:
    """Drop the lock and close its file.

    Closing alone would do it, were there not children: one that was forked just now holds the same open file, and would
    go on holding the lock until it ends.
    """
    try:
        with contextlib.suppress(portalocker.LockException):  # closing is what is left
            _LOCKER.unlock(file)
    finally:
        disk.close(file)


@cache
def ours() -> bytes:
    """Say who holds what this process holds: one line that is the same as long as it lives."""
    started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "started_at": started}).encode() + b"\n"


def sign(file: int, who: bytes) -> None:
    """Note in the lock file who holds it. A courtesy for who waits: a full disk must not stand against a lock."""
    with contextlib.suppress(OSError):
        if os.pread(file, _SIGNATURE_LIMIT, 0) != who:  # written once a process, then only compared
            os.ftruncate(file, 0)
            os.pwrite(file, who, 0)


def signature(file: int) -> dict[str, object]:
    """Read who signed a lock file last; empty when nobody did, or not yet."""
    try:
        said = json.loads(os.pread(file, _SIGNATURE_LIMIT, 0))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def file_system(path: str) -> str:
    """Name the type of the file system that a path lies on, as the kernel calls it."""
    try:
        device = Path(path).stat().st_dev
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    wanted = f"{os.major(device)}:{os.minor(device)}"
    return next((line.split(" - ")[1].split()[0] for line in lines if line.split()[2] == wanted), "unknown")
