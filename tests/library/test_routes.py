"""Every route has one method of the library, and the few that have none say why."""

from __future__ import annotations

import inspect
from operator import attrgetter

import pytest

from ems_admin.http.route import Method
from ems_admin.http.routes import TABLE
from ems_admin.library.looking import Looking
from ems_admin.site import Site

# By path the method that does the same. Written by hand, never derived.
METHODS = {
    "/api/admin/console": "console",
    "/api/admin/machines": "machines",
    "/api/admin/machines/{name}": "machine",
    "/api/admin/journal": "journal",
    "/api/admin/jobs": "jobs",
    "/api/admin/jobs/{id}": "job",
    "/api/admin/jobs/{id}/cancel": "cancel_job",
    "/api/admin/install-state": "install_state",
    "/api/admin/start-path": "setup.begin",
    "/api/admin/system-alignment/status": "operation.status",
    "/api/admin/system-alignment/validate": "operation.validate",
    "/api/admin/system-alignment/resume": "operation.resume",
    "/api/admin/system-alignment/verify-resources": "operation.verify_resources",
    "/api/admin/system-alignment/return-to-running-build": "operation.return_to_running_build",
    "/api/admin/system-alignment/cancel": "operation.cancel",
    "/api/admin/workflow-lifecycle": "lifecycle.view",
    "/api/admin/workflow-lifecycle/switch/preview": "lifecycle.preview_switch",
    "/api/admin/workflow-lifecycle/switch": "lifecycle.switch",
    "/api/admin/workflow-lifecycle/recovery/preview": "lifecycle.preview_recovery",
    "/api/admin/workflow-lifecycle/recovery": "lifecycle.recover",
    "/api/setup/workflow": "setup.workflow",
    "/api/setup/releases": "setup.releases",
    "/api/setup/system-build/update-admin": "setup.update_admin",
    "/api/setup/system-build/confirm": "setup.confirm_build",
    "/api/setup/releases/prepare": "setup.prepare_build",
    "/api/setup/automated/releases/prepare": "setup.prepare_build",
    "/api/setup/system-build/supersede": "setup.supersede",
    "/api/setup/abandon": "setup.abandon",
    "/api/setup/cleanup/disown": "setup.disown",
    "/api/setup/config/schema": "setup.config_form",
    "/api/setup/config/status": "setup.config_status",
    "/api/setup/config-preview": "setup.preview_config",
    "/api/setup/config-preview/validate": "setup.check_config",
    "/api/setup/config/download": "setup.download_config",
    "/api/setup/config/merge": "setup.merge_config",
    "/api/setup/config/write": "setup.write_config",
    "/api/setup/config/apply": "setup.apply_config",
    "/api/setup/deployment/plan": "setup.deployment_plan",
    "/api/setup/deployment/status": "setup.deployment_status",
    "/api/setup/deployment/jobs/{id}": "job",
    "/api/setup/deployment/prepare": "setup.prepare_deployment",
    "/api/setup/deployment/start": "setup.start_deployment",
    "/api/setup/deployment/repair-permissions": "setup.repair_permissions",
    "/api/setup/deployment/resolve-container-conflict": "setup.resolve_container_conflict",
    "/api/admin/maintenance/overview": "maintenance.overview",
    "/api/admin/maintenance/config": "maintenance.config",
    "/api/admin/maintenance/config/preview": "maintenance.preview_config",
    "/api/admin/maintenance/config/apply": "maintenance.apply_config",
    "/api/admin/maintenance/config/schema": "config.schema",
    "/api/admin/maintenance/config/history": "config.history",
    "/api/admin/maintenance/config/history/{revision}": "config.revision",
    "/api/admin/maintenance/config/prepare-return": "config.prepare_return",
    "/api/admin/maintenance/config/merge": "config.merge",
    "/api/admin/maintenance/mqtt/migration-review": "config.review_mqtt_migration",
    "/api/admin/maintenance/mqtt/migration-apply": "config.migrate_mqtt",
    "/api/admin/config/migrate-legacy": "maintenance.migrate_legacy",
    "/api/admin/maintenance/containers": "containers.listed",
    "/api/admin/maintenance/containers/{service}/logs": "containers.log",
    "/api/admin/maintenance/containers/{service}/start": "containers.start",
    "/api/admin/maintenance/containers/{service}/stop": "containers.stop",
    "/api/admin/maintenance/containers/{service}/restart": "containers.restart",
    "/api/admin/maintenance/diagnostics/run": "maintenance.run_diagnostics",
    "/api/admin/maintenance/backups": "backups.list",
    "/api/admin/maintenance/backups/{id}/download": "backups.download",
    "/api/admin/maintenance/backups/create": "backups.create",
    "/api/admin/maintenance/backups/inspect": "backups.inspect",
    "/api/admin/maintenance/backups/diff": "backups.diff",
    "/api/admin/maintenance/backups/delete": "backups.delete",
    "/api/admin/maintenance/backups/retention": "backups.keep_at_most",
    "/api/admin/maintenance/backups/upload": "backups.take_in",
    "/api/admin/maintenance/backups/restore/preview": "backups.preview_restore",
    "/api/admin/maintenance/backups/restore/execute": "backups.restore",
    "/api/admin/maintenance/upgrade/validate": "maintenance.validate_upgrade",
    "/api/admin/maintenance/upgrade/plan": "maintenance.plan_upgrade",
    "/api/admin/maintenance/upgrade/execute": "upgrade.execute",
    "/api/admin/maintenance/upgrade/resume": "upgrade.resume",
    "/api/admin/maintenance/admin-update/plan": "admin_update.plan",
    "/api/admin/maintenance/admin-update/execute": "admin_update.execute",
    "/api/admin/maintenance/admin-update/status": "admin_update.status",
    "/api/admin/maintenance/admin-update/resume": "admin_update.resume",
}
OF_THE_TRANSPORT = {
    "/api/admin/auth/status": "who is signed in is a question of the browser",
    "/api/admin/auth/setup": "an importer has no password to choose",
    "/api/admin/auth/login": "nor to give",
    "/api/admin/auth/logout": "nor a session to end",
    "/api/admin/auth/refresh": "or to keep",
    "/api/admin/health": "it says whether the server works",
    "/api/admin/events": "hints for open pages",
    "/api/openapi.json": "it describes the routes",
    "/metrics": "it counts requests",
}


def test_every_route_is_accounted_for() -> None:
    paths = {route.path for route in TABLE}
    assert paths - METHODS.keys() - OF_THE_TRANSPORT.keys() == set()
    assert METHODS.keys() | OF_THE_TRANSPORT.keys() == paths


@pytest.mark.parametrize("path", METHODS)
def test_the_method_is_there_and_says_what_it_promises(path: str) -> None:
    method = _method(Site, METHODS[path])
    assert inspect.getdoc(method), METHODS[path]


@pytest.mark.parametrize("route", [route for route in TABLE if route.path in METHODS], ids=lambda route: route.path)
def test_a_site_that_is_only_read_has_no_method_that_changes_it(route: object) -> None:
    path, mutates = route.path, route.mutates or route.method is not Method.GET  # type: ignore[attr-defined]
    looks = path.endswith(
        (
            "/preview",
            "/validate",
            "/download",
            "/upgrade/plan",
            "/config/merge",
            "/prepare-return",
            "/backups/inspect",
            "/backups/diff",
        )
    )
    assert _has(Looking, METHODS[path]) is (looks or not mutates)


def _method(kind: type, name: str) -> object:
    room, _, last = name.rpartition(".")
    if room:
        kind = inspect.signature(attrgetter(f"{room}.fget")(kind), eval_str=True).return_annotation
    return getattr(kind, last)


def _has(kind: type, name: str) -> bool:
    try:
        _method(kind, name)
    except AttributeError:
        return False
    return True
