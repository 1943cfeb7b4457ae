"""Which program the Admin of a site really runs from, as its process shows it.

Source: `replacement.md` 7.4 ("rolled back" is said only then), 7.8.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ems_admin.native import programs
from ems_admin.native.processes import Processes, Unaskable
from ems_admin.native.replacement.admins import Admins
from ems_admin.native.replacement.incumbent import Incumbent
from ems_admin.workflows.ports.replacement import Silence

PATH: Final = b"PYTHONPATH="


def running_tree(admins: Admins, old: Incumbent, own: str | None) -> str | Silence | None:
    """Give the digest of the tree that the owner of the site runs from; `None` when nobody owns it. Blocking.

    `own` is the digest of this very Admin, if it is one.
    """
    try:
        owner = admins.owner()
        if owner is None:
            return None
        if owner == os.getpid():
            return own
        if admins.processes.find(owner) == old.identity:
            return old.digest  # it never ended
        root = _root(admins.processes, owner, admins.place.programs)
        return None if root is None else programs.digest(root)
    except (OSError, Unaskable, programs.UnsafeTreeError):
        return Silence()


def _root(processes: Processes, pid: int, home: Path) -> Path | None:
    """Read from the environment of a process which of the programs Python finds first. Raises `OSError`."""
    for variable in (processes.proc / str(pid) / "environ").read_bytes().split(b"\0"):
        if variable.startswith(PATH):
            first = Path(os.fsdecode(variable.removeprefix(PATH)).split(os.pathsep)[0])
            return first if first.is_relative_to(home) else None
    return None
