"""The lab is what it says: an engine that keeps its disk, a registry whose digests are real, ports that are reached."""

from __future__ import annotations

import secrets
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from aiodocker import Docker

from tests.e2e.deadline import until
from tests.house.tracked import ROOT
from tests.lab.asking import EngineError
from tests.lab.lab import Lab
from tests.lab.plot import Plot, a_plot, groups, processes

SERVES = {
    "StopSignal": "SIGKILL",
    "Cmd": ["python3", "-m", "http.server", "8000"],
    "ExposedPorts": {"8000/tcp": {}},
    "HostConfig": {"PortBindings": {"8000/tcp": [{"HostPort": "8000"}]}, "RestartPolicy": {"Name": "unless-stopped"}},
}


def serving(lab: Lab) -> dict[str, Any]:
    return {"Image": lab.base, **SERVES}


def reached(lab: Lab) -> bool:
    try:
        with urllib.request.urlopen(f"http://{lab.address}:8000/etc/hostname", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def test_a_published_port_is_reached_from_the_host_and_comes_back_after_a_power_cut(lab: Lab) -> None:
    made = lab.api.run("serves", serving(lab))
    until(lambda: reached(lab), "the port is reached")
    lab.engine.kill()
    assert not reached(lab)
    assert processes(lab.plot) != []  # the registry is another machine
    lab.engine.start()
    until(lambda: reached(lab), "the port is reached again")
    container = lab.api.container("serves")
    assert container is not None
    assert container["Id"] == made


def test_an_engine_that_is_stopped_keeps_its_containers(lab: Lab) -> None:
    made = lab.api.run("serves", serving(lab))
    lab.engine.stop()
    assert not lab.engine.answers()
    lab.engine.start()
    assert [container["Id"] for container in lab.api.containers()] == [made]


async def test_a_pulled_image_has_the_digest_of_the_registry(lab: Lab, docker: Docker) -> None:
    pin = lab.builds["newer"].admin
    assert pin.image is not None
    name = pin.image.rpartition(":")[0]
    await docker.images.delete(pin.image, force=True)
    assert lab.api.image(f"{name}@{pin.digest}") is None
    await docker.images.pull(pin.image)
    assert (await docker.images.inspect(pin.image))["RepoDigests"] == [f"{name}@{pin.digest}"]


def test_the_four_builds_are_four_images(lab: Lab) -> None:
    assert len({build.admin.digest for build in lab.builds.values()}) == 4
    assert len({build.ems.digest for build in lab.builds.values()}) == 4


def test_the_registry_asks_for_a_password_when_it_is_told_to(lab: Lab) -> None:
    pin = lab.builds["newer"].ems
    assert pin.image is not None
    lab.registry.stop()
    lab.registry.start(login=True)
    with pytest.raises(EngineError, match=r"no basic auth credentials|unauthorized"):
        lab.api.stream("images/create", fromImage=pin.image)


def test_a_plot_that_is_given_back_leaves_nothing() -> None:
    with a_plot() as plot:
        folder = plot.folder.stat().st_ino
        plot.run("true")
        assert (processes(plot), groups(plot)) == ([], [])
    assert not plot.folder.exists() or plot.folder.stat().st_ino != folder  # another's, meanwhile


DIES = """
import signal
from tests.lab.daemon import a_dockerd
from tests.lab.plot import a_plot, processes

with a_plot() as plot, a_dockerd(plot):
    (plot.folder / "MARK").touch()
    print(plot.number, *processes(plot), flush=True)
    signal.pause()
"""


def test_what_a_killed_run_leaves_dies_with_it_and_is_cleared_by_the_next() -> None:
    mark = secrets.token_hex(8)
    command = [sys.executable, "-c", DIES.replace("MARK", mark)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        number, *pids = map(int, running.stdout.readline().split())
        running.kill()
    assert len(pids) > 2
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), "engine and containers are gone")
    with a_plot():
        assert not (Plot(number).folder / mark).exists()
