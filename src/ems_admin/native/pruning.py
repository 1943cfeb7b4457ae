"""Program trees of builds that nobody needs any more. A doubt about one of them keeps them all.

Source: `site.md` 4 (B8), 8; `replacement.md` 7.8; `faults.md` F24.
"""

from __future__ import annotations

import shutil
from typing import Final

from ems_admin import codec
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.native.place import Place
from ems_admin.native.programs import BUILD_ID
from ems_admin.native.register import Entries

POINTER: Final = "current-admin.json"


def prune(place: Place, builds: frozenset[str], running: Entries) -> None:
    """Remove the trees of all other builds. Blocking; raises `OSError`, `codec.DecodeError`.

    Kept beside `builds` are those that a service was started from, and the two that the pointer of the Admin names:
    the one that runs, and the one that a rollback would run.
    """
    programs = place.install_root / "programs"
    if programs.is_symlink() or not programs.is_dir():
        return
    kept = {*builds, *(service.build_id for service in running.values()), *_pointed_at(place)}
    for tree in sorted(programs.iterdir()):
        ours = BUILD_ID.fullmatch(tree.name) is not None and tree.is_dir() and not tree.is_symlink()
        if ours and tree.name not in kept:
            shutil.rmtree(tree)


def _pointed_at(place: Place) -> tuple[str, ...]:
    try:
        data = (place.state / POINTER).read_bytes()
    except FileNotFoundError:
        return ()
    pointer = codec.decode(data, CurrentAdmin)
    return (pointer.build, pointer.previous)
