"""The live config: whether it is there, fits its build, names only what is there, and has its secrets.

Source: `http.md` 5.3 (diagnostics); `faults.md` F07, F47.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.workflows.config.checks import references, violations
from ems_admin.workflows.config.compose import secrets_of
from ems_admin.workflows.config.preview import document
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_build
from ems_admin.workflows.maintenance.checks.check import Check, failed, ok, told, unavailable, warning
from ems_admin.workflows.ports.files import FileReading
from ems_admin.workflows.ports.records import RefusalError

Json = Mapping[str, Any]

MEND: Final = "Open the configuration and mend it."
NOT_YET: Final = "There is no configuration to look at."
UNREAD: Final = "The configuration could not be read, so this could not be looked at."
MISSHAPEN: Final = "The configuration does not have its form, so this could not be looked at. Mend that first."
NAMED: Final = 3
"""Findings that a message names; the editor shows them all."""


async def examine(house: House) -> tuple[Check, ...]:
    """Look at the config and what belongs to it."""
    live = await house.config.config()
    try:
        config = document(live)
    except RefusalError as refused:
        why = told(Code(refused.refusal.code), refused.refusal.detail)
        return (failed("config", why), unavailable("references", UNREAD), unavailable("credentials", UNREAD))
    if config is None:
        return await _absent(house)
    schema = await _schema(house)
    if isinstance(schema, Check):
        return (schema, unavailable("references", schema.message), await _credentials(house, config))
    faults = tuple(violations(config, schema))
    return (
        failed("config", f"{_named(faults)} {MEND}") if faults else ok("config", "The configuration fits its build."),
        unavailable("references", MISSHAPEN) if faults else reference_check(config),
        await _credentials(house, config),
    )


def reference_check(config: Json) -> Check:
    """Look whether everything that a device names is there."""
    lost = tuple(references(config))
    if lost:
        return failed("references", f"{_named(lost)} {MEND}")
    return ok("references", "Every broker that a device names is there.")


def credential_check(config: Json, store: FileReading) -> Check:
    """Look whether every broker finds its password in the credential store."""
    key, wanted = "credentials", _wanted(config)
    if isinstance(store, Unreadable):
        return failed(key, told(Code.CREDENTIAL_STAGING_FAILED, store.fault))
    try:
        held = {} if isinstance(store, Absent) else secrets_of(store.data)
    except ValueError:
        return failed(key, told(Code.CREDENTIAL_STAGING_FAILED, "not_json"))
    missing = sorted(broker for broker, ref in wanted.items() if "password" not in held.get(ref, {}))
    if missing:
        names = ", ".join(missing)
        return failed(key, f"The password is missing for: {names}. Open the configuration and enter it again.")
    return ok(key, "Every password that the configuration refers to is there.")


async def _absent(house: House) -> tuple[Check, ...]:
    prepared = isinstance(await house.records.marker.read(), Present)
    gone = "The configuration of the EMS is gone. Restore it from a backup."
    first = "There is no configuration yet. Begin Guided Setup to make one."
    config = failed("config", gone) if prepared else warning("config", first)
    return (config, unavailable("references", NOT_YET), unavailable("credentials", NOT_YET))


async def _schema(house: House) -> Json | Check:
    try:
        return (await installed_build(house)).schema
    except RefusalError as refused:
        return unavailable("config", told(Code(refused.refusal.code), refused.refusal.detail))


async def _credentials(house: House, config: Json) -> Check:
    return credential_check(config, await house.config.credentials())


def _wanted(config: Json) -> Mapping[str, str]:
    """Name the brokers that log in, each with its reference; what has another form is the form's own finding."""
    mqtt = config.get("mqtt")
    brokers = mqtt.get("brokers") if isinstance(mqtt, Mapping) else None
    found = brokers.items() if isinstance(brokers, Mapping) else ()
    pairs = ((name, broker.get("credentials_ref")) for name, broker in found if isinstance(broker, Mapping))
    return {name: ref for name, ref in pairs if isinstance(ref, str)}


def _named(faults: tuple[ValidationEntry, ...]) -> str:
    said = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults[:NAMED])
    left = len(faults) - NAMED
    return f"{said.rstrip('.')}; and {left} more." if left > 0 else f"{said.rstrip('.')}."
