"""The places of Guided Setup, each the end of the one before, and a draft with a secret in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.workflows.config.draft import BrokerItem, Draft
from ems_admin.workflows.ports.engine import EngineFailure
from tests.memory.house import example_draft
from tests.memory.running import MemoryIds
from tests.memory.site import MemorySite
from tests.memory.world import World
from tests.workflows.scene import Scene

SECRET = "broker-secret"


def secret_draft(name: str = "Battery") -> Draft:
    """Give a draft that brings a secret along, with a battery of this name."""
    draft = example_draft()
    broker = BrokerItem(ref="home", host="mqtt.lan", port=8883, tls=True, username="ems", password=SECRET)
    first = evolve(draft.devices[0], config_name=name)
    return evolve(draft, devices=(first, *draft.devices[1:]), mqtt_broker=broker)


def opened(**made: Any) -> Scene:
    """The person has gone through the first door."""
    scene = Scene(**made)
    scene.open()
    return scene


def begun() -> Scene:
    """The operation is there, and its process gone before the build was."""
    scene = opened()
    scene.do(scene.fetching())
    return scene.restart()


def fetched(**made: Any) -> Scene:
    """The build is here and verified."""
    scene = opened(**made)
    assert scene.fetch().error is None
    return scene


def reviewed(**made: Any) -> Scene:
    """The draft was shown and its preview is issued."""
    scene = fetched(**made)
    assert scene.review().config_preview_id is not None
    return scene


def written(**made: Any) -> Scene:
    """The generated config is there and bound."""
    scene = reviewed(**made)
    scene.do(scene.writing())
    return scene


def prepared(**made: Any) -> Scene:
    """The EMS can be started."""
    scene = written(**made)
    assert scene.job(scene.preparing()).error is None
    return scene


def running(**made: Any) -> Scene:
    """The EMS runs, and the Setup is completed."""
    scene = prepared(**made)
    assert scene.job(scene.starting()).error is None
    return scene


def failed(**made: Any) -> Scene:
    """The EMS was started and turned out unhealthy."""
    scene = prepared(**made)
    scene.engine.fails["probe"] = EngineFailure(code=Code.HEALTHCHECK_FAILED, detail="ems")
    assert scene.job(scene.starting()).error is not None
    return scene


PLACES: dict[str, Callable[..., Scene]] = {
    "nowhere": Scene,
    "opened": opened,
    "fetched": fetched,
    "reviewed": reviewed,
    "written": written,
    "prepared": prepared,
    "running": running,
    "failed": failed,
}


@frozen
class Kept:
    """A place as it was walked to once."""

    files: dict[str, bytes]
    folders: set[str]
    ids: int
    workflow_id: str | None
    preview_id: str | None


@cache
def _kept(place: str) -> Kept:
    scene = PLACES[place]()
    world = scene.site.world
    return Kept(dict(world.files), set(world.folders), scene.site.ids.count, scene.workflow_id, scene.preview_id)


def again(place: str) -> Scene:
    """Stand at a place in a new process, without walking there once more. Nothing that lives in memory is there."""
    kept = _kept(place)
    site = MemorySite(world=World(files=dict(kept.files), folders=set(kept.folders)), ids=MemoryIds(kept.ids))
    return Scene(site=site, workflow_id=kept.workflow_id, preview_id=kept.preview_id)
