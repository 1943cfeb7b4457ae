"""The Admin is killed at every durable step, before and after it; the next one finds what is there and doubles nothing.

A fresh start of two services makes four commits, each with a spawn between the first and the second of a service; a
stop of them makes three.
"""

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ems_admin.machines.records.installed import ServicePhase
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.services import Health, Seen, ServiceState
from tests.native.admin import STACK
from tests.native.ground import Ground, nobody, seen
from tests.native.host import kill_marked, marked
from tests.native.records import entries

REPOSITORY = Path(__file__).parents[2]
KILLED = -9
START_COMMITS, STOP_COMMITS = 4, 3
UPGRADE_COMMITS = 4
"""Of one service: it is to end, it is gone, the new one is to start, it runs."""
CUTS_OF_A_START = [(moment, number) for number in range(1, START_COMMITS + 1) for moment in ("before", "after")]
CUTS_OF_AN_UPGRADE = [(moment, number) for number in range(1, UPGRADE_COMMITS + 1) for moment in ("before", "after")]
CUTS_OF_A_STOP = [(moment, number) for number in range(1, STOP_COMMITS + 1) for moment in ("before", "after")]


def admin(ground: Ground, action: str, moment: str, number: int) -> int:
    """Run a real Admin process and say how it ended."""
    command = [sys.executable, "-m", "tests.native.admin", str(ground.root), action, moment, str(number)]
    return subprocess.run(command, cwd=REPOSITORY, check=False, timeout=60, stdout=subprocess.DEVNULL).returncode


async def every_process_has_its_entry_and_every_entry_its_process(ground: Ground) -> None:
    noted = await entries(ground.files)
    assert {(name, entry.pid) for name, entry in noted.items()} == set(marked(ground.place.site))
    assert {entry.phase for entry in noted.values()} <= {ServicePhase.RUNNING}


@pytest.mark.parametrize(("moment", "number"), CUTS_OF_A_START)
async def test_a_start_cut_at_any_step_is_settled_and_then_finished(ground: Ground, moment: str, number: int) -> None:
    """`site.md` 4."""
    deployment = await ground.ready(*STACK)
    assert admin(ground, "start", moment, number) == KILLED
    left = dict(marked(ground.place.site))
    engine = ground.engine()
    assert await engine.adopt() == Done()
    await every_process_has_its_entry_and_every_entry_its_process(ground)
    assert await engine.start(deployment, nobody) == Done()
    assert await engine.probe(dashboard=False, report=nobody) == Done()
    now = list(marked(ground.place.site))
    assert Counter(name for name, _ in now) == {"ems": 1, "history": 1}
    assert left.items() <= dict(now).items(), "what ran was adopted, not started anew"
    await every_process_has_its_entry_and_every_entry_its_process(ground)


def test_the_cuts_of_a_start_are_all_there_are(ground: Ground) -> None:
    asyncio.run(ground.ready(*STACK))
    assert admin(ground, "start", "before", START_COMMITS + 1) == 0
    assert admin(ground, "stop", "before", STOP_COMMITS + 1) == 0
    assert not list(marked(ground.place.site))


@pytest.mark.parametrize(("moment", "number"), CUTS_OF_AN_UPGRADE)
async def test_an_upgrade_cut_at_any_step_never_runs_both_and_is_finished(
    ground: Ground, moment: str, number: int
) -> None:
    await ground.engine().start(await ground.ready(), nobody)
    before, url = dict(marked(ground.place.site)), seen(await ground.engine().observe()).url
    newer = await ground.ready(build="b2")
    assert admin(ground, "upgrade", moment, number) == KILLED
    assert len(list(marked(ground.place.site))) <= 1
    engine = ground.engine()
    assert await engine.adopt() == Done()
    await every_process_has_its_entry_and_every_entry_its_process(ground)
    assert await engine.start(newer, nobody) == Done()
    ((_, pid),) = marked(ground.place.site)
    assert pid not in before.values()
    ems = seen(await engine.observe())
    assert (ems.build_id, ems.url) == ("b2", url)


async def test_the_cuts_of_an_upgrade_are_all_there_are(ground: Ground) -> None:
    await ground.engine().start(await ground.ready(), nobody)
    await ground.ready(build="b2")
    assert admin(ground, "upgrade", "before", UPGRADE_COMMITS + 1) == 0


@pytest.mark.parametrize(("moment", "number"), CUTS_OF_A_STOP)
async def test_a_stop_cut_at_any_step_is_finished_once_promised(ground: Ground, moment: str, number: int) -> None:
    engine, deployment = ground.engine(), await ground.ready(*STACK)
    assert await engine.start(deployment, nobody) == Done()
    assert admin(ground, "stop", moment, number) == KILLED
    assert await engine.adopt() == Done()
    await every_process_has_its_entry_and_every_entry_its_process(ground)
    promised = (moment, number) != ("before", 1)
    assert len(list(marked(ground.place.site))) == (0 if promised else 2)


async def test_what_an_admin_started_outlives_its_kill_and_is_seen_healthy_by_the_next(ground: Ground) -> None:
    await ground.ready(*STACK)
    assert admin(ground, "start", "after", START_COMMITS) == KILLED
    engine = ground.engine()
    assert await engine.adopt() == Done()
    assert await engine.probe(dashboard=True, report=nobody) == Done()
    observation = await engine.observe()
    assert isinstance(observation, Seen)
    assert {(one.state, one.health) for one in observation.services} == {(ServiceState.RUNNING, Health.HEALTHY)}
    assert await engine.stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_an_adopted_service_that_dies_is_seen_as_exited_with_an_unknown_code(ground: Ground) -> None:
    await ground.ready(*STACK)
    assert admin(ground, "start", "after", START_COMMITS) == KILLED
    kill_marked(ground.place.site)
    ems = seen(await ground.engine().observe())
    assert (ems.state, ems.exit_code) == (ServiceState.EXITED, None)


async def test_an_observation_between_kill_and_adoption_tells_a_start_that_is_under_way(ground: Ground) -> None:
    await ground.ready(*STACK)
    assert admin(ground, "start", "before", 2) == KILLED
    assert seen(await ground.engine().observe()).state is ServiceState.STARTING


async def test_an_observation_of_a_promised_start_that_never_spawned_tells_nothing_runs(ground: Ground) -> None:
    await ground.ready(*STACK)
    assert admin(ground, "start", "after", 1) == KILLED
    assert seen(await ground.engine().observe()).state is ServiceState.ABSENT
