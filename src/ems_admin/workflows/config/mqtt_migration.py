"""Brokers that were written inside single devices move to `mqtt.brokers`, and passwords to the credential store.

Pure, deterministic and idempotent: what comes of it needs no migration. Where a device leaves open which broker is
meant nothing of it is moved, and a finding says why. Source: `site.md` 9 (W5), 11; `seed 000` 2 (W5, W6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from attrs import define, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ValidationEntry

Json = dict[str, Any]
Secrets = Mapping[str, Mapping[str, str]]

ADDRESS: Final = ("host", "port", "tls", "username", "password", "credentials_ref")
"""What is said of a broker and not of a device."""
NESTED: Final = "broker"
"""The key under which some devices keep all of that."""
PLAIN_PORT, TLS_PORT = 1883, 8883
LONGEST_REF: Final = 64


@frozen(kw_only=True)
class MigrationChange:
    """One thing that moves. No secret is in it."""

    pointer: str
    """Where it stood."""
    target: str
    """Where it stands now."""
    broker_ref: str
    new_broker: bool
    """Whether the broker was not there before."""
    password_moved: bool
    """Whether a password went to the credential store."""


@frozen(kw_only=True)
class Migration:
    """What a config comes to, and what stands against it."""

    needed: bool
    config: Json
    secrets: dict[str, dict[str, str]]
    """Entries that the credential store gets, by reference; only those that are not there yet."""
    changes: tuple[MigrationChange, ...]
    findings: tuple[ValidationEntry, ...]
    """Brokers inside devices that cannot be moved as they are."""


def migrate(config: Mapping[str, Any], secrets: Secrets) -> Migration:
    """Work out the migration of `config`, whose credential store holds `secrets`."""
    moving = _Moving(config=deepcopy(dict(config)), stored={ref: dict(entry) for ref, entry in secrets.items()})
    moving.passwords_of_brokers()
    for pointer, user in _users(moving.config):
        moving.broker_of(pointer, user)
    return Migration(
        needed=bool(moving.changes),
        config=moving.config,
        secrets=moving.new_secrets,
        changes=tuple(moving.changes),
        findings=tuple(moving.findings),
    )


@frozen(kw_only=True)
class _Broker:
    """A broker as a device describes it."""

    host: str
    port: Any
    tls: Any
    username: Any
    password: str | None
    credentials_ref: str | None


@define(kw_only=True)
class _Moving:
    """A config on the way. Mutable: each device goes on from what the one before has left."""

    config: Json
    stored: dict[str, dict[str, str]]
    new_secrets: dict[str, dict[str, str]] = field(factory=dict)
    changes: list[MigrationChange] = field(factory=list)
    findings: list[ValidationEntry] = field(factory=list)

    @property
    def brokers(self) -> Json:
        mqtt = self.config.get("mqtt")
        brokers = mqtt.get("brokers") if isinstance(mqtt, dict) else None
        return brokers if isinstance(brokers, dict) else {}

    def passwords_of_brokers(self) -> None:
        """Move the passwords that stand in the config beside their broker."""
        for ref, broker in self.brokers.items():
            if not isinstance(broker, dict) or not isinstance(password := broker.get("password"), str):
                continue
            store_ref = broker.get("credentials_ref", ref)
            wanted = {"username": _text(broker.get("username")), "password": password}
            if not isinstance(store_ref, str) or (
                store_ref in self._used_but_by(ref) and self.stored.get(store_ref) != wanted
            ):
                store_ref = self._free(ref, wanted, own=ref)
            del broker["password"]
            broker["credentials_ref"] = store_ref
            self._store(store_ref, wanted)
            at = f"/mqtt/brokers/{_escaped(ref)}"
            self._changed(f"{at}/password", at, ref, new_broker=False, password_moved=True)

    def broker_of(self, pointer: str, user: Json) -> None:
        """Move the broker that stands inside one device."""
        mqtt = user.get("mqtt")
        if not isinstance(mqtt, dict):
            return
        nested = mqtt.get(NESTED)
        said = nested if isinstance(nested, dict) else {key: mqtt[key] for key in ADDRESS if key in mqtt}
        if not said:
            return
        named = mqtt.get("broker_ref")
        host = said.get("host")
        if not isinstance(host, str) or not host.strip():
            self._cannot(pointer, "This device describes a broker without an address. Enter it, or choose a broker.")
            return
        if not self._has_room():
            self._cannot("/mqtt", "The list of brokers is not one. Mend it first.")
            return
        broker = _described(said)
        if isinstance(named, str) and named in self.brokers:
            if not self._is(named, _described({**_dict(self.brokers[named]), **said})):
                self._cannot(pointer, f"This device names the broker {named} and describes another one. Keep one.")
                return
            ref, new = named, False
        else:
            ref, new = self._place_for(broker, named if isinstance(named, str) else None)
        user["mqtt"] = {
            "broker_ref": ref,
            **{key: value for key, value in mqtt.items() if key not in (*ADDRESS, NESTED, "broker_ref")},
        }
        moved = new and broker.password is not None
        self._changed(f"{pointer}/mqtt", f"/mqtt/brokers/{_escaped(ref)}", ref, new_broker=new, password_moved=moved)

    def _place_for(self, broker: _Broker, wished: str | None) -> tuple[str, bool]:
        """Find the broker among those that are there, or give it a place of its own."""
        for ref in self.brokers:
            if self._is(ref, broker):
                return ref, False
        wanted = None
        if broker.password is not None:
            wanted = {"username": _text(broker.username), "password": broker.password}
        ref = self._free(wished or broker.host, wanted)
        entry: Json = {"host": broker.host, "port": broker.port, "tls": broker.tls}
        if broker.username is not None:
            entry["username"] = broker.username
        if wanted is not None:
            entry["credentials_ref"] = ref
            self._store(ref, wanted)
        elif broker.credentials_ref is not None:
            entry["credentials_ref"] = broker.credentials_ref
        self.config.setdefault("mqtt", {}).setdefault("brokers", {})[ref] = entry
        return ref, True

    def _is(self, ref: str, broker: _Broker) -> bool:
        """Say whether the broker called `ref` is the described one; what a device does not say it leaves open."""
        there = self.brokers[ref]
        if not isinstance(there, dict) or not isinstance(there.get("host"), str):
            return False
        address = (there["host"].casefold(), there.get("port"), there.get("tls"))
        if address != (broker.host.casefold(), broker.port, broker.tls):
            return False
        if there.get("username") != broker.username:
            return False
        if broker.password is None:
            return broker.credentials_ref is None or broker.credentials_ref == there.get("credentials_ref")
        return self.stored.get(str(there.get("credentials_ref", ref)), {}).get("password") == broker.password

    def _free(self, wished: str, wanted: Mapping[str, str] | None, *, own: str | None = None) -> str:
        """Find a reference that no other broker and no other secret bears; `own` is the broker that asks."""
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", wished).strip("-")[: LONGEST_REF - 4] or "broker"
        number, ref = 1, stem
        taken = {name for name in self.brokers if name != own} | self._used_but_by(own)
        while ref in taken or (ref in self.stored and self.stored[ref] != wanted):
            number += 1
            ref = f"{stem}-{number}"
        return ref

    def _used_but_by(self, own: str | None) -> set[object]:
        """Give the references into the credential store that brokers but `own` go by."""
        others = ((ref, broker) for ref, broker in self.brokers.items() if ref != own and isinstance(broker, dict))
        used = (broker.get("credentials_ref", ref) for ref, broker in others)
        return {ref for ref in used if isinstance(ref, str)}

    def _has_room(self) -> bool:
        mqtt = self.config.get("mqtt", {})
        return isinstance(mqtt, dict) and isinstance(mqtt.get("brokers", {}), dict)

    def _store(self, ref: str, entry: dict[str, str]) -> None:
        if self.stored.get(ref) != entry:
            self.stored[ref] = self.new_secrets[ref] = entry

    def _changed(self, pointer: str, target: str, ref: str, **said: bool) -> None:
        self.changes.append(MigrationChange(pointer=pointer, target=target, broker_ref=ref, **said))

    def _cannot(self, pointer: str, message: str) -> None:
        entry = ValidationEntry(code=Code.SCHEMA_VIOLATION, pointer=pointer, message=message)
        if entry not in self.findings:
            self.findings.append(entry)


def _users(config: Json) -> Iterator[tuple[str, Json]]:
    """List whatever may be reached over a broker."""
    devices = config.get("devices")
    for index, device in enumerate(devices if isinstance(devices, list) else ()):
        if isinstance(device, dict):
            yield f"/devices/{index}", device
    if isinstance(meter := config.get("grid_meter"), dict):
        yield "/grid_meter", meter


def _described(said: Mapping[str, Any]) -> _Broker:
    tls = said.get("tls", said.get("port") == TLS_PORT)
    password = said.get("password")
    kept_under = said.get("credentials_ref")
    return _Broker(
        host=said["host"].strip(),
        port=said.get("port", TLS_PORT if tls else PLAIN_PORT),
        tls=tls,
        username=said.get("username"),
        password=password if isinstance(password, str) else None,
        credentials_ref=kept_under if isinstance(kept_under, str) else None,
    )


def _dict(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
