"""A job, as it stands. Source: `http.md` 5.4 (Job)."""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import shown, told
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import JournalEntry


@shown.register
def _job(job: Job) -> dict[str, Any]:
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
def _line(entry: JournalEntry) -> dict[str, Any]:
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
