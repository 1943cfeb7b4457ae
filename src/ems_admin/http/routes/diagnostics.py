"""Maintenance: the site examined as a whole. Source: `http.md` 5.3 (Maintenance, diagnostics)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from ems_admin.http.route import Asked, Granted, Nothing, Outside, post
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.maintenance.diagnostics import run_diagnostics


async def run(asked: Asked[Nothing, Nothing]) -> Granted[Job]:
    """Examine the site."""
    return Granted(await run_diagnostics(asked.house), HTTPStatus.ACCEPTED)


ROUTES: Final = (
    post(
        "/api/admin/maintenance/diagnostics/run",
        "Examine the site as a whole",
        run,
        Outside.LOOKS,
        scope=Scope.MAINTAIN,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
)
