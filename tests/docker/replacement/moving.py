"""A site on the small engine whose Admin is to be replaced: its containers, its records, and the hand of its updater.

The Admins are a static busybox that serves three files, and the updater is this very process, which stands on the host
of the engine and says that it is in the container of the updater.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, evolve, field

from ems_admin.codec import encode
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.labels import ATTEMPT, OPERATION, PREDECESSOR, SITE
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.mover import DockerMover
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.machines.records.transition import Stage as At
from ems_admin.machines.replacement.attempts import transition_identity, updater_name
from ems_admin.stores.hints import Hints
from ems_admin.stores.host import HostClock
from ems_admin.stores.journal import JournalFile
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.ports.replacement import Mover
from ems_admin.workflows.replacement.updating import Updating
from tests.docker.replacement.launching import Engine, make_image
from tests.lab.asking import Api
from tests.lab.context import tar
from tests.lab.plot import SPACES, Plot
from tests.stores.records import OPERATION as FIRST
from tests.stores.records import TRANSITION

NAME: Final = "ems-admin"
PORT: Final = 18090
OLD, NEW = "1.0.0-old", "1.1.0-new"
ADMIN: Final = """\
#!/bin/sh
test "$1" = updater && exec sleep 100000
case "$TRIAL" in
  exits) echo "no such table: devices, password=hunter2"; exit 7 ;;
  mute) exec sleep 100000 ;;
esac
busybox mkdir -p /www/api/admin && cd /www || exit 9
echo '<!doctype html><script src="/app.js"></script>' > index.html
test "$TRIAL" = bare || echo 'hello()' > app.js
checks='"records": "ok"'
test "$TRIAL" = unwell && checks='"records": "failed"'
who="\\"build_id\\": \\"$BUILD\\", \\"revision\\": \\"$REVISION\\", \\"started_for\\": \\"$EMS_ADMIN_STARTED_FOR\\""
echo "{$who, \\"checks\\": {$checks}}" > api/admin/health
trap 'exit 0' TERM
busybox httpd -f -p 8090 -h /www &
wait
"""
QUICK: Final = Limits(
    act=timedelta(seconds=20),
    name=timedelta(seconds=2),
    grace=timedelta(seconds=2),
    taken=timedelta(seconds=2),
    up=timedelta(seconds=5),
    well=timedelta(seconds=2),
)
NEWNET: Final = 0x40000000
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
        attempt = Attempt(
            number=1,
            container=updater_name(FIRST, 1),
            image=None,
            tries=1,
            outcome=Outcome.LAUNCHED,
            code=None,
            exit=None,
        )
        dispatch = Dispatch(
            format_version=1,
            operation_id=FIRST,
            transition_identity=transition_identity(transition),
            attempts=(attempt,),
        )
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
        files, clock = SiteFiles(admin_data=self.place.admin_data), HostClock()
        journal = JournalFile(admin_data=self.place.admin_data, clock=clock)
        records = authorities(files, journal=journal, events=Hints(), warn=lambda _code: None)
        return Updating(
            operation_id=FIRST,
            attempt=1,
            run=records.run,
            dispatch=records.dispatch,
            transition=records.transition,
            mover=mover or self.mover(),
            clock=clock,
            built_at=None,
        )

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


def admin_image(api: Api, name: str, *, build_id: str, revision: str, trial: str = "") -> str:
    """Make an Admin that serves three files, or does what is wrong with it, and give its image id."""
    tag = f"ems-admin-moving:{name}"
    make_image(api, f"{tag}-bare", build_id=build_id, program=ADMIN)
    said = f"ENV BUILD={build_id} REVISION={revision} TRIAL={trial}\nEXPOSE 8090\nSTOPSIGNAL SIGTERM"
    return derived(api, tag, f"FROM {tag}-bare\n{said}\n")


def derived(api: Api, tag: str, recipe: str) -> str:
    """Build an image from a recipe of its own, and give its id."""
    api.stream("build", tar({"Dockerfile": recipe.encode()}), t=tag, forcerm="1")
    found = api.image(tag)
    assert found is not None
    made: str = found["Id"]
    return made


@contextmanager
def standing_on(plot: Plot) -> Iterator[None]:
    """Let this thread stand in the network of a plot, as a process on the host of its engine does."""
    libc = ctypes.CDLL(None, use_errno=True)
    back, there = os.open("/proc/thread-self/ns/net", os.O_RDONLY), os.open(SPACES / plot.name, os.O_RDONLY)
    try:
        assert libc.setns(there, NEWNET) == 0, os.strerror(ctypes.get_errno())
        try:
            yield
        finally:
            assert libc.setns(back, NEWNET) == 0, os.strerror(ctypes.get_errno())
    finally:
        os.close(back)
        os.close(there)


@pytest.fixture(scope="session")
def admin_images(small_engine: Engine) -> dict[str, str]:
    """Make the images of all Admins, the old one and the new ones."""
    small_engine.dockerd.ensure_running()
    api, revision = small_engine.api, TRANSITION.revision
    trials = {"good": "", "exits": "exits", "mute": "mute", "bare": "bare", "unwell": "unwell"}
    new = {name: admin_image(api, name, build_id=NEW, revision=revision, trial=trial) for name, trial in trials.items()}
    return {"old": admin_image(api, "old", build_id=OLD, revision="0" * 40), **new}


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
    for row in api.containers():
        api.remove(row["Id"])
