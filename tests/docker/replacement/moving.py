"""A site on the small engine whose Admin is to be replaced: its containers, its records, and the hand of its updater.

The Admins are a static busybox that serves three files, and the updater is this very process, which stands on the host
of the engine and says that it is in the container of the updater.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from attrs import define, evolve, field

from ems_admin.codec import encode
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.labels import ATTEMPT, OPERATION, PREDECESSOR, SITE
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.mover import DockerMover
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.machines.records.transition import Stage as At
from ems_admin.machines.replacement.attempts import updater_name
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.updater.walking import WalkOf, updating_of
from ems_admin.workflows.ports.engine import Done
from ems_admin.workflows.ports.replacement import Mover, Snapshot, Verification
from ems_admin.workflows.replacement.updating import Updating
from tests.docker.replacement.admins import NEW, is_cleared
from tests.docker.replacement.launching import Engine
from tests.docker.replacement.records import ACTS, begun, dispatched
from tests.docker.replacement.standing import standing_on
from tests.e2e.deadline import until
from tests.lab.asking import Api
from tests.stores.records import OPERATION as FIRST
from tests.stores.records import TRANSITION

NAME: Final = "ems-admin"
PORT: Final = 18090
QUICK: Final = Limits(
    act=timedelta(seconds=20),
    name=timedelta(seconds=2),
    grace=timedelta(seconds=2),
    taken=timedelta(seconds=2),
    up=timedelta(seconds=2),
    well=timedelta(seconds=2),
)
NETWORKS: Final = {"front": "10.232.1.0/24", "back": "10.232.2.0/24"}

Json = dict[str, Any]


@define(eq=False)
class Moving:
    """One site below `place`. Mutable: it has an updater once it is asked for."""

    engine: Engine
    place: DockerPlace
    transition: Transition
    images: Mapping[str, str]
    """Ids, by what is wrong with them: `old`, `good` and others."""
    updater: str = ""
    files: SiteFiles = field(init=False)

    @files.default
    def _of_place(self) -> SiteFiles:
        return SiteFiles(admin_data=self.place.admin_data)

    @property
    def api(self) -> Api:
        return self.engine.api

    def admin(self, *, host: Json | None = None, networks: Json | None = None, **more: Any) -> str:
        """Start the old Admin, and give its id."""
        first, *others = networks or {"front": {}}
        body = {
            "Image": self.images["old"],
            "ExposedPorts": {"8090/tcp": {}},
            **more,
            "HostConfig": {
                "NetworkMode": first,
                "PortBindings": {"8090/tcp": [{"HostIp": "", "HostPort": str(PORT)}]},
                "RestartPolicy": {"Name": "unless-stopped"},
                **(host or {}),
            },
            "NetworkingConfig": {"EndpointsConfig": {first: (networks or {}).get(first, {})}},
        }
        made: str = self.api.ask("POST", "containers/create", body, name=NAME)["Id"]
        for other in others:
            endpoint = {"Container": made, "EndpointConfig": (networks or {})[other]}
            self.api.ask("POST", f"networks/{other}/connect", endpoint)
        self.api.ask("POST", f"containers/{made}/start")
        return made

    def hand_over(self, old: str, target: str = "good") -> Transition:
        """Say in B1 and in the dispatch record that the new Admin is on its way, and create its updater."""
        now = HostClock().now()
        transition = evolve(
            self.transition,
            admin_digest=self.images[target],
            created_at=now,
            updated_at=now,
            expires_at=now + timedelta(hours=1),
            created_boot_id=HostClock().boot_id(),
            created_boottime=HostClock().boottime(),
        )
        dispatch = dispatched(transition)
        state = self.place.admin_data / "state"
        (state / "pending-transition.json").write_bytes(encode(transition))
        (state / "replacement-dispatch.json").write_bytes(encode(dispatch))
        labels = {SITE: self.place.site, OPERATION: FIRST, ATTEMPT: "1", PREDECESSOR: old}
        policy = {"Name": "unless-stopped"}
        body = {
            "Image": self.images["old"],
            "Cmd": ["updater"],
            "Labels": labels,
            "StopTimeout": 0,
            "HostConfig": {"NetworkMode": "front", "RestartPolicy": policy},
        }
        self.updater = self.api.run(updater_name(FIRST, 1), body)
        self.transition = transition
        return transition

    def begun(self, target: str = "good", **more: Any) -> str:
        """Set the whole stage: the old Admin serves, and an updater may walk. Gives the id of the old Admin."""
        old = self.admin(**more)
        self.hand_over(old, target)
        return old

    def mover(self, url: str | None = None, **more: Any) -> DockerMover:
        """Give a hand of the updater; `url` is another way to the engine."""
        said: Json = {
            "own": self.updater,
            "clock": HostClock(),
            "limits": QUICK,
            "stable": timedelta(milliseconds=100),
            **more,
        }
        return DockerMover(Daemon(url or self.engine.dockerd.url), self.place, **said)

    def updating(self, mover: Mover | None = None) -> Updating:
        """Compose a walk anew, as every entry does."""
        journal = JournalFile(admin_data=self.place.admin_data, clock=HostClock())
        return updating_of(journal, WalkOf(FIRST, 1), mover or self.mover())

    async def moved_up_to(self, last: str | None) -> Run:
        """Take the acts of the way forward one after the other, up to `last`, and give the run as it would be noted."""
        mover, transition = self.mover(), self.b1
        taken = await mover.snapshot(transition)
        assert isinstance(taken, Snapshot), taken
        run = begun(taken, operation_id=FIRST, container=mover.container())
        for act in ACTS[: ACTS.index(last) + 1 if last else 0]:
            words = (run, transition) if act in {"create_successor", "verify_successor"} else (run,)
            answer = await getattr(mover, act)(*words)
            assert isinstance(answer, Done | Body | Verification), answer
            run = evolve(run, successor=answer) if isinstance(answer, Body) else run
        return run

    async def starts_of(self, container: str) -> int:
        """Count how often the engine has started a container."""
        filters = json.dumps({"container": [container], "event": ["start"]})
        asked = {"since": "0", "until": f"{time.time():.9f}", "filters": filters}
        connector = aiohttp.UnixConnector(str(self.engine.dockerd.socket))
        async with (
            aiohttp.ClientSession(connector=connector) as session,
            session.get("http://engine/v1.41/events", params=asked) as answer,
        ):
            return len((await answer.read()).splitlines())

    def lay(self, transition: Transition) -> None:
        """Let B1 say something else."""
        (self.place.admin_data / "state" / "pending-transition.json").write_bytes(encode(transition))

    @property
    def b1(self) -> Transition:
        reading = self.files.transition.look()
        assert isinstance(reading, Present)
        return reading.record

    @property
    def run(self) -> Run:
        reading = self.files.run.look()
        assert isinstance(reading, Present)
        return reading.record

    def said(self, which: str) -> Json:
        """Inspect a container that has to be there."""
        found = self.api.container(which)
        assert found is not None, f"{which} is not there"
        return found

    def admins(self) -> dict[str, str]:
        """Give all containers but updaters and strangers: what each runs from, by its name."""
        rows = [row for row in self.api.containers() if OPERATION not in row["Labels"]]
        named = {row["Names"][0].removeprefix("/"): row["ImageID"] for row in rows}
        return {name: image for name, image in named.items() if name.startswith(NAME)}


def environment(said: Json) -> dict[str, str]:
    """Give the environment of a container."""
    return dict(word.split("=", 1) for word in said["Config"]["Env"])


@pytest.fixture
def moving(small_engine: Engine, admin_images: dict[str, str], tmp_path: Path) -> Iterator[Moving]:
    engine = small_engine
    engine.dockerd.ensure_running()
    api = engine.api
    for name, subnet in NETWORKS.items():
        if not any(found["Name"] == name for found in api.ask("GET", "networks")):
            config = {"Config": [{"Subnet": subnet}]}
            api.ask("POST", "networks/create", {"Name": name, "CheckDuplicate": True, "IPAM": config})
    place = DockerPlace(install_root=tmp_path / "ems", admin_data=tmp_path / "ems" / "admin")
    (place.admin_data / "state").mkdir(parents=True)
    place.admin_pin.write_bytes(b"# mine\nEMS_ADMIN_IMAGE=ems-admin:old\nTZ=UTC\n")
    transition = evolve(
        TRANSITION,
        operation_id=FIRST,
        stage=At.ADMIN_RECONNECT_PENDING,
        build_id=NEW,
        admin_image="ems-admin-moving:good",
        digest_kind=DigestKind.IMAGE_ID,
    )
    with standing_on(engine.dockerd.plot):
        yield Moving(engine, place, transition, admin_images)
    engine.dockerd.ensure_running()
    until(lambda: is_cleared(api), "the containers of a test are gone")
