"""A draft: what a person has put together, before anything is decided about it.

Source: `site.md` 11.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeAlias

import attrs
from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError

MAX_PROPOSALS: Final = 20
MAX_MANUAL_DEVICES: Final = 20

Json: TypeAlias = dict[str, Any]


class Role(StrEnum):
    """What a device does in the house."""

    BATTERY = "battery"
    INVERTER = "inverter"
    GRID_METER = "grid_meter"


CONTROLLABLE: Final = frozenset({Role.BATTERY, Role.INVERTER})


class DeviceType(StrEnum):
    """How a device is reached."""

    LOCAL_API = "local_api"
    MQTT = "mqtt"


@frozen(kw_only=True)
class MqttAddress:
    """Where a device is found on a broker."""

    broker_ref: str
    device_id: str | None = None
    topic: str | None = None


@frozen(kw_only=True)
class DeviceItem:
    """One card of the devices step."""

    role: Role
    enabled: bool
    config_name: str
    type: DeviceType
    display_name: str | None = None
    ip: str | None = None
    mqtt: MqttAddress | None = None
    serial_number: str | None = None
    max_power: int | None = None
    """Watts."""
    min_soc: int | None = None
    max_soc: int | None = None
    """Percent of the usable capacity."""
    battery_kwh: float | None = None


@frozen(kw_only=True)
class ProposalRef:
    """A discovered device that the person accepted; what it is stands on the server."""

    id: str
    broker_ref: str


@frozen(kw_only=True)
class BrokerItem:
    """The MQTT broker, all of it or nothing."""

    ref: str | None = None
    host: str | None = None
    port: int | None = None
    tls: bool | None = None
    username: str | None = None
    password: str | None = None

    @property
    def given(self) -> bool:
        """Whether a broker was entered at all."""
        return self != BrokerItem()


@frozen(kw_only=True)
class Draft:
    """The whole input of a preview and of the mutation that follows it."""

    devices: tuple[DeviceItem, ...]
    supported_grid_meter_count: int
    features: dict[str, bool]
    mqtt_proposals: tuple[ProposalRef, ...]
    mqtt_broker: BrokerItem
    mqtt_manual_devices: tuple[DeviceItem, ...]


def checked(draft: Draft) -> Draft:
    """Refuse what is no draft at all; everything that a person may mend is left to the preview's checks.

    Raises `RefusalError` with `unsupported_value`, its detail being the pointer of the field.
    """
    if draft.supported_grid_meter_count not in (0, 1):
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/supported_grid_meter_count"))
    broker = draft.mqtt_broker
    if broker.given and (broker.ref is None or broker.host is None or broker.port is None or broker.tls is None):
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail="/mqtt_broker"))
    for index, device in enumerate(draft.mqtt_manual_devices):
        if device.type is not DeviceType.MQTT:
            raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail=f"/mqtt_manual_devices/{index}/type"))
    return draft


def plain(value: Draft | DeviceItem) -> Json:
    """Give a draft as plain JSON values, what was not given left out: the input of its fingerprint."""
    return attrs.asdict(value, filter=lambda _attribute, value: value is not None)
