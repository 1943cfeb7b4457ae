"""A Guided Setup as the browser may see it: identity and progress, no path and no secret.

Source: `seed 000` 5.3, 6.2; `http.md` 5.3.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import Like, fields, shown
from ems_admin.machines.records.setup import CleanupEntry, GuidedSetup, Preview
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.setup.cleanup_plan import kept_because
from ems_admin.workflows.arbiter.start_path import StartPath
from ems_admin.workflows.setup.ending import Ended


class CleanupShape(TypedDict):
    """What is left of a Setup that has ended."""

    state: str
    failed_count: int
    review_count: int
    artifacts: Annotated[Any, tuple[CleanupEntry, ...]]


class PreviewShape(TypedDict):
    """The preview that was issued."""

    preview_id: str
    issued_at: str


class SetupShape(TypedDict):
    """B0, redacted."""

    workflow_id: str
    status: str
    operation_id: str | None
    transition_mode: str | None
    selected_system_tag: str | None
    preview: Annotated[Any, Preview | None]
    generated: bool
    cleanup: CleanupShape
    created_at: str
    updated_at: str


class EndedShape(TypedDict):
    """What an end came to."""

    cleanup: Annotated[Any, tuple[CleanupEntry, ...]]
    workflow: Annotated[Any, GuidedSetup | None]
    transition: Annotated[Any, Transition | None]


@shown.register
def _setup(setup: GuidedSetup) -> SetupShape:
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
def _preview(preview: Preview) -> PreviewShape:
    return {"preview_id": preview.preview_id, "issued_at": shown(preview.issued_at)}


@shown.register
def _entry(entry: CleanupEntry) -> Annotated[dict[str, Any], Like(kind=CleanupEntry, but={"detail": str | None})]:
    return fields(entry) | {"detail": shown(kept_because(entry))}


@shown.register
def _start_path(path: StartPath) -> Annotated[dict[str, Any], Like(kind=StartPath, leaves_out_null=True)]:
    # Only a Setup has an identity: the other door gives none, not an empty one.
    return {name: value for name, value in fields(path).items() if value is not None}


@shown.register
def _ended(ended: Ended) -> EndedShape:
    return {
        "cleanup": shown(ended.cleanup),
        "workflow": shown(ended.setup),
        "transition": shown(ended.transition),
    }
