"""An older build that runs beside the Admin of the next one, and the plan of the upgrade between them."""

from __future__ import annotations

import json
from typing import Any

from attrs import evolve

from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.workflows.upgrade.plan import Plan, make_plan
from ems_admin.workflows.upgrade.validate import validate_upgrade
from tests.memory.house import TAG
from tests.workflows.places import again
from tests.workflows.scene import B5, CONFIG, Scene

OLD = "0" * 64
"""The digest of the EMS before the upgrade."""
ALL = UpgradeOptions(
    backup=True,
    config_check=True,
    config_add_keys=True,
    pull_image=True,
    recreate=True,
    diagnostics=True,
    auto_rollback=False,
)


def older() -> Scene:
    """An older build is installed and runs; the Admin is that of the next one already."""
    scene = again("running")
    good = evolve(scene.record(B5, KnownGood), system_tag="v0.9.0", build_id="0.9.0", ems_digest=OLD)
    scene.put(B5, good)
    scene.site.world.files["/running-ems"] = OLD.encode()
    return scene


def seen(scene: Scene) -> str:
    return scene.do(validate_upgrade(scene.house, TAG)).validation.action_state.selection_fingerprint


def planned(scene: Scene, options: UpgradeOptions = ALL, *, fingerprint: str | None = None) -> Plan:
    return scene.do(make_plan(scene.house, TAG, options, fingerprint or seen(scene)))


def configured(scene: Scene, **changes: Any) -> None:
    config = json.loads(scene.files[CONFIG])
    scene.site.world.files[CONFIG] = json.dumps(config | changes).encode()


def with_a_broker_inside(scene: Scene) -> None:
    config = json.loads(scene.files[CONFIG])
    mqtt = {"host": "mqtt.lan", "port": 1883, "tls": False, "username": "ems", "password": "hush", "topic": "meter"}
    configured(scene, devices=[*config["devices"], {"name": "Attic", "type": "mqtt", "mqtt": mqtt}])


def without_a_key(scene: Scene) -> None:
    config = json.loads(scene.files[CONFIG])
    configured(scene, system={key: value for key, value in config["system"].items() if key != "deadband"})
