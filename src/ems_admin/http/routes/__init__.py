"""The route table: one area a file, put together in the order in which a person meets them."""

from __future__ import annotations

from typing import Final

from ems_admin.http.route import Route
from ems_admin.http.routes import (
    access,
    admin_update,
    alignment,
    backups,
    builds,
    config,
    containers,
    deployment,
    diagnostics,
    lifecycle,
    maintenance,
    maintenance_config,
    upgrade,
    views,
)
from ems_admin.http.routes.programs import describing
from ems_admin.http.shown.ways import open_ways

PEOPLE: Final = {
    "Access": access.ROUTES,
    "Views": views.ROUTES,
    "Start path, alignment, lifecycle": (*alignment.ROUTES, *lifecycle.ROUTES),
    "Guided Setup: the build": builds.ROUTES,
    "Guided Setup: the configuration": config.ROUTES,
    "Guided Setup: the deployment": deployment.ROUTES,
    "Maintenance": (*maintenance.ROUTES, *maintenance_config.ROUTES, *containers.ROUTES, *diagnostics.ROUTES),
    "Backups": backups.ROUTES,
    "Guided Upgrade": upgrade.ROUTES,
    "Admin update": admin_update.ROUTES,
}

AREAS: Final = {**PEOPLE, "For programs": describing(PEOPLE)}

TABLE: Final[tuple[Route, ...]] = tuple(route for routes in AREAS.values() for route in routes)

open_ways((str(route.method), route.path) for route in TABLE)
