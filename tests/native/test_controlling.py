"""One service is acted on as it is; a stop by a person is noted first, and nothing but a start lifts the note.

Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F24, F27.
"""

import shutil

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.records.installed import ServicePhase
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.services import NotSeen, ServiceContainer, ServiceState
from tests.native.admin import STACK
from tests.native.ground import Ground, failure, nobody, seen
from tests.native.host import kill_marked, marked
from tests.native.records import FULL_DISK, answer_at, entries
from tests.native.test_cuts import KILLED, admin

HALT_COMMITS = 1


async def listed(ground: Ground) -> dict[str, ServiceContainer]:
    rows = await ground.engine().containers()
    assert not isinstance(rows, NotSeen)
    return {row.service: row for row in rows}


async def test_what_a_person_stopped_stays_so_through_starts_of_the_admin_until_it_is_started(ground: Ground) -> None:
    """F27."""
    await ground.engine().start(await ground.ready(*STACK), nobody)
    engine = ground.engine()
    assert await engine.control("ems", ContainerAction.STOP, nobody) == Done()
    assert {name for name, _ in marked(ground.place.site)} == {"history"}
    again = ground.engine()
    assert await again.adopt() == Done()
    assert seen(await again.observe()).state is ServiceState.STOPPED
    assert await again.stop(nobody) == Done()
    assert await again.adopt() == Done()
    assert {name: row.state for name, row in (await listed(ground)).items()} == {
        "ems": ServiceState.STOPPED,
        "history": ServiceState.ABSENT,
    }
    assert await again.control("ems", ContainerAction.START, nobody) == Done()
    assert seen(await again.observe()).state is ServiceState.RUNNING
    assert (await entries(ground.files))["ems"].phase is ServicePhase.RUNNING


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_stop_on_purpose_that_is_cut_is_finished_once_it_was_noted(ground: Ground, moment: str) -> None:
    await ground.engine().start(await ground.ready(*STACK), nobody)
    assert admin(ground, "halt", moment, HALT_COMMITS) == KILLED
    assert len(list(marked(ground.place.site))) == 2
    engine = ground.engine()
    assert await engine.adopt() == Done()
    stopped = moment == "after"
    assert seen(await engine.observe()).state is (ServiceState.STOPPED if stopped else ServiceState.RUNNING)
    assert {name for name, _ in marked(ground.place.site)} == ({"history"} if stopped else {"ems", "history"})


async def test_a_stop_that_cannot_be_noted_stops_nothing(ground: Ground) -> None:
    await ground.engine().start(await ground.ready(), nobody)
    record = ground.interfered()
    record.before = answer_at(1, FULL_DISK)
    refused = failure(await ground.engine(record).control("ems", ContainerAction.STOP, nobody))
    assert refused.code is Code.STATE_WRITE_FAILED
    assert len(list(marked(ground.place.site))) == 1


async def test_a_start_of_the_whole_stack_lifts_the_note(ground: Ground) -> None:
    deployment = await ground.ready(*STACK)
    engine = ground.engine()
    await engine.start(deployment, nobody)
    await engine.control("ems", ContainerAction.STOP, nobody)
    assert await engine.start(deployment, nobody) == Done()
    assert {name for name, _ in marked(ground.place.site)} == {"ems", "history"}


async def test_a_restart_is_another_process_at_the_same_port(ground: Ground) -> None:
    engine = ground.engine()
    await engine.start(await ground.ready(), nobody)
    before, url = dict(marked(ground.place.site)), seen(await engine.observe()).url
    assert await engine.control("ems", ContainerAction.RESTART, nobody) == Done()
    assert dict(marked(ground.place.site)) != before
    assert seen(await engine.observe()).url == url
    assert await engine.control("ems", ContainerAction.START, nobody) == Done()
    kill_marked(ground.place.site)
    assert await engine.control("ems", ContainerAction.START, nobody) == Done()
    assert len(list(marked(ground.place.site))) == 1


async def test_a_stack_that_was_written_for_another_build_starts_nothing(ground: Ground) -> None:
    engine = ground.engine()
    await engine.start(await ground.ready(), nobody)
    before = list(marked(ground.place.site))
    assert await engine.write_stack(await ground.ready(build="b2")) == Done()
    for name, code in {"ems": Code.IMAGE_DIGEST_MISMATCH, "nobody": Code.EMS_NOT_RUNNING}.items():
        assert failure(await engine.control(name, ContainerAction.RESTART, nobody)).code is code
    assert list(marked(ground.place.site)) == before


async def test_a_build_is_present_while_every_tree_of_it_verifies_where_it_is_run(ground: Ground) -> None:
    """F24."""
    engine, deployment = ground.engine(), ground.deployment()
    assert await engine.present(deployment) is False
    await ground.ready()
    assert await engine.present(deployment) is True
    tree = ground.place.program("b1", "programs/ems")
    (tree / "build.txt").write_text("another")
    assert await engine.present(deployment) is False
    shutil.rmtree(tree)
    assert await engine.present(deployment) is False
