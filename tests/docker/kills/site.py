"""One of several houses side by side on one engine: with a name, an address and an install root of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from threading import Lock
from typing import Any, Final

from attrs import define, field

from tests.docker.kills.case import Case
from tests.lab import compose
from tests.lab.house import ADMIN, CODE, PORT, STABILITY, UID, House
from tests.lab.seen import SeenContainer, seen

FIRST_PORT: Final = 18100
SMALL: Final = 16 << 20
"""Bytes of a disk that is filled."""
_NETWORK: Final = Lock()


@define(kw_only=True)
class SideHouse(House):
    """A house among others. What it sees of the engine is what has its install root mounted."""

    number: int
    root: Path = field()

    @root.default
    def _side_by_side(self) -> Path:
        return self.lab.plot.folder / "houses" / str(self.number)

    @property
    def name(self) -> str:
        """What its Admin's container is called."""
        return f"{ADMIN}-{self.number}"

    @property
    def port(self) -> int:
        """Where its Admin is published."""
        return FIRST_PORT + self.number

    @property
    def url(self) -> str:
        """Where its console is."""
        return f"http://{self.lab.address}:{self.port}"

    def lay_out(self, build: str = "good") -> None:
        """Make the install root, and name its port."""
        self.root.parent.mkdir(mode=0o755, exist_ok=True)
        super().lay_out(build)
        said = self.env_file.read_text()
        self.env_file.write_text(said.replace(f"EMS_ADMIN_PORT={PORT}\n", f"EMS_ADMIN_PORT={self.port}\n"))

    def move_to_a_small_disk(self) -> None:
        """Let the install root be a file system of its own, which a test can fill."""
        aside = self.root.with_suffix(".aside")
        self.root.rename(aside)
        self.root.mkdir()
        options = f"size={SMALL},mode=750,uid={UID},gid={UID}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "small", str(self.root)], check=True)
        subprocess.run(["cp", "--archive", f"{aside}/.", str(self.root)], check=True)
        shutil.rmtree(aside)

    def put_up(self) -> str:
        """Do what the compose file says, under the own name; give the container's id."""
        wanted = compose.wanted(compose.text_of(self.root), compose.variables(self.env_file.read_text()))
        with _NETWORK:
            if not self.lab.api.ask("GET", "networks", filters=json.dumps({"name": [wanted.network]})):
                self.lab.api.ask("POST", "networks/create", {"Name": wanted.network})
        create = {**wanted.create, "Env": [*wanted.create["Env"], f"EMS_ADMIN_STABILITY={STABILITY}"]}
        return self.lab.api.run(self.name, create)

    def lay_fuse(self, case: Case) -> None:
        """Lay the fuse of a case."""
        point = case.point
        if point is None:
            return
        at, *then = (one.at.format(name=self.name) for one in (point, *case.further))
        self.fuse.lay(at, role=point.role.value, does=case.does.value, times=case.burns, then=tuple(then))

    @property
    def burnt(self) -> Path:
        """There when the fuse has burnt for the last time."""
        return self.root / "lab" / "burnt.json"

    @property
    def held(self) -> Path:
        """There while a process is held; whoever takes it away lets it go."""
        return self.root / "lab" / "held.json"

    def answers(self) -> bool:
        """Say whether anybody answers at the address, at the least cost."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/admin/auth/status", timeout=5) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except (OSError, HTTPException):
            return False

    def everything(self) -> list[dict[str, Any]]:
        """Inspect every container that has the install root mounted, and whatever else bears the label of the site."""
        rows = self.lab.api.containers()
        ours = (row for row in rows if any(mount.get("Source") == str(self.root) for mount in row["Mounts"]))
        return [found for row in ours if (found := self.lab.api.container(row["Id"])) is not None]

    def code(self) -> str:
        """Read the one-time code in the log of the own Admin."""
        found = self.wait_until(lambda: CODE.search(self.log(self.name)), "the log shows a one-time code")
        return found[1]

    def named_admin(self) -> SeenContainer | None:
        """Give the Admin that bears the own name."""
        return next((found for found in self.admins() if found.name == self.name), None)

    def take_down(self) -> None:
        """Take everything of it away; the engine has others to care for."""
        for found in self.everything():
            self.lab.api.remove(found["Id"])
        if self.root.is_mount():
            subprocess.run(["umount", "--lazy", str(self.root)], check=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def _of_the_admin_image(self) -> list[SeenContainer]:
        return [seen(found) for found in self.everything()]
