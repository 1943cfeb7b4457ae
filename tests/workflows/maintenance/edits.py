"""A site whose Setup is over, and a person who edits its config."""

from __future__ import annotations

import json
from collections.abc import Coroutine
from copy import deepcopy
from typing import Any

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.maintenance.apply import Change, ConfigApplied, Migrated, apply_config, migrate_legacy
from ems_admin.workflows.maintenance.config import live_config, revise
from tests.workflows.places import running, secret_draft
from tests.workflows.scene import CONFIG, CREDENTIALS, Scene

LEGACY = "/config.json"


def installed() -> Scene:
    """The EMS runs, the Setup is over, and a broker has a password."""
    return running(draft=secret_draft())


def shown(scene: Scene) -> dict[str, Any]:
    """Give the config as the page has it, to be edited."""
    config = scene.do(live_config(scene.house)).config
    assert config is not None
    return deepcopy(config)


def revision(scene: Scene) -> str | None:
    return scene.do(live_config(scene.house)).revision


def saving(
    scene: Scene, draft: dict[str, Any], *, made_from: str | None = None, confirm: bool = True, backup: bool = True
) -> Coroutine[Any, Any, ConfigApplied]:
    """Save an edit that was made from the config as it is now, or from another revision."""
    base = revision(scene) if made_from is None else made_from
    return apply_config(scene.house, scene.caller, Change(draft=draft, revision=base, confirm=confirm, backup=backup))


def looking(scene: Scene, draft: dict[str, Any]) -> Coroutine[Any, Any, Any]:
    return revise(scene.house, draft)


def taking_over(scene: Scene, *, confirm: bool = True, overwrite: bool = False) -> Coroutine[Any, Any, Migrated]:
    return migrate_legacy(scene.house, scene.caller, confirm=confirm, overwrite=overwrite)


def live(scene: Scene) -> dict[str, Any]:
    """Give the config as it is on disk."""
    value: dict[str, Any] = json.loads(scene.files[CONFIG])
    return value


def stored_secrets(scene: Scene) -> dict[str, dict[str, str]]:
    value: dict[str, dict[str, str]] = json.loads(scene.files[CREDENTIALS])["credentials"]
    return value


def pointers(refusal: Refusal) -> list[str]:
    """Name the fields that a refusal finds fault with."""
    assert refusal.code == Code.VALIDATION_FAILED
    errors = refusal.more["errors"]
    assert isinstance(errors, tuple)
    return [error.pointer for error in errors]


def edited(scene: Scene, power: int = 4000) -> dict[str, Any]:
    """Give the config with another limit."""
    draft = shown(scene)
    draft["system"]["max_total_power"] = power
    return draft
