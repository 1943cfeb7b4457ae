"""A lab: one engine, one registry, the images of four builds and a catalogue of them, on one plot of this machine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from attrs import define, field

from tests.lab.asking import Api
from tests.lab.builds import pack_catalogue
from tests.lab.daemon import Dockerd, a_dockerd
from tests.lab.images import BASE, LabBuild, build_all, copied, first_disks
from tests.lab.machine import hold_that_the_machine_is_ready
from tests.lab.plot import Plot, a_plot
from tests.lab.registry import ADDRESS, Registry, a_registry

T = TypeVar("T")


@define(kw_only=True)
class Lab:
    """What a test finds. Mutable as its parts are: engine and registry run or do not."""

    plot: Plot
    engine: Dockerd
    registry: Registry
    builds: dict[str, LabBuild]
    """`good`, `newer`, `unhealthy` and `dying`, the oldest first."""
    catalogue: Path
    costs: dict[str, float] = field(factory=dict)
    """Seconds, by what they were spent for."""

    @property
    def api(self) -> Api:
        """The engine, asked without a library between."""
        return Api(self.engine.socket)

    @property
    def address(self) -> str:
        """Where the host reaches a published port."""
        return self.plot.address

    @property
    def base(self) -> str:
        """A small image with a shell and Python, for a container of no meaning."""
        return BASE

    def restore(self) -> None:
        """Have engine, registry and images as every test finds them; no container, network or volume is left over."""
        self.engine.ensure_running()
        self.registry.ensure_running()
        for container in self.api.containers():
            self.api.remove(container["Id"])
        for kind in ("networks", "volumes"):
            self.api.ask("POST", f"{kind}/prune")
        for build in self.builds.values():
            self._bring_back(build)
        own = {pin.image for build in self.builds.values() for pin in (build.admin, build.ems)}
        for image in self.api.ask("GET", "images/json"):
            for tag in {*(image["RepoTags"] or ())} - own:
                if not tag.startswith(("ems-lab/", f"{ADDRESS}/ems-admin/packages", "<none>")):
                    self.api.ask("DELETE", f"images/{tag}", force="1", noprune="1")

    def _bring_back(self, build: LabBuild) -> None:
        for pin in (build.admin, build.ems):
            assert pin.image is not None
            name, _, tag = pin.image.rpartition(":")
            found = self.api.image(pin.image)
            if found is None or f"{name}@{pin.digest}" not in found["RepoDigests"]:
                self.api.stream("images/create", fromImage=f"{name}@{pin.digest}")
                self.api.ask("POST", f"images/{name}@{pin.digest}/tag", repo=name, tag=tag)


@contextlib.contextmanager
def a_lab() -> Iterator[Lab]:
    """Set a lab up, and leave nothing of it behind. Seconds with a warm cache, minutes without."""
    hold_that_the_machine_is_ready()
    costs: dict[str, float] = {}
    with contextlib.ExitStack() as held:
        plot = _timed(costs, "a plot of its own", lambda: held.enter_context(a_plot()))
        disks = _timed(costs, "base and packages", lambda: first_disks(plot))
        _timed(costs, "copy of them", lambda: copied(disks, plot.folder))
        registry = _timed(costs, "registry", lambda: held.enter_context(a_registry(plot)))
        engine = _timed(costs, "engine", lambda: held.enter_context(a_dockerd(plot)))
        builds = _timed(costs, "images of four builds", lambda: build_all(Api(engine.socket)))
        catalogue = _timed(costs, "catalogue", lambda: pack_catalogue(builds, plot.folder / "catalogue"))
        yield Lab(
            plot=plot,
            engine=engine,
            registry=registry,
            builds={build.name: build for build in builds},
            catalogue=catalogue,
            costs=costs,
        )


def _timed(costs: dict[str, float], what: str, act: Callable[[], T]) -> T:
    began = time.monotonic()
    done = act()
    costs[what] = time.monotonic() - began
    return done
