"""What a draft comes to. Source: `http.md` 5.3 (config-preview)."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from ems_admin.http.shown.shape import shown
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.preview import Previewed, Reviewed


class ValidationShape(TypedDict):
    """Whether a draft can be used, and if not, why."""

    ready: bool
    errors: Annotated[Any, tuple[ValidationEntry, ...]]


class ReviewShape(TypedDict):
    """What a draft comes to; the id is there when a preview was issued."""

    validation: ValidationShape
    ready: bool
    diff: Annotated[Any, Diff | None]
    config_revision: str | None
    config_preview_id: NotRequired[str]


class Entry(TypedDict):
    """A value that is there on one side alone."""

    pointer: str
    value: Any


class Change(TypedDict):
    """A value that differs."""

    pointer: str
    before: Any
    after: Any


class DiffShape(TypedDict):
    """Two configs compared."""

    added: list[Entry]
    removed: list[Entry]
    changed: list[Change]
    text: str


@shown.register
def _previewed(previewed: Previewed) -> ReviewShape:
    shape = _reviewed(previewed.reviewed)
    if previewed.config_preview_id is not None:
        shape["config_preview_id"] = previewed.config_preview_id
    return shape


@shown.register
def _reviewed(reviewed: Reviewed) -> ReviewShape:
    return {
        "validation": {"ready": reviewed.ready, "errors": shown(reviewed.findings)},
        "ready": reviewed.ready,
        "diff": shown(reviewed.diff),
        "config_revision": reviewed.live_revision,
    }


@shown.register
def _diff(diff: Diff) -> DiffShape:
    return {
        "added": [{"pointer": pointer, "value": value} for pointer, value in diff.added],
        "removed": [{"pointer": pointer, "value": value} for pointer, value in diff.removed],
        "changed": [{"pointer": pointer, "before": old, "after": new} for pointer, old, new in diff.changed],
        "text": diff.text,
    }
