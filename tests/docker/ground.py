"""A site on the engine of the lab, and the Docker engine that is tested on it, as a process of the host."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, field

from ems_admin.demo.archives import EMS_SERVICE
from ems_admin.docker.credentials import NO_CREDENTIALS
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.engine import DockerEngine
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.sights import Limits
from ems_admin.machines.records.build import (
    Channel,
    ImagePin,
    Manifest,
    Service,
    Stack,
)
from ems_admin.machines.records.transition import CompatibilityMode
from ems_admin.stores.host import HostClock
from ems_admin.workflows.ports.engine import Deployment, Progress
from ems_admin.workflows.ports.files import RuntimeIdentity
from tests.demo.ems_process import config
from tests.lab.images import LabBuild
from tests.lab.lab import Lab

UID: Final = 10001
PORT: Final = 8099
QUICK: Final = Limits(
    start_or_stop=timedelta(seconds=30), name_is_free=timedelta(seconds=1), dashboard=timedelta(seconds=3)
)
LONG_AGO: Final = datetime(2020, 1, 1, tzinfo=UTC)

EMS: Final = evolve(EMS_SERVICE, image="ems")

SERVE: Final = """
import os, signal, socket
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server = socket.create_server(("", 8099))
while True:
    asked, _ = server.accept()
    asked.recv(9999)
    asked.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\nwell")
    asked.close()
"""
LIGHT: Final = evolve(EMS, command=("python3", "-S", "-c", SERVE), health=evolve(EMS.health, path="/"))
"""A service that is up at once, for what is not about the EMS in it."""


def manifest(build: LabBuild) -> Manifest:
    """Say of a build of the lab what its archive says."""
    who = build.identity
    return Manifest(
        format_version=1,
        system_tag=who.system_tag,
        channel=Channel.STABLE,
        revision=who.revision,
        build_id=who.build_id,
        built_at=who.built_at,
        admin=build.admin,
        ems=build.ems,
        compatibility_mode=CompatibilityMode.MODERN_PAIRED,
        requires=who.requires,
        stack="stack.json",
        config_template="config.template.json",
        config_schema="config.schema.json",
        programs={},
        files={},
    )


def deployment(build: LabBuild, *services: Service) -> Deployment:
    """Deploy a build of the lab as these services; as one EMS when none is named."""
    return Deployment(manifest=manifest(build), stack=Stack(format_version=1, services=services or (EMS,)))


def pinned(build: LabBuild) -> str:
    """Name the EMS image of a build by its digest."""
    assert build.ems.image is not None
    return f"{build.ems.image.rpartition(':')[0]}@{build.ems.digest}"


def moved(build: LabBuild, repository: str) -> LabBuild:
    """Name the EMS image of a build in another repository."""
    return evolve(build, ems=ImagePin(image=f"{repository}:{build.identity.system_tag}", digest=build.ems.digest))


def quietly(_progress: Progress) -> None:
    """Report to nobody."""


@define(kw_only=True)
class Ground:
    """One site. Mutable: it counts what was reported."""

    lab: Lab
    root: Path
    reported: list[Progress] = field(factory=list)

    @property
    def place(self) -> DockerPlace:
        return DockerPlace(install_root=self.root, admin_data=self.root / "admin")

    def lay_out(self) -> None:
        """Make the folders of the site, with a config that the EMS takes."""
        for folder in (self.place.config, self.place.data):
            folder.mkdir(parents=True)
            os.chown(folder, UID, UID)
        (self.place.config / "config.json").write_text(json.dumps(config()))

    def engine(self, **more: Any) -> DockerEngine:
        """Give an engine that knows nothing yet, as a new Admin has it."""

        async def runtime() -> RuntimeIdentity:
            return RuntimeIdentity(puid=UID, pgid=UID)

        words: dict[str, Any] = {
            "own": None,
            "clock": HostClock(),
            "credentials": NO_CREDENTIALS,
            "limits": QUICK,
            "host": self.lab.address,
            **more,
        }
        daemon = words.pop("daemon", self.daemon())
        return DockerEngine(daemon, self.place, runtime=runtime, **words)

    def daemon(self, url: str | None = None) -> Daemon:
        """Name the daemon of the lab, or the wire to it."""
        return Daemon(url or self.lab.engine.url)

    def listening(self, port: int) -> subprocess.Popen[bytes]:
        """Have a program of the host listen at a port."""
        script = f"import socket,time; s = socket.create_server(('', {port})); print('up', flush=True); time.sleep(600)"
        command = self.lab.plot.inside(sys.executable, "-c", script)
        program = subprocess.Popen(command, stdout=subprocess.PIPE)
        with program.stdout or nullcontext() as said:
            assert said is not None
            assert said.readline() == b"up\n"
        return program

    def light(self, build: str = "good", *services: Service) -> Deployment:
        """Deploy services of the lab's base image, which was made on this machine, as if they were a build."""
        image = self.lab.api.image(self.lab.base)
        assert image is not None
        pin = ImagePin(image=self.lab.base, digest=image["Id"])
        meant = deployment(self.lab.builds[build], *(services or (LIGHT,)))
        return evolve(meant, manifest=evolve(meant.manifest, channel=Channel.LOCAL, ems=pin))

    def report(self, progress: Progress) -> None:
        """Keep what is reported."""
        self.reported.append(progress)

    def container(self, name: str = "ems") -> dict[str, Any]:
        """Look at a container that has to be there."""
        found = self.lab.api.container(name)
        assert found is not None, [one["Names"] for one in self.lab.api.containers()]
        return found

    def names(self) -> list[str]:
        """Name all containers, running or not."""
        return sorted(one["Names"][0].removeprefix("/") for one in self.lab.api.containers())

    def running(self) -> list[str]:
        """Name all containers that run."""
        rows = self.lab.api.containers(status="running")
        return sorted(one["Names"][0].removeprefix("/") for one in rows)

    def stranger(self, name: str, *, runs: bool = True, **more: Any) -> str:
        """Have a container of somebody else under a name, and give its id."""
        body = {"Image": self.lab.base, "Cmd": ["sleep", "100000"], "StopSignal": "SIGKILL", **more}
        if runs:
            return self.lab.api.run(name, body)
        made: str = self.lab.api.ask("POST", "containers/create", body, name=name)["Id"]
        return made


async def eventually(look: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Look until it is so, without holding the loop up."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not await asyncio.to_thread(look):
        assert loop.time() < deadline, what
        await asyncio.sleep(0.05)
