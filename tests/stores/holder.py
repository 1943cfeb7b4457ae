"""Another process that holds a lock: `python -m tests.stores.holder record|site FOLDER`. It says "held" and stays."""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import SiteOwner, take_site_lock


async def hold_record(folder: Path) -> None:
    async with SiteFiles(admin_data=folder).transition.hold():
        say_and_stay()


def hold_site(folder: Path) -> None:
    started = datetime(2026, 1, 1, tzinfo=UTC)
    take_site_lock(folder, SiteOwner(instance="first", container=None, process=os.getpid(), started_at=started))
    say_and_stay()


def say_and_stay() -> None:
    sys.stdout.write("held\n")
    sys.stdout.flush()
    sys.stdin.read()  # until the test goes, or kills us


if __name__ == "__main__":
    what, where = sys.argv[1:]
    if what == "record":
        asyncio.run(hold_record(Path(where)))
    else:
        hold_site(Path(where))
