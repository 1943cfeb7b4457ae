"""A Guided Setup as the browser may see it: identity and progress, no path and no secret.

Source: `seed 000` 5.3, 6.2; `http.md` 5.3.
"""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import fields, shown
from ems_admin.machines.records.setup import GuidedSetup, Preview
from ems_admin.workflows.setup.ending import Ended
from ems_admin.workflows.setup.start_path import StartPath


@shown.register
def _setup(setup: GuidedSetup) -> dict[str, Any]:
    return {
        "workflow_id": setup.workflow_id,
        "status": str(setup.status),
        "operation_id": setup.operation_id,
        "transition_mode": shown(setup.transition_mode),
        "selected_system_tag": setup.selected_system_tag,
        "preview": shown(setup.preview),
        "generated": setup.artifacts.generated_config is not None,
        "cleanup": {
            "state": str(setup.cleanup.state),
            "failed_count": setup.cleanup.failed_count,
            "review_count": setup.cleanup.review_count,
            "artifacts": shown(setup.cleanup.artifacts),
        },
        "created_at": shown(setup.created_at),
        "updated_at": shown(setup.updated_at),
    }


@shown.register
def _preview(preview: Preview) -> dict[str, Any]:
    return {"preview_id": preview.preview_id, "issued_at": shown(preview.issued_at)}


@shown.register
def _start_path(path: StartPath) -> dict[str, Any]:
    # Only a Setup has an identity: the other door gives none, not an empty one.
    return {name: value for name, value in fields(path).items() if value is not None}


@shown.register
def _ended(ended: Ended) -> dict[str, Any]:
    return {
        "cleanup": shown(ended.cleanup),
        "workflow": shown(ended.setup),
        "transition": shown(ended.transition),
    }
