"""The places of Guided Setup, each the end of the one before, and a draft with a secret in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.workflows.config.draft import BrokerItem, Draft
from ems_admin.workflows.ports.engine import EngineFailure
from tests.memory.house import example_draft
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
