"""A damaged record of the native services, written anew from what lives: the processes know what the file forgot.

Each child carries in its environment which start of which service it is, and `stack.json` says what a living service
is: it is written before anything is started. So nothing is guessed, and what cannot be told keeps the record as it is.
The damaged bytes are kept beside it. Source: `site.md` 4 (native services); `docs/adr` 21; `faults.md` D1, F03, F04.
"""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog
from attrs import frozen

from ems_admin.engines.disk import disk_failure, replace_file
from ems_admin.machines.records.installed import NativeService, ServicePhase
from ems_admin.native.processes import Identity, Unaskable
from ems_admin.native.register import Entries
from ems_admin.native.sights import UNREACHABLE, Sights
from ems_admin.native.stack_file import read
from ems_admin.workflows.ports.engine import EngineFailure

RECORD: Final = "native-services.json"
START: Final = re.compile(r"[0-9a-f]{32}")
"""The attempt of a service. What replaces an Admin bears the mark of the site too, with an attempt of its own kind."""

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Salvage:
    """Writes the record anew."""

    sights: Sights

    async def write_anew(self, failure: EngineFailure) -> EngineFailure | None:
        """Mend the record; `None` when it can be read again, otherwise why it stays as it is: `failure`, or another."""
        register = self.sights.register
        if not await register.is_damaged():
            return failure
        try:
            entries = await asyncio.to_thread(self.living)
            if entries is None:
                return failure
            kept = await asyncio.to_thread(self._keep)
        except Unaskable:
            return UNREACHABLE
        except OSError as error:
            return disk_failure(error)
        _log.warning("native services written down anew", damaged=kept, living=sorted(entries))
        return await register.replace_damaged(entries)

    def living(self) -> Entries | None:
        """Give an entry for every service that lives; `None` when one lives that nobody can tell. Raises `Unaskable`.

        Blocking.
        """
        place, processes = self.sights.place, self.sights.processes
        file, found = read(place), dict[str, NativeService]()
        for mark in sorted(processes.marks(place.site)):
            _, name, attempt = mark.split("/", 2)
            if START.fullmatch(attempt) is None:
                continue
            service = file.get(name)
            if service is None or name in found:
                return None
            leader = processes.carriers(mark)
            if not leader:
                continue  # it has just ended
            found[name] = NativeService(
                build_id=service.build_id,
                program_sha256=service.digest,
                attempt=attempt,
                pid=leader[0].pid,
                start_ticks=leader[0].start_ticks,
                boot_id=leader[0].boot_id,
                port=service.port,
                phase=ServicePhase.RUNNING,
                since=self._since(leader[0]),
            )
        return found

    def _since(self, identity: Identity) -> datetime:
        """Say when a process began, to the second: its age is the kernel's own, and only what is shown rests on it."""
        return self.sights.clock.now() - timedelta(seconds=int(self.sights.processes.age(identity)))

    def _keep(self) -> str:
        """Copy the damaged bytes beside the record, and name the copy. Raises `OSError`. Blocking."""
        record: Path = self.sights.place.state / RECORD
        kept = record.with_name(f"{RECORD}.{self.sights.clock.now():%Y%m%dT%H%M%SZ}")
        replace_file(kept, record.read_bytes())
        kept.chmod(0o600)
        return kept.name
