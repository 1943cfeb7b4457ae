"""From a config back to a draft: the same config comes of it, and what a draft has no word for is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin import demo
from ems_admin.workflows.config.as_draft import as_draft
from ems_admin.workflows.config.compose import compose
from ems_admin.workflows.config.draft import DeviceItem, DeviceType, Draft, MqttAddress, Role
from tests.memory.house import example_draft
from tests.workflows.places import secret_draft

TEMPLATE: dict[str, Any] = json.loads(
    (Path(demo.__file__).parent / "ems" / "config.template.json").read_text(encoding="utf-8")
)


def over_mqtt() -> Draft:
    """Give a draft with a broker, a device on it by hand, and a card that is switched off."""
    draft = secret_draft()
    shed = DeviceItem(
        role=Role.BATTERY,
        enabled=True,
        config_name="shed",
        type=DeviceType.MQTT,
        mqtt=MqttAddress(broker_ref="home", topic="shed/battery"),
    )
    off = evolve(draft.devices[1], config_name="spare", serial_number=None, enabled=False)
    return evolve(draft, mqtt_manual_devices=(shed,), devices=(*draft.devices, off))


@pytest.mark.parametrize("draft", [example_draft(), secret_draft(), over_mqtt()])
def test_the_draft_of_a_config_leads_back_to_it(draft: Draft) -> None:
    config = compose(draft, TEMPLATE).config
    found = as_draft(config, TEMPLATE, like=draft)
    assert (found.draft, found.left_out) == (draft, ())
    alone = as_draft(config, TEMPLATE)
    assert (compose(alone.draft, TEMPLATE).config, alone.left_out) == (config, ())
    assert alone.draft.mqtt_broker.password is None


def test_without_anybody_who_knows_what_has_a_charge_is_a_battery() -> None:
    found = as_draft(compose(example_draft(), TEMPLATE).config, TEMPLATE).draft
    assert [(item.config_name, item.role) for item in found.devices] == [
        ("battery_cellar", Role.BATTERY),
        ("roof_south", Role.INVERTER),
        ("grid_meter", Role.GRID_METER),
    ]


def test_what_a_draft_has_no_word_for_is_named() -> None:
    config = compose(secret_draft(), TEMPLATE).config
    config["system"]["deadband"] = 99
    config["grid_meter"] = {"type": "local_api", "url": "http://meter.lan"}
    config["mqtt"]["brokers"]["other"] = {"host": "o", "port": 1, "tls": False}
    config["devices"][0]["max_power"] = "much"
    found = as_draft(config, TEMPLATE, like=secret_draft())
    assert found.draft.mqtt_broker == secret_draft().mqtt_broker
    assert set(found.left_out) == {
        "/system/deadband",
        "/grid_meter/url",
        "/mqtt/brokers/other",
        "/devices/Battery/max_power",
    }


@pytest.mark.parametrize("config", [{}, {"devices": 5, "mqtt": [], "features": None}, {"devices": [{"name": 1}, 2]}])
def test_a_config_that_is_hardly_one_gives_a_draft_to_begin_with(config: dict[str, Any]) -> None:
    assert as_draft(config, TEMPLATE).draft.devices == ()
