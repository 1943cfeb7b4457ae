"""What a draft comes to. Source: `http.md` 5.3 (config-preview)."""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import shown
from ems_admin.workflows.config.diff import Diff
from ems_admin.workflows.config.preview import Previewed, Reviewed


@shown.register
def _previewed(previewed: Previewed) -> dict[str, Any]:
    named = {} if previewed.config_preview_id is None else {"config_preview_id": previewed.config_preview_id}
    return _reviewed(previewed.reviewed) | named


@shown.register
def _reviewed(reviewed: Reviewed) -> dict[str, Any]:
    return {
        "validation": {"ready": reviewed.ready, "errors": shown(reviewed.findings)},
        "ready": reviewed.ready,
        "diff": shown(reviewed.diff),
        "config_revision": reviewed.live_revision,
    }


@shown.register
def _diff(diff: Diff) -> dict[str, Any]:
    return {
        "added": [{"pointer": pointer, "value": value} for pointer, value in diff.added],
        "removed": [{"pointer": pointer, "value": value} for pointer, value in diff.removed],
        "changed": [{"pointer": pointer, "before": old, "after": new} for pointer, old, new in diff.changed],
        "text": diff.text,
    }
