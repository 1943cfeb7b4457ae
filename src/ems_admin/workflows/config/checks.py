"""What stands against a draft, each finding with the field that it is about.

Source: `site.md` 11 (preview checks).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.values.fingerprints import is_secret_like
from ems_admin.workflows.config.compose import Composed, Proposal, accepted_items
from ems_admin.workflows.config.diff import MASK, masked
from ems_admin.workflows.config.draft import CONTROLLABLE, MAX_MANUAL_DEVICES, MAX_PROPOSALS, Draft, Role

SHOWN: Final = 50
"""Findings that a person can work through; a hundred more would only bury them."""


def findings(
    draft: Draft, composed: Composed, schema: Mapping[str, Any], proposals: tuple[Proposal, ...]
) -> tuple[ValidationEntry, ...]:
    """List everything that has to be mended before the config may be written."""
    entries = (
        *_counts(draft),
        *_proposals(draft, proposals),
        *_identities(draft, proposals),
        *_charges(draft, proposals),
        *_roles(draft, proposals),
        *references(composed.config, composed.origins),
        *violations(composed.config, schema, composed.origins),
    )
    return entries[:SHOWN]


def references(config: Mapping[str, Any], origins: tuple[tuple[str, str], ...] = ()) -> Iterator[ValidationEntry]:
    """Every broker that a device names is there."""
    brokers = config.get("mqtt", {}).get("brokers", {})
    users = [(f"/devices/{index}", device) for index, device in enumerate(config.get("devices", ()))]
    users.append(("/grid_meter", config.get("grid_meter") or {}))
    for pointer, user in users:
        mqtt = user.get("mqtt") if isinstance(user, Mapping) else None
        ref = mqtt.get("broker_ref") if isinstance(mqtt, Mapping) else None
        if ref is not None and ref not in brokers:
            yield _entry(
                Code.CONFIG_REFERENCE_UNRESOLVED,
                located(f"{pointer}/mqtt/broker_ref", origins),
                f"The broker {ref} is not part of this configuration. Add it, or choose another one.",
            )


def violations(
    config: Mapping[str, Any], schema: Mapping[str, Any], origins: tuple[tuple[str, str], ...] = ()
) -> Iterator[ValidationEntry]:
    """The config fits the schema of its build."""
    errors = sorted(Draft202012Validator(dict(schema)).iter_errors(dict(config)), key=lambda e: list(map(str, e.path)))
    for error in errors:
        pointer = "".join(f"/{part}" for part in error.absolute_path)
        yield _entry(Code.SCHEMA_VIOLATION, located(pointer, origins), _said(error)[:300])


def _said(error: ValidationError) -> str:
    """Give the validator's sentence; it repeats the value that it is about, and a secret in that is masked."""
    inside_secret = any(is_secret_like(str(part)) for part in error.absolute_path)
    shown = MASK if inside_secret else masked(error.instance)
    return error.message.replace(repr(error.instance), repr(shown))


def located(pointer: str, origins: tuple[tuple[str, str], ...]) -> str:
    """Turn a pointer into the config into one into the draft, by the longest known prefix."""
    fitting = [(ours, theirs) for ours, theirs in origins if pointer == ours or pointer.startswith(f"{ours}/")]
    if not fitting:
        return pointer
    ours, theirs = max(fitting, key=lambda pair: len(pair[0]))
    return theirs + pointer[len(ours) :]


def _counts(draft: Draft) -> Iterator[ValidationEntry]:
    if len(draft.mqtt_proposals) > MAX_PROPOSALS:
        yield _entry(Code.TOO_MANY_ITEMS, "/mqtt_proposals", f"At most {MAX_PROPOSALS} proposals can be taken at once.")
    if len(draft.mqtt_manual_devices) > MAX_MANUAL_DEVICES:
        yield _entry(
            Code.TOO_MANY_ITEMS, "/mqtt_manual_devices", f"At most {MAX_MANUAL_DEVICES} devices can be added by hand."
        )


def _proposals(draft: Draft, proposals: tuple[Proposal, ...]) -> Iterator[ValidationEntry]:
    known = {(p.id, p.broker_ref) for p in proposals}
    for index, ref in enumerate(draft.mqtt_proposals):
        if (ref.id, ref.broker_ref) not in known:
            yield _entry(
                Code.PROPOSAL_UNKNOWN, f"/mqtt_proposals/{index}", "This device is no longer seen. Search once more."
            )


def _identities(draft: Draft, proposals: tuple[Proposal, ...]) -> Iterator[ValidationEntry]:
    seen: dict[tuple[str, str], str] = {}
    for pointer, item in accepted_items(draft, proposals):
        for kind, field, value in (
            ("name", "config_name", item.config_name),
            ("serial number", "serial_number", item.serial_number),
        ):
            if not value:
                continue
            key = (kind, value.strip().casefold())
            if key in seen:
                yield _entry(
                    Code.DEVICE_IDENTITY_DUPLICATE,
                    f"{pointer}/{field}",
                    f"The {kind} {value} is used twice. Give each device its own.",
                )
            seen.setdefault(key, pointer)


def _charges(draft: Draft, proposals: tuple[Proposal, ...]) -> Iterator[ValidationEntry]:
    for pointer, item in accepted_items(draft, proposals):
        lowest, highest = item.min_soc or 0, 100 if item.max_soc is None else item.max_soc
        if item.role is Role.BATTERY and lowest >= highest:
            yield _entry(
                Code.SCHEMA_VIOLATION,
                f"{pointer}/min_soc",
                "The battery would be empty at the charge where it is full. Choose a lower limit for empty.",
            )


def _roles(draft: Draft, proposals: tuple[Proposal, ...]) -> Iterator[ValidationEntry]:
    items = accepted_items(draft, proposals)
    if not any(item.role in CONTROLLABLE for _, item in items):
        yield _entry(Code.NO_CONTROLLABLE_DEVICE, "/devices", "Add a battery or an inverter, and switch it on.")
    meters = [pointer for pointer, item in items if item.role is Role.GRID_METER]
    if draft.supported_grid_meter_count == 0 or not meters:
        yield _entry(Code.GRID_METER_MISSING, "/devices", "Add the grid meter, and switch it on.")
    for pointer in meters[1:]:
        yield _entry(Code.TOO_MANY_ITEMS, pointer, "One grid meter is supported. Switch the other one off.")


def _entry(code: Code, pointer: str, message: str) -> ValidationEntry:
    return ValidationEntry(code=code, pointer=pointer, message=message)
