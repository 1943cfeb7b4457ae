"""A process that commits one number after the other and tells each once it is committed: for a test that kills it."""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

import structlog

from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.reading import Present
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed


async def count_up(folder: Path) -> None:
    store = SiteFiles(admin_data=folder).selected_release
    reading = await store.read()
    start = int(reading.record.tag) if isinstance(reading, Present) else 0
    for number in count(start + 1):
        async with store.hold() as held:
            if await held.commit(SelectedRelease(tag=str(number), source="x" * 20_000)) != Committed():
                return
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # what is told is numbers alone
    asyncio.run(count_up(Path(sys.argv[1])))
