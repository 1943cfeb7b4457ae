"""Whether an Admin replacement runs, told by a lock that another process really holds."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ems_admin.workflows.ports.engine import Activity
from tests.native.ground import Ground

HOLD = """
import portalocker, signal, sys
file = open(sys.argv[1], "r+b")
portalocker.lock(file, portalocker.LockFlags[sys.argv[2]] | portalocker.LockFlags.NON_BLOCKING)
print(flush=True)
signal.pause()
"""


@pytest.fixture
def state(ground: Ground) -> Path:
    ground.place.state.mkdir(parents=True)
    return ground.place.state


@contextmanager
def held(lock_file: Path, how: str = "EXCLUSIVE") -> Iterator[None]:
    lock_file.touch()
    with subprocess.Popen([sys.executable, "-c", HOLD, lock_file, how], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            holder.stdout.readline()
            yield
        finally:
            holder.kill()


async def test_without_a_lock_file_nothing_is_replaced(ground: Ground) -> None:
    assert await ground.engine().replacement_activity(None) is Activity.INACTIVE
    assert await ground.engine().replacement_activity("a1") is Activity.INACTIVE


async def test_a_held_lock_is_active_for_its_operation_and_for_any(ground: Ground, state: Path) -> None:
    """D9."""
    with held(state / ".updater-a1-1.lock"):
        assert await ground.engine().replacement_activity("a1") is Activity.ACTIVE
        assert await ground.engine().replacement_activity(None) is Activity.ACTIVE
        assert await ground.engine().replacement_activity("a") is Activity.INACTIVE


async def test_a_lock_file_without_a_holder_blocks_nothing_and_stays(ground: Ground, state: Path) -> None:
    lock_file = state / ".updater-a1-1.lock"
    with held(lock_file):
        pass
    assert await ground.engine().replacement_activity("a1") is Activity.INACTIVE
    assert lock_file.exists()


async def test_one_held_lock_among_free_ones_counts(ground: Ground, state: Path) -> None:
    (state / ".updater-a1-1.lock").touch()
    with held(state / ".updater-a1-2.lock"):
        assert await ground.engine().replacement_activity("a1") is Activity.ACTIVE


async def test_a_lock_that_cannot_be_asked_is_unknown_and_outweighed_by_a_held_one(ground: Ground, state: Path) -> None:
    (state / ".updater-a1-1.lock").symlink_to(state / "elsewhere")
    assert await ground.engine().replacement_activity("a1") is Activity.UNKNOWN
    with held(state / ".updater-a1-2.lock"):
        assert await ground.engine().replacement_activity("a1") is Activity.ACTIVE


async def test_a_state_directory_that_cannot_be_listed_is_unknown(ground: Ground) -> None:
    ground.place.admin_data.mkdir(parents=True, exist_ok=True)
    ground.place.state.write_text("no directory")
    assert await ground.engine().replacement_activity(None) is Activity.UNKNOWN


async def test_somebody_else_who_asks_at_the_same_moment_is_no_updater(ground: Ground, state: Path) -> None:
    with held(state / ".updater-a1-1.lock", "SHARED"):
        assert await ground.engine().replacement_activity("a1") is Activity.INACTIVE
