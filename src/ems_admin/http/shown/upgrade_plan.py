"""The plan of a Guided Upgrade. Source: `http.md` 5.3 (upgrade/plan); `site.md` 9 (Plan)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.config import ValidationShape
from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.upgrade import UpgradeOptions
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.mqtt_migration import MigrationChange
from ems_admin.workflows.setup.validate import SelectedBuild
from ems_admin.workflows.upgrade.forecast import Interruption, PartChange, Space
from ems_admin.workflows.upgrade.migration import PlannedMigration
from ems_admin.workflows.upgrade.plan import Plan, Warned


class PlannedMigrationShape(TypedDict):
    """What the config would become; the config itself and its secrets are not in it."""

    required: bool
    revision: str | None
    changes: Annotated[Any, tuple[MigrationChange, ...]]
    added_keys: list[str]
    diff: Annotated[Any, Diff]


class PlannedStepShape(TypedDict):
    """One step that would be done, in its place."""

    key: str
    label: str


class UpgradePlanShape(TypedDict):
    """All that an upgrade would do."""

    target: Annotated[Any, SelectedBuild]
    selection_fingerprint: str
    options: Annotated[Any, UpgradeOptions]
    parts: Annotated[Any, tuple[PartChange, ...]]
    interruptions: Annotated[Any, tuple[Interruption, ...]]
    space: Annotated[Any, Space]
    migration: Annotated[Any, PlannedMigration]
    migration_revision: str | None
    live_revision: str | None
    validation: ValidationShape
    known_good: Annotated[Any, KnownGood | None]
    steps: list[PlannedStepShape]
    warnings: Annotated[Any, tuple[Warned, ...]]
    plan_fingerprint: str


@shown.register
def _plan(plan: Plan) -> UpgradePlanShape:
    return {
        "target": shown(plan.target),
        "selection_fingerprint": plan.selection.fingerprint,
        "options": shown(plan.options),
        "parts": shown(plan.parts),
        "interruptions": shown(plan.interruptions),
        "space": shown(plan.space),
        "migration": shown(plan.migration),
        "migration_revision": plan.migration.revision,
        "live_revision": plan.live_revision,
        "validation": {"ready": not plan.findings, "errors": shown(plan.findings)},
        "known_good": shown(plan.known_good),
        "steps": [{"key": step.step, "label": step.label} for step in plan.steps],
        "warnings": shown(plan.warnings),
        "plan_fingerprint": plan.fingerprint,
    }


@shown.register
def _migration(migration: PlannedMigration) -> PlannedMigrationShape:
    return {
        "required": migration.required,
        "revision": migration.revision,
        "changes": shown(migration.changes),
        "added_keys": list(migration.added_keys),
        "diff": shown(migration.diff),
    }


@shown.register
def _space(space: Space) -> Annotated[dict[str, Any], Like(kind=Space, but={"enough": bool | None})]:
    return fields(space) | {"enough": space.enough}


@shown.register
def _warned(warned: Warned) -> Told:
    return told(warned.code, warned.detail)
