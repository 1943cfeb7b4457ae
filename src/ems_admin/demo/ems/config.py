"""`config.json`: read once at the start, and believed only when every rule holds.

Rules of shape stand in `config.schema.json`, which the System Build offers to the Admin as well. The rest is here:
names and serial numbers that are used once, brokers that are there, limits that leave room.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen
from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).with_name("config.schema.json")
DEFAULT_BATTERY_KWH = 2.0
DEFAULT_POWER = 800
FULL, EMPTY = 100, 0


class ConfigError(Exception):
    """The config cannot be run; the text is one line for the person who wrote it."""


@frozen(kw_only=True)
class Battery:
    """A battery: powers in watts, charge in percent, capacity in kilowatt-hours."""

    name: str
    max_power: int
    min_soc: int
    max_soc: int
    capacity: float


@frozen(kw_only=True)
class Inverter:
    """An inverter of solar modules; power in watts."""

    name: str
    max_power: int


@frozen(kw_only=True)
class System:
    """How the loop controls; powers in watts."""

    dry_run: bool
    max_total_power: int
    max_device_power: int
    deadband: int
    loop_interval_seconds: int


@frozen(kw_only=True)
class Features:
    """What is switched on."""

    dashboard: bool
    history: bool
    winter_mode: bool


@frozen(kw_only=True)
class Config:
    """What the EMS runs with."""

    system: System
    features: Features
    batteries: tuple[Battery, ...]
    inverters: tuple[Inverter, ...]


def read_config(place: Path) -> Config:
    """Read a config, or `config.json` in a folder. Raises `ConfigError`."""
    file = place / "config.json" if place.is_dir() else place
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"{file.name} is missing") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.name} is not UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"{file.name} cannot be read: {error.strerror}") from error
    try:
        document = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"{file.name} is not JSON: {error}") from error
    fault = next(faults(document), None)
    if fault is not None:
        raise ConfigError(f"{file.name}: {fault}")
    return accepted(document)


def faults(document: Any) -> Iterator[str]:
    """Name everything that keeps a config from being run, the first thing first."""
    schema = json.loads(SCHEMA.read_bytes())
    broken = False
    for error in sorted(
        Draft202012Validator(schema).iter_errors(document), key=lambda error: list(map(str, error.path))
    ):
        broken = True
        yield f"{pointer(error.absolute_path)} {error.message}"
    if not broken:
        yield from contradictions(document)


def contradictions(document: Mapping[str, Any]) -> Iterator[str]:
    """Name fields that are right one by one and wrong together."""
    seen: dict[tuple[str, str], int] = {}
    for index, device in enumerate(document["devices"]):
        for field in ("name", "serial_number"):
            value = device.get(field)
            if value is not None and seen.setdefault((field, value), index) != index:
                yield f"/devices/{index}/{field} is used twice: {value}"
        if device.get("min_soc", EMPTY) >= device.get("max_soc", FULL):
            yield f"/devices/{index}/min_soc leaves no room below max_soc"
    brokers = document["mqtt"]["brokers"]
    users = [(f"/devices/{index}", device) for index, device in enumerate(document["devices"])]
    for place, user in (*users, ("/grid_meter", document["grid_meter"])):
        broker = user.get("mqtt", {}).get("broker_ref")
        if broker is not None and broker not in brokers:
            yield f"{place}/mqtt/broker_ref names a broker that is not there: {broker}"


def accepted(document: Mapping[str, Any]) -> Config:
    """Give the values of a config that holds. What has a charge is a battery; everything else that feeds in is PV."""
    batteries, inverters = [], []
    limit = document["system"]["max_device_power"]
    for device in document["devices"]:
        if {"min_soc", "max_soc", "battery_kwh"} & device.keys():
            batteries.append(
                Battery(
                    name=device["name"],
                    max_power=min(device.get("max_power", DEFAULT_POWER), limit),
                    min_soc=device.get("min_soc", EMPTY),
                    max_soc=device.get("max_soc", FULL),
                    capacity=float(device.get("battery_kwh", DEFAULT_BATTERY_KWH)),
                )
            )
        else:
            inverters.append(Inverter(name=device["name"], max_power=device.get("max_power", DEFAULT_POWER)))
    return Config(
        system=System(**document["system"]),
        features=Features(**document["features"]),
        batteries=tuple(batteries),
        inverters=tuple(inverters),
    )


def pointer(path: Any) -> str:
    """Write the place of a fault as a JSON pointer."""
    return "".join(f"/{part}" for part in path) or "/"
