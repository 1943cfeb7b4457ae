"""For programs: this table as OpenAPI, and the counters. Source: `http.md` 5.3 (Views)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from ems_admin.http import metrics, openapi
from ems_admin.http.route import Asked, File, Nothing, Route, get
from ems_admin.workflows.deployment.view import deployment_status
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.lifecycle import lifecycle_view
from ems_admin.workflows.views.machine_states import machine_states

JSON: Final = "application/json; charset=utf-8"


async def measured(asked: Asked[Nothing, Nothing]) -> File:
    """Give the counters, and where every machine is."""
    house = asked.house
    states = await machine_states(house, await lifecycle_view(house), await deployment_status(house))
    running = sum(job.status is JobStatus.RUNNING for job in house.jobs.jobs)
    text = asked.desk.metrics.text(jobs=running, ready=house.startup.passed, machines=states)
    return File(data=text, content_type=metrics.CONTENT_TYPE)


def describing(areas: Mapping[str, tuple[Route, ...]]) -> tuple[Route, ...]:
    """Give the routes for programs, which describe `areas` and themselves."""

    async def described(_asked: Asked[Nothing, Nothing]) -> File:
        """Describe every route of the table."""
        text = json.dumps(openapi.document({**areas, "For programs": routes}), ensure_ascii=False, indent=1)
        return File(data=text.encode(), content_type=JSON)

    routes = (
        get("/api/openapi.json", "This table for programs", described),
        get("/metrics", "Counters for Prometheus", measured),
    )
    return routes
