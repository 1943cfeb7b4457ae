"""What can be seen of the services: the process of an entry, and the last words of one that ended. Changes nothing.

Source: `site.md` 4 (native services); `faults.md` D1, D4, F41.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import NativeService
from ems_admin.native import children, logs
from ems_admin.native.place import Place
from ems_admin.native.processes import Identity, Life, Processes, Unaskable
from ems_admin.native.register import Entries, Register
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.running import Clock

LINES_OF_A_FAILURE: Final = 10
UNREACHABLE: Final = EngineFailure(code=Code.SERVICE_MANAGER_UNREACHABLE)


@frozen(kw_only=True)
class Limits:
    """How long things may take."""

    grace: timedelta = timedelta(seconds=10)
    """Between the request to end and the kill; an Admin that ends with its EMS has 25 s for both (`site.md` 10)."""
    start_or_stop: timedelta = timedelta(seconds=240)
    """Of one service; then it is `operation_stalled` (F44)."""
    dashboard: timedelta = timedelta(seconds=10)
    """For a dashboard, once its service is well."""


@frozen(kw_only=True)
class Sighting:
    """What was seen of the process of an entry."""

    life: Life
    identity: Identity | None
    """`None` when no process is known."""


@frozen(kw_only=True)
class Sights:
    """The services of one site, as the record and `/proc` show them together."""

    place: Place
    register: Register
    processes: Processes
    clock: Clock
    limits: Limits

    def look(self, name: str, entry: NativeService) -> Sighting:
        """Look for the process of an entry. Blocking; reads `/proc` and nothing else."""
        try:
            if entry.boot_id is not None and entry.boot_id != self.processes.boot_id():
                return Sighting(life=Life.GONE, identity=None)  # no process outlives a boot
            if entry.pid is None or entry.start_ticks is None or entry.boot_id is None:
                found = self.carriers(name, entry)
                return Sighting(life=Life.ALIVE if found else Life.GONE, identity=found[0] if found else None)
        except Unaskable:
            return Sighting(life=Life.UNKNOWN, identity=None)
        identity = Identity(pid=entry.pid, start_ticks=entry.start_ticks, boot_id=entry.boot_id)
        return Sighting(life=self.processes.life(identity), identity=identity)

    def carriers(self, name: str, entry: NativeService) -> tuple[Identity, ...]:
        """Find every process that this start has brought about, the first one first. Raises `Unaskable`."""
        return self.processes.carriers(self.place.marker(name, entry.attempt))

    async def look_at(self, entries: Entries) -> Mapping[str, Sighting]:
        """Look for the processes of all entries."""
        return await asyncio.to_thread(lambda: {name: self.look(name, entry) for name, entry in entries.items()})

    def ended(self, name: str, identity: Identity, *, code: Code) -> EngineFailure:
        """Say how a service ended and what it said last."""
        number = children.exit_code(identity.pid)
        how = f"{name} ended" if number is None else f"{name} ended with exit code {number}"
        return EngineFailure(code=code, detail=name, message="\n".join((how, *self.last_words(name))))

    def last_words(self, name: str) -> tuple[str, ...]:
        """Give what a service said last, without the install root's own path: a view may show it (D4)."""
        said = logs.last_words(self.place.log(name), LINES_OF_A_FAILURE)
        return tuple(line.replace(str(self.place.install_root), ".") for line in said)
