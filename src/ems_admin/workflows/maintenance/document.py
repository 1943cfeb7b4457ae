"""The live config as it is edited: secrets out, a mask in their place, and back again.

The passwords of brokers live in the credential store and are edited where their broker stands. A mask that comes back
means that the secret stays; anything else is a new one, and goes to the store, never into the config.
Source: `site.md` 9 (Maintenance config), 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.values.fingerprints import is_secret_like
from ems_admin.workflows.config.diff import MASK, is_secret, masked

Json = dict[str, Any]
Secrets = Mapping[str, Mapping[str, str]]

PASSWORD: Final = "password"  # noqa: S105  # the name of a field
CREDENTIALS_REF: Final = "credentials_ref"


@frozen(kw_only=True)
class Edited:
    """An edited document taken apart: the config that may be written, and the secrets that are new."""

    config: Json
    secrets: dict[str, dict[str, str]]
    """New entries of the credential store by reference."""
    findings: tuple[ValidationEntry, ...]
    """Masks that nothing stands behind."""


def as_shown(config: Mapping[str, Any], secrets: Secrets) -> Json:
    """Give the config as people may see it; a broker whose password is stored shows a mask for it."""
    shown: Json = deepcopy(masked(config))
    for ref, broker in _brokers(shown):
        if PASSWORD in _stored(secrets, broker.get(CREDENTIALS_REF, ref)):
            broker[PASSWORD] = MASK
    return shown


def taken_apart(draft: Mapping[str, Any], live: Mapping[str, Any] | None, secrets: Secrets) -> Edited:
    """Put what is behind the masks back, and move the passwords of brokers out of the config."""
    config: Json = deepcopy(dict(draft))
    changed: dict[str, dict[str, str]] = {}
    findings: list[ValidationEntry] = []
    for ref, broker in _brokers(config):
        if PASSWORD not in broker:
            continue
        store_ref = broker.get(CREDENTIALS_REF, ref)
        password = _password(broker, ref, live, _stored(secrets, store_ref))
        if not isinstance(password, str) or not isinstance(store_ref, str):
            continue  # no text at all: the schema says what is wrong with it
        del broker[PASSWORD]
        if password == MASK:
            findings.append(_nothing_behind(f"/mqtt/brokers/{ref}/{PASSWORD}"))
            continue
        broker[CREDENTIALS_REF] = store_ref
        entry = {"username": str(broker.get("username", "")), PASSWORD: password}
        if dict(_stored(secrets, store_ref)) != entry:
            changed[store_ref] = entry
    restored = _restored(config, live, "", findings)
    return Edited(config=restored, secrets=changed, findings=tuple(findings))


def _stored(secrets: Secrets, ref: object) -> Mapping[str, str]:
    """Find the entry of a broker; what is no text names none."""
    return secrets.get(ref, {}) if isinstance(ref, str) else {}


def _password(broker: Json, ref: str, live: Mapping[str, Any] | None, stored: Mapping[str, str]) -> Any:
    """Give the password that is meant; the mask itself when there is none behind it."""
    if broker[PASSWORD] != MASK:
        return broker[PASSWORD]
    inline = dict(_brokers(live or {})).get(ref, {}).get(PASSWORD)
    return stored.get(PASSWORD, MASK) if inline is None else inline


def _restored(value: Any, live: Any, pointer: str, findings: list[ValidationEntry]) -> Any:
    """Replace each mask by what stands at its place in the live config."""
    if isinstance(value, dict):
        return {key: _member(key, inner, live, f"{pointer}/{key}", findings) for key, inner in value.items()}
    if isinstance(value, list):
        return [
            _restored(inner, _fellow(inner, index, live), f"{pointer}/{index}", findings)
            for index, inner in enumerate(value)
        ]
    return value


def _member(key: str, value: Any, live: Any, pointer: str, findings: list[ValidationEntry]) -> Any:
    before = live.get(key) if isinstance(live, Mapping) else None
    if not (is_secret_like(key) and value == MASK):
        return _restored(value, before, pointer, findings)
    if not is_secret(key, before):
        findings.append(_nothing_behind(pointer))
    return before


def _fellow(value: Any, index: int, live: Any) -> Any:
    """Find the element that a list element was before: by its name when it has one, else by its place."""
    if not isinstance(live, list):
        return None
    if isinstance(value, Mapping) and "name" in value:
        return next((one for one in live if isinstance(one, Mapping) and one.get("name") == value["name"]), None)
    return live[index] if index < len(live) else None


def _brokers(config: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    mqtt = config.get("mqtt")
    brokers = mqtt.get("brokers") if isinstance(mqtt, Mapping) else None
    for ref, broker in brokers.items() if isinstance(brokers, Mapping) else ():
        if isinstance(broker, dict):
            yield ref, broker


def _nothing_behind(pointer: str) -> ValidationEntry:
    return ValidationEntry(
        code=Code.SCHEMA_VIOLATION, pointer=pointer, message="Nothing is stored here yet. Enter it, or leave it out."
    )
