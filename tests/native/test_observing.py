"""What is seen, and what is only not known."""

import asyncio
import json
import os
import time
from datetime import timedelta

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.native.logs import BOUND
from ems_admin.workflows.ports.engine import Done, Engine
from ems_admin.workflows.ports.services import Health, NotSeen, Seen, ServiceState
from tests.native.ground import Ground, failure, nobody, seen, service
from tests.native.host import kill_marked, marked, until_seen
from tests.native.records import change_entry, entries

WINDOW = timedelta(seconds=0.6)


async def test_on_a_fresh_site_nothing_is_there(ground: Ground) -> None:
    engine: Engine = ground.engine()
    assert await engine.observe() == Seen(services=())
    assert (await engine.status()).ready


async def test_without_proc_nothing_is_seen(ground: Ground) -> None:
    blind = Ground(ground.root, proc=ground.root / "none").engine()
    assert await blind.observe() == NotSeen(code=Code.SERVICE_MANAGER_UNREACHABLE)
    status = await blind.status()
    assert (status.ready, status.code) == (False, Code.SERVICE_MANAGER_UNREACHABLE)


async def test_an_unreadable_record_is_not_an_absent_ems(ground: Ground) -> None:
    ground.files.prepare()
    (ground.place.state / "native-services.json").write_bytes(b"")
    assert await ground.engine().observe() == NotSeen(code=Code.STATE_UNREADABLE)


async def test_a_silent_service_is_starting_while_it_is_young_and_unhealthy_afterwards(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(service(way="silent", start_period=1)), nobody) == Done()
    assert seen(await engine.observe()).health is Health.UNHEALTHY
    stack = ground.place.stack_file
    told = json.loads(stack.read_text())
    told["services"][0]["start_period_seconds"] = 60
    stack.write_text(json.dumps(told))
    assert seen(await engine.observe()).health is Health.STARTING


async def test_without_a_stack_file_the_process_is_seen_and_its_health_unknown(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    ground.place.stack_file.write_text("{")
    ems = seen(await engine.observe())
    assert (ems.state, ems.health) == (ServiceState.RUNNING, Health.UNKNOWN)
    assert await engine.stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_a_service_that_never_answers_does_not_keep_anybody_waiting(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    ((_, pid),) = marked(ground.place.site)
    os.kill(pid, 19)  # SIGSTOP: it accepts, and says nothing
    begin = time.monotonic()
    ems = seen(await engine.observe())
    assert time.monotonic() - begin < 10
    assert (ems.state, ems.health) == (ServiceState.RUNNING, Health.STARTING)


async def test_an_unhealthy_service_fails_the_check_when_its_start_period_is_over(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(service(way="unhealthy", start_period=1)), nobody) == Done()
    assert await engine.settle(WINDOW, nobody) == Done()
    failed = failure(await engine.probe(dashboard=True, report=nobody))
    assert (failed.code, failed.detail) == (Code.HEALTHCHECK_FAILED, "ems")
    assert seen(await engine.observe()).health is Health.UNHEALTHY


async def test_a_page_without_its_script_fails_the_dashboard_only_where_it_is_wanted(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(service(way="no_script")), nobody) == Done()
    assert await engine.probe(dashboard=False, report=nobody) == Done()
    failed = failure(await engine.probe(dashboard=True, report=nobody))
    assert (failed.code, failed.detail) == (Code.HEALTHCHECK_FAILED, "dashboard")


async def test_what_stays_through_the_window_has_settled(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    seen_percents: list[int | None] = []
    begin = time.monotonic()
    assert await engine.settle(WINDOW, lambda progress: seen_percents.append(progress.percent)) == Done()
    assert time.monotonic() - begin >= WINDOW.total_seconds()
    assert seen_percents[-1] == 100
    assert seen_percents == sorted(p for p in seen_percents if p is not None)


async def test_what_ends_within_the_window_is_not_running(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    kill_marked(ground.place.site)
    failed = failure(await engine.settle(WINDOW, nobody))
    assert (failed.code, failed.detail) == (Code.EMS_NOT_RUNNING, "ems")
    assert failed.message is not None
    assert failed.message.startswith("ems ended with exit code 137")
    assert failure(await engine.probe(dashboard=False, report=nobody)).code is Code.EMS_NOT_RUNNING


async def test_one_that_was_replaced_within_the_window_has_not_settled(ground: Ground) -> None:
    """Whoever restarted it: it is not the process that the window began with."""
    engine, watched = ground.engine(), asyncio.Event()
    assert await engine.start(await ground.ready(service("ems"), service("history")), nobody) == Done()
    settling = asyncio.create_task(engine.settle(timedelta(seconds=5), lambda _progress: watched.set()))
    await watched.wait()
    other = (await entries(ground.files))["history"]
    await change_entry(ground.files, lambda entry: evolve(entry, pid=other.pid, start_ticks=other.start_ticks))
    failed = failure(await settling)
    assert (failed.code, failed.detail) == (Code.EMS_NOT_RUNNING, "ems")


async def test_nothing_that_was_started_has_not_settled_and_is_not_well(ground: Ground) -> None:
    assert failure(await ground.engine().settle(WINDOW, nobody)).code is Code.EMS_NOT_RUNNING
    assert failure(await ground.engine().probe(dashboard=False, report=nobody)).code is Code.EMS_NOT_RUNNING


async def test_the_log_of_a_service_is_read_masked(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    await until_seen(lambda: "reading" in ground.place.log("ems").read_text())
    title, line = await engine.logs("ems", 5)
    assert title.startswith("== ems of b1 starts at 20")
    assert line.endswith("the password: ***")
    assert await engine.logs("../state/native-services", 5) == ()
    assert await engine.logs("nobody", 5) == ()


async def test_a_log_that_grew_too_long_is_turned_over_under_a_service_that_goes_on(ground: Ground) -> None:
    engine, log = ground.engine(), ground.place.log("ems")
    assert await engine.start(await ground.ready(), nobody) == Done()
    await until_seen(lambda: "reading" in log.read_text())
    with log.open("ab") as file:
        file.write(b"x" * BOUND)
    assert seen(await engine.observe()).health is Health.HEALTHY
    assert log.stat().st_size == 0
    assert log.with_name("ems.log.1").stat().st_size > BOUND
    assert log.with_name("ems.log.1").read_text().splitlines()[1].startswith("reading")
