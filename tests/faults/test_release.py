"""Every change of a release on a real disk fails in turn, or is the last: no record goes without its copy and its list.

Source: `seed 000` 7.4, 7.7; `faults.md` F01, F04, F10.
"""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest
from attrs import frozen

from ems_admin.composition.options import Options
from ems_admin.composition.parts import compose
from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.stores.disk import Disk
from ems_admin.stores.host import HostClock
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.arbiter.recovering import RecoveryRequest, recover
from ems_admin.workflows.arbiter.releasing import Released
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.lifecycle.view import lifecycle_view
from ems_admin.workflows.ports.records import RefusalError
from tests.faults.disks import NumberedDisk, PowerCutError

NAMED = (
    "replacement-dispatch.json",
    "guided-upgrade-context.json",
    "guided-setup-workflow.json",
    "pending-transition.json",
)
TRUE = {
    Code.STATE_WRITE_FAILED,
    Code.STATE_COMMIT_UNPROVABLE,
    Code.STATE_LOCK_UNAVAILABLE,
    Code.WORKFLOW_LIFECYCLE_CHANGED,
}
"""What may be said of a release that did not come to its end on a disk that answers EIO."""


@frozen
class Ground:
    """One site on disk whose records say nothing."""

    root: Path

    @property
    def state(self) -> Path:
        return self.root / "admin" / "state"

    def lay(self) -> None:
        SiteFiles(admin_data=self.root / "admin").prepare()
        for name in NAMED:
            (self.state / name).write_bytes(b"{" + name.encode())

    def release(self, disk: Disk) -> Released | None:
        """Release as one process does; `None` when what was shown could not even be read again."""

        async def act() -> Released | None:
            options = Options.at(self.root, {})
            shown = await compose(options, SiteFiles(admin_data=options.admin_data), HostClock(), instance="a")
            fingerprint = (await lifecycle_view(shown.house)).fingerprint
            parts = await compose(
                options, SiteFiles(admin_data=options.admin_data, disk=disk), HostClock(), instance="b"
            )
            asked = RecoveryRequest(
                mode=Mode.RELEASE_STALE_STATE, fingerprint=fingerprint, confirm=True, reason="a test"
            )
            return (await recover(parts.house, THE_HOUSE, asked)).released

        return asyncio.run(act())

    @property
    def left(self) -> frozenset[str]:
        return frozenset(name for name in NAMED if (self.state / name).exists())

    def holds_true(self) -> None:
        """No record has gone that has no copy, whole and listed."""
        gone = set(NAMED) - self.left
        folders = list((self.state / "workflow-recovery").glob("*"))
        copies = {path.name: path.read_bytes() for folder in folders for path in folder.iterdir() if path.name in NAMED}
        assert all(copies[name] == b"{" + name.encode() for name in copies), "a copy is whole or not there"
        assert gone <= set(copies)
        assert not gone or any((folder / "recovery-manifest.json").exists() for folder in folders)


CHANGES = ("make_folder", "write", "fsync", "replace", "unlink")


def calls_of(call: str, root: Path) -> int:
    ground = Ground(root)
    ground.lay()
    ground.release(disk := NumberedDisk(only=call))
    assert not ground.left
    return len(disk.calls)


def outcome(ground: Ground, disk: NumberedDisk) -> str | None:
    """Give the code of a refusal."""
    try:
        ground.release(disk)
    except RefusalError as refused:
        return str(refused.refusal.code)
    return None


@pytest.mark.parametrize("call", CHANGES)
def test_wherever_a_change_fails_nothing_is_lost_and_a_retry_ends_it(tmp_path: Path, call: str) -> None:
    codes = set()
    for number in range(1, calls_of(call, tmp_path / "whole") + 1):
        ground = Ground(tmp_path / f"{number}")
        ground.lay()
        codes.add(outcome(ground, NumberedDisk(only=call, fails_at=number, error=errno.EIO)))
        ground.holds_true()
        ground.release(Disk())
        assert not ground.left, number
        ground.holds_true()
    assert codes <= {None, *TRUE}
    assert codes != {None} or call == "fsync", "a failed flush of a folder is made good by a whole second commit"


@pytest.mark.parametrize("call", CHANGES)
def test_after_a_kill_at_any_change_nothing_is_lost_and_a_second_release_ends_it(tmp_path: Path, call: str) -> None:
    for number in range(1, calls_of(call, tmp_path / "whole") + 1):
        ground = Ground(tmp_path / f"{number}")
        ground.lay()
        with pytest.raises(PowerCutError):
            ground.release(NumberedDisk(only=call, fails_at=number, error=PowerCutError, afterwards=True))
        ground.holds_true()
        ground.release(Disk())
        assert not ground.left, number
        ground.holds_true()
