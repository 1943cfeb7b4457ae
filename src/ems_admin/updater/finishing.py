"""Whatever is open of a replacement, walked to its end by this process. Source: `site.md` 10 (`updater`)."""

from __future__ import annotations

import asyncio
from enum import StrEnum

from ems_admin.composition.options import Options
from ems_admin.machines.records.installed import EngineKind
from ems_admin.updater import processes
from ems_admin.updater.walking import WalkOf, open_attempt
from ems_admin.workflows.replacement.updating import WalkEnd


class Unfinished(StrEnum):
    """Why there was no end."""

    NOTHING = "nothing"
    """No walk is open, or another updater is at it."""
    STOPPED = "stopped"
    """It was asked to stop where it is."""


def finish(options: Options, which: WalkOf | None) -> WalkEnd | Unfinished:
    """Walk an attempt, or without one whatever is open. Blocking; raises `OSError`."""
    which = which or open_attempt(options)
    if which is None:
        return Unfinished.NOTHING
    if options.engine is EngineKind.DOCKER:
        # Only here: a native site loads no client of Docker.
        from ems_admin.updater import containers  # noqa: PLC0415

        return asyncio.run(containers.update(options, which)) or Unfinished.STOPPED
    lock = processes.take_turn(options, which)
    if lock is None:
        return Unfinished.NOTHING
    return asyncio.run(processes.update(options, which, lock)) or Unfinished.STOPPED
