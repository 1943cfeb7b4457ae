"""A real process is killed while it commits. What it had told before is there, whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ems_admin.machines.records.reading import Present
from ems_admin.stores.site_files import SiteFiles


def told_until_killed(folder: Path, lines: int) -> int:
    """Let the process tell so many numbers, kill it in the middle of what it does next, and give the last one."""
    command = [sys.executable, "-m", "tests.faults.counter", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(lines):
            last = int(process.stdout.readline())
        process.kill()
        rest = process.stdout.read().splitlines()  # told, but not heard yet
    return int(rest[-1]) if rest and rest[-1].isdecimal() else last


@pytest.mark.parametrize("lines", [1, 2, 5, 13, 34])
async def test_what_was_told_is_durable_and_the_next_process_goes_on(tmp_path: Path, lines: int) -> None:
    """F05."""
    site = SiteFiles(admin_data=tmp_path)
    site.prepare()
    before = 0
    for _ in range(3):
        told = told_until_killed(tmp_path, lines)
        reading = await site.selected_release.read()
        assert isinstance(reading, Present)
        assert before + lines <= told <= int(reading.record.tag) <= told + 1
        before = int(reading.record.tag)
    assert await site.clear_leftovers() == ()
    assert not list((tmp_path / "state").glob(".*.tmp"))
