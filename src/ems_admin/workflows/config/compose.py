"""From a draft and the template of its build to the config and the credentials, as exact bytes.

Pure and deterministic: the same draft gives the same bytes, or the exact preview could not be checked.
Source: `site.md` 11.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from attrs import frozen

from ems_admin.workflows.config.draft import CONTROLLABLE, DeviceItem, DeviceType, Draft, Json, Role

OPTIONAL: Final = ("serial_number", "max_power", "min_soc", "max_soc", "battery_kwh")
CREDENTIALS_FORMAT: Final = 1


@frozen(kw_only=True)
class Proposal:
    """A device that was discovered on a broker, as the server remembers it."""

    id: str
    broker_ref: str
    device: DeviceItem


@frozen(kw_only=True)
class Composed:
    """A config and where each part of it came from."""

    config: Json
    origins: tuple[tuple[str, str], ...]
    """Pointer in the config, pointer in the draft: the longest prefix tells where a finding belongs."""
    secrets: Mapping[str, Mapping[str, str]]
    """New entries of the credential store by reference."""

    @property
    def data(self) -> bytes:
        """The bytes that are reviewed, and none other that are written."""
        return serialise(self.config)

    @property
    def sha256(self) -> str:
        """Their hash."""
        return hashlib.sha256(self.data).hexdigest()


def without_mark(data: bytes) -> bytes:
    """Take the byte order mark off that people's editors leave: what is written anew has none (`faults.md` F07)."""
    return data.removeprefix(b"\xef\xbb\xbf")


def serialise(config: Mapping[str, Any]) -> bytes:
    """Write a config the way it is kept: readable, UTF-8, one newline at the end."""
    return (json.dumps(config, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def compose(draft: Draft, template: Mapping[str, Any], proposals: tuple[Proposal, ...] = ()) -> Composed:
    """Put the config together. What the draft does not say comes from the template of the build."""
    config: Json = deepcopy(dict(template))
    config["features"] = {**config.get("features", {}), **draft.features}
    devices: list[Json] = []
    origins: list[tuple[str, str]] = []
    for pointer, item in accepted_items(draft, proposals):
        if item.role in CONTROLLABLE:
            origins.append((f"/devices/{len(devices)}/name", f"{pointer}/config_name"))
            origins.append((f"/devices/{len(devices)}", pointer))
            devices.append(_device(item))
        else:
            origins.append(("/grid_meter", pointer))
            config["grid_meter"] = _address(item)
    config["devices"] = devices
    broker = draft.mqtt_broker
    secrets: dict[str, Mapping[str, str]] = {}
    brokers: Json = dict(config.get("mqtt", {}).get("brokers", {}))
    if broker.ref is not None:
        entry: Json = {"host": broker.host, "port": broker.port, "tls": broker.tls}
        if broker.username is not None:
            entry |= {"username": broker.username, "credentials_ref": broker.ref}
        if broker.username is not None and broker.password is not None:
            secrets[broker.ref] = {"username": broker.username, "password": broker.password}
        brokers[broker.ref] = entry
        origins.append((f"/mqtt/brokers/{broker.ref}", "/mqtt_broker"))
    config["mqtt"] = {**config.get("mqtt", {}), "brokers": brokers}
    return Composed(config=config, origins=tuple(origins), secrets=secrets)


def accepted_items(draft: Draft, proposals: tuple[Proposal, ...]) -> tuple[tuple[str, DeviceItem], ...]:
    """List the enabled items of every source with their pointers in the draft."""
    known = {(p.id, p.broker_ref): p.device for p in proposals}
    items = [(f"/devices/{index}", item) for index, item in enumerate(draft.devices)]
    items += [
        (f"/mqtt_proposals/{index}", known[ref.id, ref.broker_ref])
        for index, ref in enumerate(draft.mqtt_proposals)
        if (ref.id, ref.broker_ref) in known
    ]
    items += [(f"/mqtt_manual_devices/{index}", item) for index, item in enumerate(draft.mqtt_manual_devices)]
    return tuple((pointer, item) for pointer, item in items if item.enabled)


def merged_credentials(stored: bytes | None, secrets: Mapping[str, Mapping[str, str]]) -> bytes | None:
    """Add new secrets to the bytes of a credential store; give it back untouched when there are none."""
    if not secrets:
        return stored
    before: Json = json.loads(stored) if stored is not None else {}
    return credentials_of({**before.get("credentials", {}), **secrets})


def credentials_of(secrets: Mapping[str, Mapping[str, str]]) -> bytes:
    """Write a credential store that holds exactly these secrets."""
    entries = {ref: dict(entry) for ref, entry in secrets.items()}
    return serialise({"format_version": CREDENTIALS_FORMAT, "credentials": entries})


def secrets_of(stored: bytes) -> dict[str, dict[str, str]]:
    """Read the secrets of a credential store. Raises `ValueError` when these bytes are none."""
    value: Any = json.loads(stored)
    entries = value.get("credentials") if isinstance(value, dict) else None
    if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
        raise ValueError("not a credential store")  # it is the content that is wrong
    return entries


def _device(item: DeviceItem) -> Json:
    given = {name: value for name in OPTIONAL if (value := getattr(item, name)) is not None}
    return {"name": item.config_name, **_address(item), **given}


def _address(item: DeviceItem) -> Json:
    if item.type is DeviceType.LOCAL_API:
        return {"type": "local_api", **({"ip": item.ip} if item.ip is not None else {})}
    address = item.mqtt
    mqtt = (
        {name: value for name in ("broker_ref", "device_id", "topic") if (value := getattr(address, name)) is not None}
        if address
        else {}
    )
    return {"type": "mqtt", "mqtt": mqtt}


__all__ = (
    "Composed",
    "Proposal",
    "Role",
    "accepted_items",
    "compose",
    "credentials_of",
    "merged_credentials",
    "secrets_of",
    "serialise",
)
