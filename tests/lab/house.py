"""A house: one site on the engine of a lab, whose Admin was put up as `docker-compose.admin.yml` says.

What it tells is seen from outside: by the engine's API, on the disk, and at the address that a browser uses.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from attrs import define, field

from tests.e2e.deadline import until
from tests.lab import compose
from tests.lab.answers import health
from tests.lab.daemon import SOCKET_GROUP
from tests.lab.fuse import Fuse
from tests.lab.lab import Lab
from tests.lab.seen import SeenContainer, seen

T = TypeVar("T")

UID: Final = 10001
"""Whose the install root is: somebody without any rights on this machine."""
ADMIN: Final = "ems-admin"
PORT: Final = 8090
STABILITY: Final = 1
"""Seconds that something has to run before it is believed; people have ten."""
TITLE: Final = "org.opencontainers.image.title"
OPERATION, ATTEMPT, SMOKE = "io.ems-admin.operation", "io.ems-admin.attempt", "io.ems-admin.smoke"
CODE: Final = re.compile(r"One-time code[^:]*: (\S+)")


def _as_it_is(create: dict[str, Any]) -> None:
    """Leave what the compose file says."""


@define(kw_only=True)
class House:
    """One site. Mutable: its Admin is put up, and replaced."""

    lab: Lab
    root: Path = field()
    """The install root, at the same path inside of the containers."""

    @root.default
    def _in_the_plot(self) -> Path:
        return self.lab.plot.folder / "house"

    @property
    def url(self) -> str:
        """Where the console is: the address of another device."""
        return f"http://{self.lab.address}:{PORT}"

    @property
    def fuse(self) -> Fuse:
        """What kills an Admin or an updater of this house at one point."""
        return Fuse(self.root / "lab", UID)

    def lay_out(self, build: str = "good") -> None:
        """Make the install root as the README says: two files, and here a catalogue; nothing runs yet."""
        self.root.mkdir(mode=0o750)
        shutil.copytree(self.lab.catalogue, self.root / "catalogue")
        shutil.copy(compose.FILE, self.root)
        (self.root / "lab").mkdir()
        words = {
            "EMS_ADMIN_IMAGE": self.image(build),
            "EMS_ADMIN_INSTALL_ROOT": self.root,
            "EMS_ADMIN_PUID": UID,
            "EMS_ADMIN_PGID": UID,
            "EMS_ADMIN_DOCKER_GID": SOCKET_GROUP,
            "EMS_ADMIN_DOCKER_SOCKET": self.lab.engine.socket,
            "EMS_ADMIN_CATALOGUE": self.root / "catalogue",
            "EMS_ADMIN_PORT": PORT,
        }
        self.env_file.write_text("".join(f"{name}={value}\n" for name, value in words.items()))
        for folder, _, files in os.walk(self.root):
            for place in (folder, *(f"{folder}/{name}" for name in files)):
                os.chown(place, UID, UID)

    def image(self, build: str) -> str:
        """Name the Admin image of a build by its digest."""
        pin = self.lab.builds[build].admin
        assert pin.image is not None
        return f"{pin.image.rpartition(':')[0]}@{pin.digest}"

    @property
    def env_file(self) -> Path:
        return self.root / ".env.admin"

    def start_admin(
        self,
        build: str = "good",
        *,
        command: Callable[[list[str]], list[str]] = list,
        change: Callable[[dict[str, Any]], None] = _as_it_is,
        well: bool = True,
    ) -> str:
        """Lay out the house and put its Admin up; wait until it answers, or only start it. Give the container's id.

        `command` and `change` alter what the compose file says: the words of the command, and the whole that is sent.
        """
        self.lay_out(build)
        return self.compose_up(command=command, change=change, well=well)

    def compose_up(
        self,
        *,
        command: Callable[[list[str]], list[str]] = list,
        change: Callable[[dict[str, Any]], None] = _as_it_is,
        well: bool = True,
    ) -> str:
        """Do what `docker compose --env-file .env.admin -f docker-compose.admin.yml up -d` does for a new container."""
        wanted = compose.wanted(compose.text_of(self.root), compose.variables(self.env_file.read_text()))
        if not self.lab.api.ask("GET", "networks", filters=json.dumps({"name": [wanted.network]})):
            labels = {"com.docker.compose.project": wanted.project, "com.docker.compose.network": "default"}
            self.lab.api.ask("POST", "networks/create", {"Name": wanted.network, "Labels": labels})
        create = wanted.create
        create["Cmd"] = command(create["Cmd"])
        create["Env"] = [*create["Env"], f"EMS_ADMIN_STABILITY={STABILITY}"]
        change(create)
        made = self.lab.api.run(wanted.name, create)
        if well:
            self.wait_until(self.health, "the Admin answers")
        return made

    def health(self) -> dict[str, Any] | None:
        """Ask the Admin how it is, once; `None` when nobody answers."""
        return health(self.url)

    def admins(self) -> tuple[SeenContainer, ...]:
        """Give every Admin that is there, running or not: the old, the new, one that was set aside."""
        return tuple(found for found in self._of_the_admin_image() if {OPERATION, SMOKE}.isdisjoint(found.labels))

    def updaters(self) -> tuple[SeenContainer, ...]:
        """Give every updater that is there, the earlier attempts first."""
        of_the_image = self._of_the_admin_image()
        found = [one for one in of_the_image if OPERATION in one.labels and SMOKE not in one.labels]
        return tuple(sorted(found, key=lambda updater: int(updater.labels[ATTEMPT])))

    def the_admin(self) -> SeenContainer | None:
        """Give the container that has the Admin's own name."""
        return next((found for found in self.admins() if found.name == ADMIN), None)

    def wait_until(self, look: Callable[[], T | None], what: str, *, limit: float = 60.0) -> T:
        """Look until something true is seen, and give it; when it does not come, tell what there is instead."""

        def looked() -> T | None:
            try:
                return look()
            except OSError:  # an engine or an Admin that is being killed answers when it is back
                return None

        try:
            found = until(looked, what, limit=limit, between=0.1)
        except BaseException:
            print(self.told())  # noqa: T201  # shown by pytest for a test that fails
            raise
        assert found is not None
        return found

    def told(self) -> str:
        """Give all that there is to read after a test has failed: containers, their last words, the records."""
        there = self._of_the_admin_image()
        parts = [f"{found.name} {found.state} {found.exit_code} {found.build_id}" for found in there]
        parts += [f"--- {found.name}\n{self.log(found.id)[-3000:]}" for found in there]
        parts += [f"--- {place.name}\n{place.read_text()}" for place in sorted(self.state.glob("*.json"))]
        return "\n".join(parts)

    @property
    def state(self) -> Path:
        return self.root / "admin" / "state"

    def read_record(self, name: str) -> dict[str, Any] | None:
        """Read a record from the disk by its name (`pending-transition`); `None` when there is none."""
        try:
            found: dict[str, Any] = json.loads((self.state / f"{name}.json").read_bytes())
        except FileNotFoundError:
            return None
        return found

    def log(self, named: str = ADMIN) -> str:
        """Give all that a container has printed."""
        return self.lab.api.log(named)

    def code(self) -> str:
        """Read the one-time code where a person reads it: in the log."""
        found = self.wait_until(lambda: CODE.search(self.log()), "the log shows a one-time code")
        return found[1]

    def kill_admin(self) -> None:
        """Let the process of the Admin die (SIGKILL), as by itself: the engine follows its restart policy."""
        self._kill(ADMIN)

    def kill_updater(self) -> None:
        """Let the process of the updater that runs die in the same way."""
        (updater,) = (found for found in self.updaters() if found.runs)
        self._kill(updater.id)

    def remove(self) -> None:
        """Take everything away again; the lab restores engine and registry by itself."""
        self.lab.engine.ensure_running()
        for container in self.lab.api.containers():
            self.lab.api.remove(container["Id"])
        shutil.rmtree(self.root)

    def _kill(self, named: str) -> None:
        found = self.lab.api.container(named)
        assert found is not None, f"there is no {named}"
        self.lab.engine.kill_process(found["State"]["Pid"])

    def _of_the_admin_image(self) -> list[SeenContainer]:
        listed = self.lab.api.containers()
        looked_at = (self.lab.api.container(row["Id"]) for row in listed if row["Labels"].get(TITLE) == "ems-admin")
        return [seen(found) for found in looked_at if found is not None]
