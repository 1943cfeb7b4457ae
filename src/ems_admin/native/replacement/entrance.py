"""Which program whoever starts a site has to run, and when: the pointer says which, an open walk says when.

Nothing here can keep a site from starting: where the pointer cannot be followed, the program that was started runs, and
says so. Source: `replacement.md` 7.8.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import structlog
from attrs import frozen

from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.machines.records.replacement import Run
from ems_admin.native.place import MARKER, Place
from ems_admin.native.replacement import trees
from ems_admin.native.replacement.admins import EXECUTED, STARTED_FOR, Role, inherited
from ems_admin.native.replacement.incumbent import at_port, port_of, remembered
from ems_admin.native.replacement.trees import AdminTree

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Entry:
    """What is to run in the place of the program that was started; without a tree, that program itself."""

    tree: AdminTree | None = None
    complaint: str | None = None
    """Why the pointer is not followed."""
    marks: dict[str, str]
    """What the environment says of it: that it is the new Admin which a living updater waits for."""
    url: str | None = None
    """Where such an updater looks for it."""


def was_started_by_updater(place: Place, environment: Mapping[str, str]) -> bool:
    """Say whether this process is an Admin that an updater of this site started: then nothing is waited for."""
    mark = environment.get(MARKER, "")
    return mark.startswith((place.marker(Role.SUCCESSOR, ""), place.marker(Role.PREDECESSOR, "")))


def entry(place: Place, pointer: Reading[CurrentAdmin], package: Path, *, awaited: Run | None) -> Entry:
    """Say what the pointer names. `awaited` is the walk of a living updater that has switched it. Blocking."""
    marks, before = _marks(place, awaited), remembered(awaited.snapshot) if awaited else None
    url = before.incumbent.url if before else None
    match pointer:
        case Absent():
            return Entry(marks=marks, url=url)
        case Present(record=record):
            tree = trees.tree_of(place, record.build)
            if tree is not None and package.resolve().is_relative_to(tree.root.resolve()):
                return Entry(tree=tree if marks else None, marks=marks, url=url)
            if os.environ.get(EXECUTED) == record.build:
                return Entry(complaint=f"{record.build} does not run from its own program", marks=marks, url=url)
            if tree is None or not trees.is_whole(tree, tree.sha256):
                return Entry(complaint=f"the program of {record.build} is missing or damaged", marks=marks, url=url)
            return Entry(tree=tree, marks=marks | {EXECUTED: record.build}, url=url)
        case _:
            return Entry(complaint="current-admin.json cannot be read", marks=marks, url=url)


def execute(found: Entry) -> None:
    """Run what was found in the place of this process; give `None` when this program itself is to run."""
    if found.complaint is not None:
        _log.warning("this program runs instead of the one that the site names", why=found.complaint)
    if found.tree is None:
        return
    arguments = sys.argv[1:] if found.url is None else tuple(at_port(sys.argv[1:], port_of(found.url)))
    command = found.tree.command(sys.executable, *arguments)
    _log.info("the site runs another program", build=found.tree.build_id)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.execve(command[0], command, found.tree.environment(inherited(os.environ)) | found.marks)  # noqa: S606


def _marks(place: Place, awaited: Run | None) -> dict[str, str]:
    if awaited is None:
        return {}
    name = f"{awaited.operation_id}-{awaited.attempt}"
    return {MARKER: place.marker(Role.SUCCESSOR, name), STARTED_FOR: name}
