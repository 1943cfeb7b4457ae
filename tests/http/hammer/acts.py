"""One request for every route that can change something, made of what the crowd knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.http.browser import PASSWORD
from tests.http.hammer.known import Known

Asking = Callable[[Known], dict[str, Any]]


def choosing(known: Known) -> dict[str, Any]:
    return {"tag": known.tag(), "setup_workflow_id": known.one("workflow")}


def choosing_own(known: Known) -> dict[str, Any]:
    """Never another build: this crowd does not replace the very server that it hammers."""
    return {"tag": known.own_tag, "setup_workflow_id": known.one("workflow")}


def workflow(known: Known) -> dict[str, Any]:
    return {"setup_workflow_id": known.one("workflow")}


def mutation(known: Known) -> dict[str, Any]:
    return {
        "setup_workflow_id": known.one("workflow"),
        "config_preview_id": known.one("preview"),
        "overwrite": True,
        **drawn(known),
    }


def drawn(known: Known) -> dict[str, Any]:
    """Give one of two drafts, so that a preview of the one meets the other."""
    if known.random.random() < 0.8 or not known.draft.get("features"):
        return known.draft
    features = dict(known.draft["features"])
    name = next(iter(features))
    return {**known.draft, "features": {**features, name: not features[name]}}


def operation(known: Known) -> dict[str, Any]:
    return {"operation_id": known.one("operation")}


def confirmed(known: Known) -> dict[str, Any]:
    return {**operation(known), "confirm": True}


def deciding(known: Known) -> dict[str, Any]:
    return {"confirm": True, "fingerprint": known.one("fingerprint")}


def target(known: Known) -> dict[str, Any]:
    return {"target": known.random.choice(("guided_setup", "guided_upgrade", "none"))}


def maintained(known: Known) -> dict[str, Any]:
    return {"draft": {}, "revision": known.one("revision"), "confirm": True}


def upgrading(known: Known) -> dict[str, Any]:
    """Never a plan that holds: this crowd does not replace the very server that it hammers."""
    return {"tag": known.own_tag, "selection_fingerprint": known.one("fingerprint"), "confirm": True}


def updating(_known: Known) -> dict[str, Any]:
    """Never a plan that is on record, for the same reason."""
    return {"plan_id": "nobody", "confirm": True}


ACTS: Mapping[str, Asking] = {
    "/api/admin/auth/setup": lambda _known: {"password": PASSWORD, "confirm_password": PASSWORD},
    "/api/admin/auth/login": lambda _known: {"password": PASSWORD},
    "/api/admin/auth/logout": lambda _known: {},
    "/api/admin/auth/refresh": lambda _known: {},
    "/api/admin/jobs/{id}/cancel": lambda _known: {},
    "/api/admin/start-path": lambda _known: {"choice": "setup_new", "confirm": True},
    "/api/admin/system-alignment/resume": operation,
    "/api/admin/maintenance/upgrade/execute": upgrading,
    "/api/admin/maintenance/upgrade/resume": operation,
    "/api/admin/maintenance/admin-update/plan": lambda known: {"tag": known.tag()},
    "/api/admin/maintenance/admin-update/execute": updating,
    "/api/admin/maintenance/admin-update/resume": operation,
    "/api/admin/system-alignment/verify-resources": operation,
    "/api/admin/system-alignment/cancel": confirmed,
    "/api/admin/system-alignment/return-to-running-build": confirmed,
    "/api/admin/workflow-lifecycle/switch": lambda known: {**target(known), **deciding(known)},
    "/api/admin/workflow-lifecycle/recovery": lambda known: {
        "mode": known.random.choice(("safe", "release_stale_state")),
        "reason": "hammered",
        **deciding(known),
    },
    "/api/setup/config-preview": lambda known: {**workflow(known), **drawn(known)},
    "/api/setup/config/write": mutation,
    "/api/setup/config/apply": mutation,
    "/api/setup/deployment/prepare": lambda known: {**workflow(known), "overwrite": True},
    "/api/setup/deployment/start": workflow,
    "/api/setup/deployment/repair-permissions": workflow,
    "/api/setup/deployment/resolve-container-conflict": lambda known: {
        **workflow(known),
        "container_name": "ems",
        "action": "remove_stopped_and_continue",
    },
    "/api/setup/abandon": workflow,
    "/api/setup/cleanup/disown": lambda known: {**workflow(known), "confirm": True, "reason": "hammered"},
    "/api/setup/system-build/supersede": choosing_own,
    "/api/setup/system-build/confirm": choosing,
    "/api/setup/system-build/update-admin": choosing_own,
    "/api/setup/releases/prepare": choosing,
    "/api/setup/automated/releases/prepare": choosing,
    "/api/admin/maintenance/config/apply": maintained,
    "/api/admin/maintenance/containers/{service}/start": lambda _known: {"confirm": True},
    "/api/admin/maintenance/containers/{service}/stop": lambda _known: {"confirm": True},
    "/api/admin/maintenance/containers/{service}/restart": lambda _known: {"confirm": True},
    "/api/admin/maintenance/mqtt/migration-apply": lambda known: {"revision": known.one("revision"), "confirm": True},
    "/api/admin/maintenance/backups/create": lambda _known: {"confirm": True},
    "/api/admin/maintenance/backups/delete": lambda known: {"id": known.one("backup"), "confirm": True},
    "/api/admin/maintenance/backups/retention": lambda _known: {"keep": 2, "confirm": True},
    "/api/admin/maintenance/backups/upload": lambda _known: {"confirm": True},
    "/api/admin/maintenance/backups/restore/execute": lambda _known: {"plan_id": "nobody", "confirm": True},
    "/api/admin/config/migrate-legacy": lambda _known: {"confirm": True},
}
