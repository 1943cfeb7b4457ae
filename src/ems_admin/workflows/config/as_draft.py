"""The way back from a config to a draft: to go on in Guided Setup from what is live, merged or restored.

A draft says less than a config does: what it has no word for stays as the build's template has it, and is named.
Pure. Source: `site.md` 11; `seed 000` 6.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from ems_admin.workflows.config.compose import compose
from ems_admin.workflows.config.draft import (
    CONTROLLABLE,
    BrokerItem,
    DeviceItem,
    DeviceType,
    Draft,
    MqttAddress,
    Role,
)
from ems_admin.workflows.config.three_ways import compare

BATTERY_WORDS: Final = frozenset({"min_soc", "max_soc", "battery_kwh"})
"""What has a charge is a battery: the same words by which the EMS tells them apart."""
METER_NAME: Final = "grid_meter"


@frozen(kw_only=True)
class DraftOf:
    """A draft, and what of its config it cannot say."""

    draft: Draft
    left_out: tuple[str, ...]
    """Pointers into the config, named things by name; there the result would be another one."""


def as_draft(config: Mapping[str, Any], template: Mapping[str, Any], like: Draft | None = None) -> DraftOf:
    """Give the draft that leads to `config`. What only people know of a device, such as its role, comes from `like`."""
    known = {item.config_name: item for item in (*like.devices, *like.mqtt_manual_devices)} if like else {}
    items = tuple(_device(said, known.get(said["name"])) for said in _named(config.get("devices")))
    by_hand = {item.config_name for item in like.mqtt_manual_devices} if like else set()
    manual = tuple(item for item in items if item.config_name in by_hand and item.type is DeviceType.MQTT)
    meter = _meter(config.get("grid_meter"), like)
    taken = {item.config_name for item in items}
    resting = [item for item in (like.devices if like else ()) if not item.enabled and item.config_name not in taken]
    draft = Draft(
        devices=(*(item for item in items if item not in manual), *meter, *resting),
        supported_grid_meter_count=1 if meter or like is None else like.supported_grid_meter_count,
        features={key: on for key, on in _object(config.get("features")).items() if isinstance(on, bool)},
        mqtt_proposals=(),
        mqtt_broker=_broker(config, template, like),
        mqtt_manual_devices=manual,
    )
    return DraftOf(draft=draft, left_out=compare(None, compose(draft, template).config, config).conflicts)


def _device(said: Mapping[str, Any], known: DeviceItem | None) -> DeviceItem:
    role = Role.BATTERY if BATTERY_WORDS & said.keys() else Role.INVERTER
    if known is not None and known.role in CONTROLLABLE:
        role = known.role
    item = DeviceItem(
        role=role,
        enabled=True,
        config_name=said["name"],
        type=DeviceType.LOCAL_API,
        display_name=known.display_name if known else None,
        serial_number=_text(said.get("serial_number")),
        max_power=_integer(said.get("max_power")),
        min_soc=_integer(said.get("min_soc")),
        max_soc=_integer(said.get("max_soc")),
        battery_kwh=_number(said.get("battery_kwh")),
    )
    return _reached(item, said)


def _meter(said: object, like: Draft | None) -> tuple[DeviceItem, ...]:
    """Give the card of the grid meter; none where there is no meter."""
    if not isinstance(said, Mapping):
        return ()
    cards = [item for item in (like.devices if like else ()) if item.role is Role.GRID_METER and item.enabled]
    name, shown = (cards[0].config_name, cards[0].display_name) if cards else (METER_NAME, None)
    card = DeviceItem(
        role=Role.GRID_METER, enabled=True, config_name=name, type=DeviceType.LOCAL_API, display_name=shown
    )
    return (_reached(card, said),)


def _reached(item: DeviceItem, said: Mapping[str, Any]) -> DeviceItem:
    if said.get("type") != DeviceType.MQTT:
        return evolve(item, ip=_text(said.get("ip")))
    address = _object(said.get("mqtt"))
    ref = _text(address.get("broker_ref"))
    if ref is None:
        return evolve(item, type=DeviceType.MQTT)
    mqtt = MqttAddress(broker_ref=ref, device_id=_text(address.get("device_id")), topic=_text(address.get("topic")))
    return evolve(item, type=DeviceType.MQTT, mqtt=mqtt)


def _broker(config: Mapping[str, Any], template: Mapping[str, Any], like: Draft | None) -> BrokerItem:
    """Give the one broker that a draft has: the one it was about, else the first that the build does not bring."""
    brokers = _object(_object(config.get("mqtt")).get("brokers"))
    brought = _object(_object(template.get("mqtt")).get("brokers"))
    mine = like.mqtt_broker if like else BrokerItem()
    own = [ref for ref in brokers if brokers[ref] != brought.get(ref)]
    ref = mine.ref if mine.ref in brokers else next(iter(own), None)
    said = _object(brokers.get(ref)) if ref is not None else {}
    host, port, tls = _text(said.get("host")), _integer(said.get("port")), said.get("tls")
    if host is None or port is None or not isinstance(tls, bool):
        return BrokerItem()
    username = _text(said.get("username"))
    # A password that was typed in for this very broker is still the one that is meant.
    same = (mine.ref, mine.host, mine.username) == (ref, host, username)
    return BrokerItem(
        ref=ref, host=host, port=port, tls=tls, username=username, password=mine.password if same else None
    )


def _named(devices: object) -> Iterator[Mapping[str, Any]]:
    for device in devices if isinstance(devices, list) else ():
        if isinstance(device, Mapping) and isinstance(device.get("name"), str):
            yield device


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
