"""A job, as it stands. Source: `http.md` 5.4 (Job)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import Told, shown, told
from ems_admin.workflows.jobs import Job, JobStep
from ems_admin.workflows.ports.records import JournalEntry


class JobShape(TypedDict):
    """One piece of work."""

    id: str
    kind: str
    operation_id: str | None
    workflow_id: str | None
    status: str
    steps: Annotated[Any, tuple[JobStep, ...]]
    cancellable: bool
    reconnect: bool
    error: Told | None
    result: dict[str, Any] | None
    log: list[str]
    started_at: str
    finished_at: str | None


LineShape = TypedDict(
    "LineShape",
    {
        "sequence": int,
        "time": str,
        "machine": str,
        "key": str,
        "trigger": str,
        "from": str | None,
        "to": str | None,
        "code": str | None,
        "count": int,
        "operation_id": str | None,
        "workflow_id": str | None,
        "session": str | None,
        "detail": str | None,
    },
)
"""One line of the journal; `from` is a word that Python keeps for itself."""


@shown.register
def _job(job: Job) -> JobShape:
    return {
        "id": job.id,
        "kind": job.kind,
        "operation_id": job.operation_id,
        "workflow_id": job.workflow_id,
        "status": str(job.status),
        "steps": shown(job.steps),
        "cancellable": job.can_stop,
        "reconnect": job.reconnect,
        "error": None if job.error is None else told(job.error.code, job.error.detail),
        "result": shown(job.result),
        "log": list(job.log),
        "started_at": shown(job.started_at),
        "finished_at": shown(job.finished_at),
    }


@shown.register
def _line(entry: JournalEntry) -> LineShape:
    line = entry.line
    return {
        "sequence": entry.sequence,
        "time": shown(entry.time),
        "machine": line.machine,
        "key": line.key,
        "trigger": line.trigger,
        "from": line.source,
        "to": line.target,
        "code": line.code,
        "count": entry.count,
        "operation_id": line.operation_id,
        "workflow_id": line.workflow_id,
        "session": line.session,
        "detail": line.detail,
    }
