"""The lock that an updater holds as long as it lives: whether it runs, and what it was launched with.

The kernel drops the lock with its holder, so nothing here can outlive a kill. The file stays, and holds what the Admin
that launched the updater said of itself. Source: `replacement.md` 7.8; `faults.md` D1, D9, F42.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import portalocker
from attrs import frozen

from ems_admin.workflows.ports.engine import Activity

LONGEST_WORD: Final = 64 * 1024
MODE: Final = 0o600

_PREFIX: Final = ".updater-"
_PAUSES: Final = (0.01, 0.02, 0.05, 0.1)
"""Seconds: whoever only asks has the lock for an instant, and must not turn an updater away."""
_FLAGS: Final = os.O_NOFOLLOW | os.O_CLOEXEC
_TAKE: Final = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
_ASK: Final = portalocker.LockFlags.SHARED | portalocker.LockFlags.NON_BLOCKING
"""Shared: two who ask at once must not take one another for the updater, which holds it exclusively."""


@frozen
class UpdaterLock:
    """The lock as long as it is held. A program that is executed in place of its holder does not inherit it."""

    _file: int

    def release(self) -> None:
        """Let the next one in."""
        os.close(self._file)


def lock_file(state: Path, operation_id: str, attempt: int) -> Path:
    """Name the lock of one attempt."""
    return state / f"{_PREFIX}{operation_id}-{attempt}.lock"


def take(state: Path, operation_id: str, attempt: int) -> UpdaterLock | None:
    """Become the updater of this attempt; `None` when one lives already. Raises `OSError`."""
    file = os.open(lock_file(state, operation_id, attempt), os.O_RDWR | os.O_CREAT | _FLAGS, MODE)
    for pause in (*_PAUSES, None):
        try:
            portalocker.lock(file, _TAKE)
        except portalocker.AlreadyLocked:
            if pause is not None:
                time.sleep(pause)
        except (portalocker.LockException, OSError) as error:
            os.close(file)
            raise OSError("the lock cannot be had") from error
        else:
            return UpdaterLock(file)
    os.close(file)
    return None


def leave_word(state: Path, operation_id: str, attempt: int, word: bytes) -> None:
    """Write into the lock file what its updater has to know, before there is one. Raises `OSError`."""
    file = os.open(lock_file(state, operation_id, attempt), os.O_RDWR | os.O_CREAT | _FLAGS, MODE)
    try:
        os.ftruncate(file, 0)
        os.pwrite(file, word, 0)
        os.fsync(file)
    finally:
        os.close(file)


def word(state: Path, operation_id: str, attempt: int) -> bytes:
    """Read it. Raises `OSError`."""
    file = os.open(lock_file(state, operation_id, attempt), os.O_RDONLY | _FLAGS)
    try:
        return os.pread(file, LONGEST_WORD, 0)
    finally:
        os.close(file)


def replacement_activity(state: Path, operation_id: str | None) -> Activity:
    """Ask every updater lock, or those of one operation. A lock file without a holder blocks nothing and stays."""
    return _activity(state, lambda name: operation_id is None or name.startswith(f"{_PREFIX}{operation_id}-"))


def other_activity(state: Path, operation_id: str) -> Activity:
    """Ask the locks of every other operation."""
    return _activity(state, lambda name: not name.startswith(f"{_PREFIX}{operation_id}-"))


def forget(state: Path, operation_id: str) -> None:
    """Remove the lock files of an operation that is over; one that is held stays. Raises `OSError`."""
    for name in _names(state):
        if name.startswith(f"{_PREFIX}{operation_id}-") and _ask(state / name) is Activity.INACTIVE:
            (state / name).unlink(missing_ok=True)


def _activity(state: Path, wanted: Callable[[str], bool]) -> Activity:
    try:
        names = _names(state)
    except FileNotFoundError:
        return Activity.INACTIVE
    except OSError:
        return Activity.UNKNOWN
    answers = {_ask(state / name) for name in names if wanted(name)}
    return next((seen for seen in (Activity.ACTIVE, Activity.UNKNOWN) if seen in answers), Activity.INACTIVE)


def _names(state: Path) -> Sequence[str]:
    return [name for name in os.listdir(state) if name.startswith(_PREFIX) and name.endswith(".lock")]  # noqa: PTH208


def _ask(lock_file: Path) -> Activity:
    try:
        descriptor = os.open(lock_file, os.O_RDWR | _FLAGS)
    except FileNotFoundError:
        return Activity.INACTIVE
    except OSError:
        return Activity.UNKNOWN
    with os.fdopen(descriptor, "r+b") as file:
        try:
            portalocker.lock(file, _ASK)
        except portalocker.AlreadyLocked:
            return Activity.ACTIVE
        except (portalocker.LockException, OSError):
            return Activity.UNKNOWN
        portalocker.unlock(file)
    return Activity.INACTIVE
