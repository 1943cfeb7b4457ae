"""Which program whoever starts a site has to run (`replacement.md` 7.8)."""

import asyncio
from pathlib import Path

import pytest

from ems_admin.codec import encode
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.native import updater_locks
from ems_admin.native.place import MARKER
from ems_admin.native.replacement.admins import EXECUTED, STARTED_FOR, Role
from ems_admin.native.replacement.entrance import Entry, entry
from ems_admin.stores.host import HostClock
from ems_admin.updater.processes import enter
from ems_admin.workflows.replacement.walking import walk
from tests.native.replacement.stage import NEW, OLD, OPERATION, Stage
from tests.native.replacement.test_walks import killed


def pointing(stage: Stage, build: str = NEW) -> None:
    record = CurrentAdmin(
        format_version=1, build=build, previous=OLD, operation_id=OPERATION, changed_at=HostClock().now()
    )
    (stage.place.state / "current-admin.json").write_bytes(encode(record))


def entered(stage: Stage, package: Path = Path("/elsewhere/ems_admin")) -> Entry:
    return entry(stage.place, stage.files.current_admin.look(), package, awaited=None)


def test_without_a_pointer_the_program_that_was_started_runs(stage: Stage) -> None:
    assert entered(stage) == Entry(marks={})


def test_the_program_that_the_pointer_names_runs(stage: Stage) -> None:
    stage.program(NEW)
    pointing(stage)
    found = entered(stage)
    assert found.tree is not None
    assert (found.tree.build_id, found.complaint, found.marks) == (NEW, None, {EXECUTED: NEW})


def test_a_program_that_runs_from_its_tree_already_is_not_executed_again(stage: Stage) -> None:
    stage.program(NEW)
    pointing(stage)
    own = stage.place.program(NEW, "programs/admin") / "ems_admin"
    assert entered(stage, own) == Entry(marks={})


def test_a_program_that_does_not_become_the_one_that_was_executed_runs_instead_of_going_round(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.program(NEW)
    pointing(stage)
    monkeypatch.setenv(EXECUTED, NEW)
    assert entered(stage) == Entry(complaint=f"{NEW} does not run from its own program", marks={})


@pytest.mark.parametrize("build", [NEW, "../../etc"])
def test_a_missing_program_is_complained_of_and_the_started_one_runs(stage: Stage, build: str) -> None:
    pointing(stage, build)
    assert entered(stage) == Entry(complaint=f"the program of {build} is missing or damaged", marks={})


def test_a_pointer_that_cannot_be_read_is_complained_of(stage: Stage) -> None:
    (stage.place.state / "current-admin.json").write_text("{}")
    assert entered(stage) == Entry(complaint="current-admin.json cannot be read", marks={})


async def test_beside_a_living_updater_whoever_enters_waits_for_the_switch_and_comes_as_the_new_admin(
    stage: Stage,
) -> None:
    stage.begun()
    await killed(stage, "create_successor", "before")
    lock = updater_locks.take(stage.place.state, OPERATION, 1)
    assert lock is not None
    entering = asyncio.ensure_future(enter(stage.options))
    done, _ = await asyncio.wait({entering}, timeout=0.5)
    assert not done
    pointing(stage)
    found = await entering
    lock.release()
    assert found.tree is not None
    name = f"{OPERATION}-1"
    assert found.tree.build_id == NEW
    assert found.marks[STARTED_FOR] == name
    assert found.marks[MARKER] == stage.place.marker(Role.SUCCESSOR, name)
    assert found.url == stage.url


async def test_an_admin_that_an_updater_started_waits_for_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one, started again on the way back, would otherwise wait for a switch that never comes."""
    stage.begun("unwell")
    await killed(stage, "running_image", "before")
    lock = updater_locks.take(stage.place.state, OPERATION, 1)
    assert lock is not None
    monkeypatch.setenv(MARKER, stage.place.marker(Role.PREDECESSOR, f"{OPERATION}-1"))
    assert await enter(stage.options) == Entry(marks={})
    lock.release()


async def test_a_walk_that_is_over_holds_nobody_up(stage: Stage) -> None:
    stage.begun()
    await walk(stage.updating())
    before = (stage.place.state / "replacement-run.json").stat().st_mtime_ns
    found = await enter(stage.options)
    assert found.tree is not None
    assert found.tree.build_id == NEW
    assert (stage.place.state / "replacement-run.json").stat().st_mtime_ns == before
    assert stage.running() == [NEW]
