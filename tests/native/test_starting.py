"""A start: what it brings about, and by which code it says that it did not (F44, F53)."""

import asyncio
import json
import os
import signal
import socket
from contextlib import ExitStack
from datetime import timedelta

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.native.sights import Limits
from ems_admin.native.sockets import free_port
from ems_admin.workflows.ports.engine import Done, Progress
from ems_admin.workflows.ports.records import Unprovable
from ems_admin.workflows.ports.services import Health, Seen, ServiceState
from tests.native.ground import Ground, failure, nobody, seen, service
from tests.native.host import directory_of, marked, until_seen, words_of
from tests.native.records import FULL_DISK, answer_at


async def test_a_started_service_runs_healthy_at_its_own_port(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    assert await engine.probe(dashboard=True, report=nobody) == Done()
    ems = seen(await engine.observe())
    assert (ems.state, ems.health) == (ServiceState.RUNNING, Health.HEALTHY)
    assert (ems.build_id, ems.digest) == ("b1", engine.images(deployment)[0].digest)
    assert ems.dashboard_url == f"{ems.url}/"
    assert [name for name, _ in marked(ground.place.site)] == ["ems"]


async def test_the_stack_file_tells_exactly_what_runs(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    told = json.loads((ground.root / "stack.json").read_text())["services"][0]
    ((_, pid),) = marked(ground.place.site)
    assert words_of(pid, "cmdline") == told["command"]
    assert directory_of(pid) == ground.root / told["program"]
    assert told["command"][-2:] == [str(ground.root / "config"), str(told["port"])]
    assert seen(await engine.observe()).url == f"http://127.0.0.1:{told['port']}"


async def test_a_child_finds_its_folders_and_nothing_of_the_admin_in_its_environment(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADMIN_SECRET", "do not tell")
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    ((_, pid),) = marked(ground.place.site)
    environment = dict(line.split("=", 1) for line in words_of(pid, "environ"))
    assert environment["EMS_CONFIG"] == str(ground.root / "config")
    assert environment["EMS_DATA"] == str(ground.root / "data")
    assert seen(await engine.observe()).url == f"http://127.0.0.1:{environment['EMS_PORT']}"
    assert "ADMIN_SECRET" not in environment


async def test_what_runs_already_just_so_is_left_alone(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    before = list(marked(ground.place.site))
    assert await engine.start(deployment, nobody) == Done()
    assert list(marked(ground.place.site)) == before


async def test_two_starts_at_once_start_one_process(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    outcomes = await asyncio.gather(engine.start(deployment, nobody), engine.start(deployment, nobody))
    assert list(outcomes) == [Done(), Done()]
    assert len(list(marked(ground.place.site))) == 1


async def test_another_build_takes_the_place_and_the_port_of_what_runs(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    old, before = list(marked(ground.place.site)), seen(await engine.observe())
    assert await engine.start(await ground.ready(build="b2"), nobody) == Done()
    now = seen(await engine.observe())
    assert (now.build_id, now.url) == ("b2", before.url)
    assert now.digest != before.digest
    assert len(list(marked(ground.place.site))) == 1
    assert list(marked(ground.place.site)) != old


async def test_a_service_that_left_the_stack_is_ended(ground: Ground) -> None:
    engine = ground.engine()
    two = await ground.ready(service("ems"), service("history", after=("ems",)))
    assert await engine.start(two, nobody) == Done()
    assert sorted(name for name, _ in marked(ground.place.site)) == ["ems", "history"]
    assert await engine.start(ground.deployment(service("ems")), nobody) == Done()
    assert [name for name, _ in marked(ground.place.site)] == ["ems"]


async def test_services_start_after_what_they_name_and_end_before_it(ground: Ground) -> None:
    engine = ground.engine()
    deployment = await ground.ready(service("a", after=("b",)), service("b", after=("c",)), service("c"))
    steps: list[str | None] = []
    await engine.start(deployment, lambda progress: steps.append(progress.detail))
    assert steps[:3] == ["c", "b", "a"]
    steps.clear()
    await engine.stop(lambda progress: steps.append(progress.detail))
    assert steps == ["a, b, c"]
    assert not list(marked(ground.place.site))


async def test_a_program_that_exits_at_once_is_a_failed_start_with_its_code_and_last_words(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready(service(way="exits"))
    failed = failure(await engine.start(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.EMS_START_FAILED, "ems")
    assert failed.message is not None
    assert failed.message.splitlines()[0] == "ems ended with exit code 3"
    assert failed.message.splitlines()[-1] == "the config is not to my liking"
    assert "hunter2" not in failed.message
    assert str(ground.root) not in failed.message
    ems = seen(await engine.observe())
    assert (ems.state, ems.exit_code) == (ServiceState.EXITED, 3)


async def test_the_same_start_succeeds_once_its_cause_is_gone(ground: Ground) -> None:
    engine = ground.engine()
    failure(await engine.start(await ground.ready(service(way="exits")), nobody))
    assert await engine.start(ground.deployment(service()), nobody) == Done()
    assert seen(await engine.observe()).health is Health.HEALTHY


async def test_a_command_that_cannot_be_executed_leaves_no_entry(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    broken = evolve(deployment.manifest.programs["ems"], command=("./no-such-program",))
    deployment = evolve(deployment, manifest=evolve(deployment.manifest, programs={"ems": broken}))
    failed = failure(await engine.start(deployment, nobody))
    assert (failed.code, failed.message) == (Code.EMS_START_FAILED, "ems cannot be executed")
    assert await ground.engine().observe() == Seen(services=())


async def test_a_fixed_port_that_is_taken_is_refused_before_anything_is_ended(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    before = list(marked(ground.place.site))
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        taken = await ground.ready(service(publish=stranger.getsockname()[1]))
        failed = failure(await engine.start(taken, nobody))
    assert (failed.code, failed.detail) == (Code.EMS_START_FAILED, "port_in_use")
    assert list(marked(ground.place.site)) == before


async def test_a_port_that_is_taken_at_the_last_moment_is_refused_and_nothing_is_spawned(ground: Ground) -> None:
    engine = ground.engine()
    with ExitStack() as strangers:
        deployment = await ground.ready(service(publish=free_port(frozenset())))

        def take(progress: Progress) -> None:
            if progress.detail == "ems":
                port = deployment.stack.services[0].publish
                strangers.enter_context(socket.create_server(("127.0.0.1", port)))

        failed = failure(await engine.start(deployment, take))
    assert (failed.code, failed.detail) == (Code.EMS_START_FAILED, "port_in_use")
    assert await engine.observe() == Seen(services=())


async def test_a_chosen_port_is_kept_while_it_is_free_and_given_up_when_it_is_not(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    first = seen(await engine.observe()).url
    assert await engine.stop(nobody) == Done()
    assert await engine.start(deployment, nobody) == Done()
    assert seen(await engine.observe()).url == first
    assert await engine.stop(nobody) == Done()
    assert first is not None
    with socket.create_server(("127.0.0.1", int(first.rpartition(":")[2]))):
        assert await engine.start(deployment, nobody) == Done()
        assert seen(await engine.observe()).url != first


async def test_the_port_is_chosen_when_the_stack_is_written(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.write_stack(deployment) == Done()
    planned = json.loads((ground.root / "stack.json").read_text())["services"][0]["port"]
    assert await engine.start(deployment, nobody) == Done()
    assert seen(await engine.observe()).url == f"http://127.0.0.1:{planned}"


async def test_a_start_that_cannot_be_made_durable_starts_nothing(ground: Ground) -> None:
    deployment, record = await ground.ready(), ground.interfered()
    record.before = answer_at(1, FULL_DISK)
    failed = failure(await ground.engine(record).start(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.STATE_WRITE_FAILED, "no_space")
    assert not list(marked(ground.place.site))


async def test_a_process_that_cannot_be_noted_is_ended_again(ground: Ground) -> None:
    deployment, record = await ground.ready(), ground.interfered()
    record.before = answer_at(2, FULL_DISK)
    failed = failure(await ground.engine(record).start(deployment, nobody))
    assert failed.code is Code.STATE_WRITE_FAILED
    await until_seen(lambda: not list(marked(ground.place.site)))
    assert await ground.engine().observe() == Seen(services=())


async def test_a_process_whose_note_nobody_can_prove_goes_on_and_is_adopted(ground: Ground) -> None:
    deployment, record = await ground.ready(), ground.interfered()
    record.before = answer_at(2, Unprovable())
    assert failure(await ground.engine(record).start(deployment, nobody)).code is Code.STATE_COMMIT_UNPROVABLE
    before = list(marked(ground.place.site))
    assert len(before) == 1
    assert await ground.engine().start(deployment, nobody) == Done()
    assert list(marked(ground.place.site)) == before


async def test_a_record_of_a_newer_format_stops_every_start_and_stays_as_it_is(ground: Ground) -> None:
    deployment, record = await ground.ready(), ground.place.state / "native-services.json"
    ground.files.prepare()
    newer = b'{"format_version": 9, "services": {}}'
    record.write_bytes(newer)
    failed = failure(await ground.engine().start(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.STATE_UNREADABLE, "state/native-services.json: unsupported_format")
    assert record.read_bytes() == newer
    assert not list(marked(ground.place.site))


async def test_a_start_that_takes_too_long_is_stalled_and_the_next_request_is_accepted(ground: Ground) -> None:
    impatient = ground.engine(limits=Limits(grace=timedelta(seconds=1), start_or_stop=timedelta(seconds=0.5)))
    failed = failure(await impatient.start(await ground.ready(service(way="silent")), nobody))
    assert (failed.code, failed.detail) == (Code.OPERATION_STALLED, "ems")
    assert await ground.engine().start(await ground.ready(build="b2"), nobody) == Done()
    assert seen(await ground.engine().observe()).health is Health.HEALTHY


async def test_a_cancelled_start_leaves_nothing_that_the_next_one_does_not_find(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready(service(way="silent", start_period=60))
    start = asyncio.create_task(engine.start(deployment, nobody))
    await until_seen(lambda: bool(list(marked(ground.place.site))))
    start.cancel()
    await asyncio.wait({start})
    assert start.cancelled()
    assert await engine.stop(nobody) == Done()
    assert not list(marked(ground.place.site))


async def test_a_service_that_dies_stays_dead_and_is_seen_as_exited(ground: Ground) -> None:
    engine, deployment = ground.engine(), await ground.ready()
    assert await engine.start(deployment, nobody) == Done()
    ((_, pid),) = marked(ground.place.site)
    os.kill(pid, signal.SIGKILL)
    await until_seen(lambda: not list(marked(ground.place.site)))
    ems = seen(await engine.observe())
    assert (ems.state, ems.exit_code, ems.health) == (ServiceState.EXITED, 128 + 9, Health.UNKNOWN)
