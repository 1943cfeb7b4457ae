"""A stop: nothing is left, nobody else is hurt, and what was stopped on purpose stays so."""

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import ServicePhase
from ems_admin.native.sights import Limits
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.services import Seen, ServiceState
from tests.native.ground import Ground, failure, nobody, seen, service
from tests.native.host import marked, until_seen, words_of
from tests.native.records import FULL_DISK, answer_at, change_entry, entries


async def test_a_stopped_service_is_absent(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    assert await engine.stop(nobody) == Done()
    assert not list(marked(ground.place.site))
    assert await engine.observe() == Seen(services=())
    assert await engine.stop(nobody) == Done()


async def test_one_that_ignores_the_request_is_killed_after_the_grace(ground: Ground) -> None:
    engine = ground.engine(limits=Limits(grace=timedelta(seconds=0.5), start_or_stop=timedelta(seconds=20)))
    assert await engine.start(await ground.ready(service(way="stubborn")), nobody) == Done()
    begin = time.monotonic()
    assert await engine.stop(nobody) == Done()
    assert time.monotonic() - begin >= 0.5
    assert not list(marked(ground.place.site))


async def test_a_stop_that_takes_too_long_is_stalled_and_its_purpose_stands(ground: Ground) -> None:
    """F44."""
    engine = ground.engine(limits=Limits(grace=timedelta(seconds=60), start_or_stop=timedelta(seconds=0.5)))
    assert await ground.engine().start(await ground.ready(service(way="stubborn")), nobody) == Done()
    stalled = failure(await engine.stop(nobody))
    assert (stalled.code, stalled.detail) == (Code.OPERATION_STALLED, "ems")
    assert (await entries(ground.files))["ems"].phase is ServicePhase.STOPPING
    assert await ground.engine().stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_the_purpose_is_durable_before_anybody_hears_of_it(ground: Ground) -> None:
    assert await ground.engine().start(await ground.ready(), nobody) == Done()
    before, record = list(marked(ground.place.site)), ground.interfered()
    record.before = answer_at(1, FULL_DISK)
    assert failure(await ground.engine(record).stop(nobody)).code is Code.STATE_WRITE_FAILED
    assert list(marked(ground.place.site)) == before
    assert seen(await ground.engine().observe()).state is ServiceState.RUNNING


async def test_what_a_service_has_started_itself_goes_with_it(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(service(way="parent")), nobody) == Done()
    assert len(list(marked(ground.place.site))) == 2
    assert await engine.stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_what_a_dead_service_has_left_is_ended_before_it_starts_anew(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready(service(way="parent"))
    assert await engine.start(deployment, nobody) == Done()
    before = dict.fromkeys(pid for _, pid in marked(ground.place.site))
    leader = next(pid for pid in before if os.getsid(pid) == pid and "ems.py" in words_of(pid, "cmdline"))
    os.kill(leader, signal.SIGKILL)
    await until_seen(lambda: leader not in dict.fromkeys(pid for _, pid in marked(ground.place.site)))
    assert await engine.start(deployment, nobody) == Done()
    now = {pid for _, pid in marked(ground.place.site)}
    assert len(now) == 2
    assert not now & before.keys()


def pausing() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])


async def test_a_stranger_who_has_inherited_the_pid_is_never_touched(ground: Ground) -> None:
    """The record names a living process, but with the start of another: the one that we started is gone."""
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    with pausing() as stranger:
        try:
            await change_entry(ground.files, lambda entry: evolve(entry, pid=stranger.pid, start_ticks=1))
            ems = seen(await engine.observe())
            assert ems.state is ServiceState.EXITED
            assert await engine.stop(nobody) == Done()
            assert stranger.poll() is None
        finally:
            stranger.kill()
    # What really ran carried the mark of that start, and was found by it.
    assert not list(marked(ground.place.site))


async def test_after_a_reboot_nothing_is_taken_for_running_whatever_its_pid(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    await change_entry(ground.files, lambda entry: evolve(entry, boot_id="00000000-0000-4000-8000-000000000000"))
    assert seen(await engine.observe()).state is ServiceState.EXITED


async def test_while_processes_cannot_be_read_nothing_is_stopped_or_concluded(ground: Ground) -> None:
    assert await ground.engine().start(await ground.ready(), nobody) == Done()
    before = list(marked(ground.place.site))
    (ground.root / "empty").mkdir()
    blind = Ground(ground.root, proc=ground.root / "empty").engine()
    assert failure(await blind.stop(nobody)).code is Code.SERVICE_MANAGER_UNREACHABLE
    assert failure(await blind.start(ground.deployment(), nobody)).code is Code.SERVICE_MANAGER_UNREACHABLE
    assert failure(await blind.adopt()).code is Code.SERVICE_MANAGER_UNREACHABLE
    assert list(marked(ground.place.site)) == before
