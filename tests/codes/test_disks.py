"""What the operating system answers to a write of the config, also where nobody may become somebody else or mount."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.stores.config import ConfigFiles
from ems_admin.workflows.ports.records import NotCommitted
from tests.faults.disks import NumberedDisk
from tests.memory.running import MemoryClock


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errno.ENOSPC, Code.CONFIG_WRITE_FAILED),
        (errno.EACCES, Code.CONFIG_NOT_WRITABLE),
        (errno.EBUSY, Code.CONFIG_FILE_NOT_REPLACEABLE),
    ],
)
async def test_a_config_that_cannot_be_written_is_told_by_its_cure(tmp_path: Path, error: int, code: Code) -> None:
    """`faults.md` D5, D8, F13; the live config keeps its bytes."""
    config = tmp_path / "config/config.json"
    config.parent.mkdir()
    config.write_bytes(b"{}")
    disk = NumberedDisk(only="replace", fails_at=1, times=99, error=error)
    store = ConfigFiles(install_root=tmp_path, admin_data=tmp_path / "admin", clock=MemoryClock(), disk=disk)
    async with store.hold() as held:
        outcome = await held.write_config(b'{"a": 1}')
    assert isinstance(outcome, NotCommitted)
    assert outcome.code is code
    assert config.read_bytes() == b"{}"
