"""An engine with an Admin in a container that does nothing, images that do little, and the hand that is tested.

The images are a static busybox and one script in the place of the program: what is tested is what is done with images,
not what is in them.
"""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from attrs import evolve, frozen

from ems_admin.docker.daemon import Daemon
from ems_admin.docker.labels import ATTEMPT, BUILD_ID, IMAGE_REVISION, IMAGE_VERSION, PREDECESSOR, SITE
from ems_admin.docker.labels import OPERATION as OF_OPERATION
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement.launcher import DockerLauncher
from ems_admin.docker.replacement.limits import Limits
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.machines.replacement.attempts import updater_name
from ems_admin.stores.host import HostClock
from ems_admin.workflows.ports.replacement import Launch
from tests.lab.asking import Api
from tests.lab.daemon import Dockerd, a_dockerd
from tests.lab.plot import a_plot
from tests.lab.registry import ADDRESS, Registry, a_registry
from tests.stores.records import OPERATION, TRANSITION

OLD, NEW = "1.0.0-old", "1.1.0-new"
FIRST: Final = OPERATION
"""The operation that everything here is about."""
REPOSITORY: Final = f"{ADDRESS}/tiny/admin"
PROGRAM: Final = """\
#!/bin/sh
case "$1" in
  --version) cat /version ;;
  updater)
    case "$EMS_ADMIN_TRIAL" in
      die) i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "line $i password=hunter2"; done; exit 7 ;;
      *) exec sleep 100000 ;;
    esac ;;
  *) exec sleep 100000 ;;
esac
"""
SHELL: Final = ("sh", "sleep", "cat", "echo")
SECOND: Final = "1" * 32
QUICK: Final = Limits(name=timedelta(seconds=2), smoke=timedelta(seconds=5), grace=timedelta(seconds=1))


@frozen(kw_only=True)
class Engine:
    """An engine and a registry of this test process alone."""

    dockerd: Dockerd
    registry: Registry

    @property
    def api(self) -> Api:
        return Api(self.dockerd.socket)


@frozen(kw_only=True)
class Bench:
    """One site whose Admin runs on the engine."""

    engine: Engine
    place: DockerPlace
    admin: str
    """The id of its container."""
    transition: Transition
    """An operation that leads to the image NEW in the registry."""

    @property
    def api(self) -> Api:
        return self.engine.api

    def launcher(self, url: str | None = None, **more: Any) -> DockerLauncher:
        """Give a hand of this Admin; `url` is another way to the engine."""
        said: dict[str, Any] = {
            "own": self.admin,
            "clock": HostClock(),
            "stable": timedelta(seconds=1),
            "limits": QUICK,
        }
        return DockerLauncher(Daemon(url or self.engine.dockerd.url), self.place, **said | more)

    def updaters(self, operation_id: str = FIRST) -> list[dict[str, Any]]:
        """Inspect all updaters of an operation, as the engine has them."""
        rows = self.api.containers(label=f"{OF_OPERATION}={operation_id}")
        return [found for row in rows if (found := self.api.container(row["Id"])) is not None]

    def updater(self, operation_id: str = FIRST) -> dict[str, Any]:
        """Inspect the only one."""
        (found,) = self.updaters(operation_id)
        return found

    def lay_updater(self, attempt: int = 1, *, operation_id: str = FIRST, **more: Any) -> str:
        """Create an updater as an Admin before this one has left it, and give its id."""
        labels = {SITE: self.place.site, OF_OPERATION: operation_id, ATTEMPT: str(attempt), PREDECESSOR: self.admin}
        return self.create(updater_name(operation_id, attempt), Labels=labels, Cmd=["updater"], **more)

    def create(self, name: str, *, network: str = "host", **more: Any) -> str:
        """Create a container from the old image, and give its id."""
        host = {"NetworkMode": network, **more.pop("HostConfig", {})}
        body = {"Image": f"{REPOSITORY}:old", "Cmd": ["serve"], **more, "HostConfig": host}
        made: str = self.api.ask("POST", "containers/create", body, name=name)["Id"]
        return made

    def start(self, container: str) -> str:
        """Start a container, and give its id."""
        self.api.ask("POST", f"containers/{container}/start")
        return container


def a_launch(attempt: int = 1, operation_id: str = FIRST) -> Launch:
    """Give the order for an updater."""
    name = updater_name(operation_id, attempt)
    return Launch(operation_id=operation_id, attempt=attempt, container=name, image=None)


def make_image(api: Api, tag: str, *, build_id: str, said: str | None = None, program: str = PROGRAM) -> str:
    """Make an image that says of itself to be a build, and give its id; `said` is what it answers instead."""
    labels = {IMAGE_VERSION: TRANSITION.system_tag, IMAGE_REVISION: TRANSITION.revision, BUILD_ID: build_id}
    changes = [f'LABEL {name}="{value}"' for name, value in labels.items()]
    recipe = "\n".join([*changes, 'ENTRYPOINT ["/bin/ems-admin"]', "ENV PATH=/bin EMS_ADMIN_LISTEN=0.0.0.0:8090"])
    version = f"ems-admin, version 1, build {said or build_id}\n"
    tree = _tree({"version": version.encode(), "bin/ems-admin": program.encode()})
    name, _, word = tag.rpartition(":")
    api.stream("images/create", tree, fromSrc="-", repo=name, tag=word, changes=recipe)
    image = api.image(tag)
    assert image is not None
    made: str = image["Id"]
    return made


def push(api: Api, tag: str) -> str:
    """Push an image, and give its digest."""
    name, _, word = tag.rpartition(":")
    messages = api.stream(f"images/{name}/push", tag=word)
    digest: str = next(message["aux"]["Digest"] for message in messages if "Digest" in message.get("aux", {}))
    return digest


def forget_image(api: Api, *names: str) -> None:
    """Take an image away, by all its names."""
    for name in names:
        if api.image(name) is not None:
            api.ask("DELETE", f"images/{name}", force="1")


async def events(engine: Engine, what: str, operation_id: str, *, since: float) -> list[str]:
    """Give the updaters of an operation to which this has happened since then, each as often as it has."""
    filters = {"type": ["container"], "event": [what], "label": [f"{OF_OPERATION}={operation_id}"]}
    asked = {"since": f"{since:.9f}", "until": f"{time.time():.9f}", "filters": json.dumps(filters)}
    connector = aiohttp.UnixConnector(str(engine.dockerd.socket))
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.get("http://engine/v1.41/events", params=asked) as answer,
    ):
        return [json.loads(line)["id"] for line in (await answer.read()).splitlines()]


def _tree(files: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as packed:
        busybox = shutil.which("busybox")
        assert busybox is not None, "busybox-static is among what the machine has to have"
        for path, data in {"bin/busybox": Path(busybox).read_bytes(), **files}.items():
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(data), 0o755
            packed.addfile(member, io.BytesIO(data))
        for name in SHELL:
            member = tarfile.TarInfo(f"bin/{name}")
            member.type, member.linkname = tarfile.SYMTYPE, "busybox"
            packed.addfile(member)
    return written.getvalue()


@pytest.fixture(scope="session")
def small_engine() -> Iterator[Engine]:
    with a_plot() as plot, a_registry(plot) as registry, a_dockerd(plot) as dockerd:
        yield Engine(dockerd=dockerd, registry=registry)


@pytest.fixture(scope="session")
def new_digest(small_engine: Engine) -> str:
    """Make both images, and give the digest of the new one in the registry."""
    make_image(small_engine.api, f"{REPOSITORY}:old", build_id=OLD)
    make_image(small_engine.api, f"{REPOSITORY}:new", build_id=NEW)
    return push(small_engine.api, f"{REPOSITORY}:new")


@pytest.fixture
def bench(small_engine: Engine, new_digest: str, tmp_path: Path) -> Iterator[Bench]:
    engine = small_engine
    engine.dockerd.ensure_running()
    place = DockerPlace(install_root=tmp_path / "ems", admin_data=tmp_path / "ems" / "admin")
    place.admin_data.mkdir(parents=True)
    transition = evolve(
        TRANSITION,
        build_id=NEW,
        admin_image=f"{REPOSITORY}:new",
        admin_digest=new_digest,
        digest_kind=DigestKind.REGISTRY,
    )
    bench = Bench(engine=engine, place=place, admin="", transition=transition)
    binds = [f"{place.install_root}:{place.install_root}"]
    admin = bench.create(f"admin-{place.site}", HostConfig={"Binds": binds})
    yield evolve(bench, admin=bench.start(admin))
    engine.dockerd.ensure_running()
    for row in engine.api.containers():
        engine.api.remove(row["Id"])
