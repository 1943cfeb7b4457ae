"""The history of the config, the comparison of three configs, and what is merged of them.

Source: `http.md` 5.3 (Maintenance); `seed 000` 6.5.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from ems_admin.http.shown.config import ValidationShape
from ems_admin.http.shown.maintenance import RevisedShape
from ems_admin.http.shown.shape import shown
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.history import KeptRevision
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.draft import plain
from ems_admin.workflows.config.merging import MergedDraft
from ems_admin.workflows.config.mqtt_migration import MigrationChange
from ems_admin.workflows.config.three_ways import Field, Side, Standing, ThreeWays
from ems_admin.workflows.maintenance.history import PreparedReturn
from ems_admin.workflows.maintenance.mqtt import MigrationReview


class KeptRevisionShape(TypedDict):
    """One change of the config; `path` is null for what somebody else wrote."""

    sequence: int
    commit_id: str
    path: WritePath | None
    revision: str
    base: str | None
    kept_at: datetime


class FieldShape(TypedDict):
    """A field that differs; a side that has nothing there is left out."""

    pointer: str
    standing: Standing
    baseline: NotRequired[Any]
    live: NotRequired[Any]
    mine: NotRequired[Any]


class ThreeWaysShape(TypedDict):
    """Three configs side by side."""

    fields: list[FieldShape]
    conflicts: list[str]


class MergedDraftShape(TypedDict):
    """A draft that is up to date, as the preview takes it; what was typed into it comes back as it was sent."""

    draft: dict[str, Any]
    left_out: list[str]
    config_revision: str | None
    undecided: list[str]
    three_ways: ThreeWaysShape


class PreparedReturnShape(RevisedShape):
    """A revision as an edit, worked out."""

    draft: dict[str, Any]


class MigrationReviewShape(TypedDict):
    """What a migration would do; no secret is in it."""

    needed: bool
    changes: Annotated[Any, tuple[MigrationChange, ...]]
    validation: ValidationShape
    diff: Annotated[Any, Diff | None]
    revision: str | None
    migration_revision: str | None


@shown.register
def _line(line: KeptRevision) -> KeptRevisionShape:
    return {
        "sequence": line.sequence,
        "commit_id": line.commit_id,
        "path": shown(line.path),
        "revision": line.revision,
        "base": line.base,
        "kept_at": shown(line.kept_at),
    }


@shown.register
def _field(field: Field) -> FieldShape:
    shape: FieldShape = {"pointer": field.pointer, "standing": shown(field.standing)}
    if Side.BASELINE in field.values:
        shape["baseline"] = field.values[Side.BASELINE]
    if Side.LIVE in field.values:
        shape["live"] = field.values[Side.LIVE]
    if Side.MINE in field.values:
        shape["mine"] = field.values[Side.MINE]
    return shape


@shown.register
def _three_ways(ways: ThreeWays) -> ThreeWaysShape:
    return {"fields": shown(ways.fields), "conflicts": list(ways.conflicts)}


@shown.register
def _merged_draft(merged: MergedDraft) -> MergedDraftShape:
    return {
        "draft": plain(merged.draft),
        "left_out": list(merged.left_out),
        "config_revision": merged.config_revision,
        "undecided": list(merged.undecided),
        "three_ways": shown(merged.three_ways),
    }


@shown.register
def _prepared_return(prepared: PreparedReturn) -> PreparedReturnShape:
    revised: RevisedShape = shown(prepared.revised)
    return {**revised, "draft": prepared.draft}


@shown.register
def _migration_review(
    review: MigrationReview,
) -> MigrationReviewShape:
    return {
        "needed": review.needed,
        "changes": shown(review.changes),
        "validation": {"ready": not review.findings, "errors": shown(review.findings)},
        "diff": shown(review.diff),
        "revision": review.revision,
        "migration_revision": review.migration_revision,
    }
