"""Plain files of the engine, and what a failing disk is called.

Source: `faults.md` D5; `site.md` 8.
"""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path
from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
DENIED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def disk_failure(error: OSError) -> EngineFailure:
    """Name why a file could not be written or read, without a path and without the system's own words."""
    if error.errno in DENIED:
        return EngineFailure(code=Code.WORKSPACE_PERMISSION_DENIED)
    return EngineFailure(code=Code.STATE_WRITE_FAILED, detail="no_space" if error.errno in FULL else "io_error")


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file as a whole: it is seen before or after, and after a power cut too. Raises `OSError`.

    The file is for people to read: mode 0644.
    """
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("xb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
