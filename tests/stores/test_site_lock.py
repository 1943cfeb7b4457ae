"""The lock that makes one Admin the owner of a site, between real processes."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import SiteOwner, site_lock, site_owner, take_site_lock
from ems_admin.workflows.ports.records import RefusalError
from tests.stores.test_locks import busy, holder

SECOND = SiteOwner(instance="second", container="c2", process=1, started_at=datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture
def site(tmp_path: Path) -> SiteFiles:
    files = SiteFiles(admin_data=tmp_path / "admin")
    files.prepare()
    return files


def test_a_second_admin_is_told_who_owns_the_site(tmp_path: Path) -> None:
    """F12."""
    assert site_owner(tmp_path) is None
    with holder("site", tmp_path) as process:
        begun = time.monotonic()
        with pytest.raises(RefusalError) as refused:
            take_site_lock(tmp_path, SECOND)
        assert time.monotonic() - begun < 5
        owner = {"instance": "first", "container": None, "process": process.pid, "started_at": "2026-01-01T00:00:00Z"}
        assert refused.value.refusal == Refusal(Code.SITE_LOCKED, more=owner)
        assert site_owner(tmp_path) == owner
        process.kill()
        process.wait()
        with site_lock(tmp_path, SECOND):
            assert site_owner(tmp_path) == {
                "instance": "second", "container": "c2", "process": 1, "started_at": "2026-01-02T00:00:00Z",
            }  # fmt: skip
    assert site_owner(tmp_path) is None


def test_a_child_does_not_inherit_the_site(tmp_path: Path) -> None:
    with site_lock(tmp_path, SECOND):
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    try:
        assert site_owner(tmp_path) is None
    finally:
        child.kill()
        child.communicate()


async def test_a_lock_that_is_let_go_is_free_whoever_was_forked_meanwhile(site: SiteFiles, tmp_path: Path) -> None:
    """F15: the first try after its end succeeds; a child that was forked holds the same open files."""
    with site_lock(tmp_path, SECOND):
        async with site.transition.hold():
            child = os.fork()
            if child == 0:
                signal.pause()
                os._exit(0)
    try:
        assert not await busy(site)
        assert site_owner(tmp_path) is None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)  # noqa: ASYNC222  # it is dead already


def test_a_lock_is_one_that_other_programs_see(tmp_path: Path) -> None:
    with (
        site_lock(tmp_path, SECOND),
        (tmp_path / "state/.site.lock").open("r+b") as file,
        pytest.raises(BlockingIOError),
    ):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
