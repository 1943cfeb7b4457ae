"""The live config under Maintenance: shown with its secrets masked, and an edit of it worked out before it is made.

Nothing here writes. Source: `http.md` 5.3 (Maintenance); `site.md` 9; `faults.md` F47.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.workflows.config.checks import SHOWN, references, violations
from ems_admin.workflows.config.compose import serialise
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.preview import document, revision_of
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_build
from ems_admin.workflows.maintenance.document import Json, as_shown, taken_apart
from ems_admin.workflows.maintenance.form import FormSection, form_of
from ems_admin.workflows.ports.records import RefusalError

IDENTITIES: Final = (("name", "name"), ("serial_number", "serial number"))


@frozen(kw_only=True)
class LiveConfig:
    """The config with its secrets masked; both `None` where there is none yet."""

    config: Json | None
    revision: str | None


@frozen(kw_only=True)
class Revised:
    """An edit worked out against what is live now: what it comes to, what stands against it, what it changes."""

    config: Json
    secrets: Mapping[str, Mapping[str, str]]
    """New entries of the credential store by reference."""
    findings: tuple[ValidationEntry, ...]
    diff: Diff
    revision: str | None
    """The live revision that it was worked out against."""
    changed: bool

    @property
    def data(self) -> bytes:
        """The bytes that would be written."""
        return serialise(self.config)


@frozen(kw_only=True)
class ConfigSchema:
    """What a config of the installed build may hold, and how to ask for it."""

    schema: Mapping[str, Any]
    form: tuple[FormSection, ...]


async def config_schema(house: House) -> ConfigSchema:
    """Give schema and form of the installed build. Raises `RefusalError` with `release_not_prepared`."""
    schema = (await installed_build(house)).schema
    return ConfigSchema(schema=schema, form=form_of(schema))


async def live_config(house: House) -> LiveConfig:
    """Show the live config, whatever it says. Raises `RefusalError` with `config_unreadable`."""
    live = await house.config.config()
    before = document(live)
    shown = None if before is None else as_shown(before, await stored_secrets(house))
    return LiveConfig(config=shown, revision=revision_of(live))


async def revise(house: House, draft: Json) -> Revised:
    """Work an edit out. Raises `RefusalError` with `config_unreadable` or `release_not_prepared`."""
    live = await house.config.config()
    before, secrets = document(live), await stored_secrets(house)
    schema = (await installed_build(house)).schema
    edited = taken_apart(draft, before, secrets)
    return Revised(
        config=edited.config,
        secrets=edited.secrets,
        findings=(*edited.findings, *findings(edited.config, schema))[:SHOWN],
        diff=diff(before, edited.config),
        revision=revision_of(live),
        # A file that people wrote is not written again for its spaces.
        changed=edited.config != before or bool(edited.secrets),
    )


async def findings_here(house: House, config: Mapping[str, Any]) -> tuple[ValidationEntry, ...]:
    """Hold a config against the build that is to run with it; before there is one, nothing can be held.

    Raises `RefusalError` for a build that is there and cannot be read: that says nothing of the config.
    """
    try:
        schema = (await installed_build(house)).schema
    except RefusalError as refused:
        if refused.refusal.code is Code.RELEASE_NOT_PREPARED:
            return ()
        raise
    return findings(dict(config), schema)


def findings(config: Json, schema: Mapping[str, Any]) -> tuple[ValidationEntry, ...]:
    """List what stands against a config: its form first, and what its parts say of one another once that holds."""
    return tuple(violations(config, schema)) or (*references(config), *_identities(config))


def _identities(config: Json) -> Iterator[ValidationEntry]:
    seen: set[tuple[str, str]] = set()
    for index, device in enumerate(config.get("devices", ())):
        for field, words in IDENTITIES:
            value = device.get(field) if isinstance(device, Mapping) else None
            if not isinstance(value, str):
                continue
            key = (field, value.strip().casefold())
            if key in seen:
                yield ValidationEntry(
                    code=Code.DEVICE_IDENTITY_DUPLICATE,
                    pointer=f"/devices/{index}/{field}",
                    message=f"The {words} {value} is used twice. Give each device its own.",
                )
            seen.add(key)
