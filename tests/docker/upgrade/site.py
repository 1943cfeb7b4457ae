"""One of several sites side by side on one engine, each with an EMS of its own that was installed over HTTP.

A container bears the name of its service, so the builds of each site name their service differently.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import Any, Final

from attrs import define, evolve, field

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, Catalogue, newest_first
from ems_admin.builds.packing import replace_file
from ems_admin.codec import encode
from ems_admin.demo.archives import pack_build, usual_service
from ems_admin.machines.records.build import Service
from tests.docker.kills.site import SideHouse
from tests.e2e import journey
from tests.e2e.visitor import Visitor
from tests.lab.builds import packed
from tests.lab.house import UID

FIRST_PORT: Final = 19000
SILENT: Final = "/nobody-is-here"
IMPATIENT: Final = 3
"""Seconds after which an EMS that is never well is given up."""
INLINE: Final = {"host": "shed.lan", "port": 1883, "tls": False, "username": "ems", "password": "from-the-old-days"}
"""A broker as it was once written: its password is to move (W5), so that an upgrade has something to migrate."""


@define(kw_only=True)
class UpgradeHouse(SideHouse):
    """A site with a build that runs, and a newer one."""

    newer_is_well: bool = True
    """Whether the EMS of the newer build ever says that it is well."""
    serving: str = field(default="good", init=False)
    """The build of the Admin that was put up last."""

    @property
    def ems(self) -> str:
        """What its EMS is called."""
        return f"ems-{self.number}"

    def lay_out(self, build: str = "good") -> None:
        """Make the install root, with a catalogue of its own."""
        super().lay_out(build)
        catalogue = self.root / "catalogue"
        shutil.rmtree(catalogue)
        catalogue.mkdir()
        wanted = {
            name: evolve(packed(self.lab.builds[name]), service=self._service(name)) for name in ("good", "newer")
        }
        entries = newest_first(pack_build(one, catalogue) for one in wanted.values())
        replace_file(catalogue / CATALOGUE, encode(Catalogue(format_version=1, builds=entries), limit=CATALOGUE_LIMIT))
        for place in (catalogue, *catalogue.iterdir()):
            os.chown(place, UID, UID)

    def _service(self, build: str) -> Service:
        port = FIRST_PORT + self.number  # of its own: neighbours start theirs at the same time
        service = evolve(usual_service(in_a_container=True), name=self.ems, port=port)
        if build == "newer" and not self.newer_is_well:
            health = evolve(service.health, path=SILENT, start_period_seconds=IMPATIENT)
            service = evolve(service, health=health)
        return service

    def install(self) -> None:
        """Put the Admin up, and install the EMS as a person does."""
        self.lay_out()
        self.put_up()
        self.wait_until(self.answers, "the Admin answers", limit=120)
        journey.to_the_end(Visitor(self.url).enter(self.code()))

    def put_up_anew(self, build: str) -> None:
        """Have the Admin of another build in the place of the one that serves."""
        self.lab.api.remove(self.name)
        said = self.env_file.read_text()
        self.env_file.write_text(said.replace(self.image(self.serving), self.image(build)))
        self.serving = build
        self.put_up()
        self.wait_until(self.answers, "the other Admin answers", limit=120)

    def write_an_old_broker(self) -> None:
        """Edit the live config by hand, as somebody did long ago."""
        place = self.root / "config" / "config.json"
        config = json.loads(place.read_bytes())
        config["mqtt"]["brokers"]["shed"] = INLINE
        place.write_text(json.dumps(config))

    @property
    def config(self) -> dict[str, Any]:
        """What is live."""
        found: dict[str, Any] = json.loads((self.root / "config" / "config.json").read_bytes())
        return found

    @property
    def ems_digest(self) -> str | None:
        """The digest that the EMS runs from; `None` when none runs."""
        found = self.lab.api.container(self.ems)
        if found is None or found["State"]["Status"] != "running":
            return None
        return str(found["Config"]["Image"]).partition("@")[2]

    @property
    def services(self) -> list[str]:
        """Name the containers of its EMS, those that were put aside as well."""
        rows = self.lab.api.containers()
        names = (row["Names"][0].removeprefix("/") for row in rows)
        return sorted(name for name in names if name == self.ems or name.startswith(f"{self.ems}-before-"))

    def backups(self, operation_id: str) -> list[tuple[str, int]]:
        """Give name and inode of every set that the upgrade has made: one made twice is another file."""
        sets = self.root / "admin" / "backups" / "sets"
        found = (place for place in sets.glob("*") if operation_id in place.name and place.is_file())
        return sorted((place.name, place.stat().st_ino) for place in found)

    def migrations(self, operation_id: str) -> list[str]:
        """Name the commits of the config that the upgrade has made."""
        lines = (self.root / "admin" / "backups" / "history" / "commits").glob("*-applied.json")
        told = (json.loads(line.read_bytes()) for line in sorted(lines))
        return [str(one["commit_id"]) for one in told if str(one["commit_id"]).startswith(operation_id)]

    def take_down(self) -> None:
        """Take everything of it away, also the EMS."""
        for name in self.services:
            self.lab.api.remove(name)
        super().take_down()
