"""Whether an Admin replacement runs, told by the lock that its updater holds as long as it lives.

Source: `replacement.md` 7.8; `faults.md` D1, D9, F42.
"""

from __future__ import annotations

import os
from pathlib import Path

import portalocker

from ems_admin.workflows.ports.engine import Activity


def replacement_activity(state: Path, operation_id: str | None) -> Activity:
    """Ask every updater lock, or those of one operation. A lock file without a holder blocks nothing and stays."""
    prefix = ".updater-" if operation_id is None else f".updater-{operation_id}-"
    try:
        names = [name for name in os.listdir(state) if name.startswith(prefix) and name.endswith(".lock")]  # noqa: PTH208
    except FileNotFoundError:
        return Activity.INACTIVE
    except OSError:
        return Activity.UNKNOWN
    answers = {_ask(state / name) for name in names}
    return next((seen for seen in (Activity.ACTIVE, Activity.UNKNOWN) if seen in answers), Activity.INACTIVE)


def _ask(lock_file: Path) -> Activity:
    try:
        descriptor = os.open(lock_file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return Activity.INACTIVE
    except OSError:
        return Activity.UNKNOWN
    with os.fdopen(descriptor, "r+b") as file:
        # Shared: two who ask at once must not take one another for the updater, which holds it exclusively.
        try:
            portalocker.lock(file, portalocker.LockFlags.SHARED | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.AlreadyLocked:
            return Activity.ACTIVE
        except (portalocker.LockException, OSError):
            return Activity.UNKNOWN
        portalocker.unlock(file)
    return Activity.INACTIVE
