"""No route changes anything without an authority, and the demands are those of the matrix (seed 000 2.4, 5.5)."""

import pytest

from ems_admin.http.page import PATH, page
from ems_admin.http.route import Authority, Method, Outside, Route
from ems_admin.http.routes import TABLE
from ems_admin.workflows.authority import AuthorityRow
from ems_admin.workflows.caller import Scope
from tests.house.tracked import ROOT
from tests.http.names import name_of

# What a route demands, in the order of its checks, and the work that it claims. Written by hand, never derived.
MATRIX: dict[str, tuple[str, str | None]] = {
    "/api/setup/config-preview": ("workflow not_ending admin_stays", None),
    "/api/setup/config/write": ("workflow claim ownership preview resources target", "config_write"),
    "/api/setup/config/apply": ("workflow claim ownership preview resources target", "config_apply"),
    "/api/setup/deployment/prepare": ("workflow claim ownership resources artifact", "deployment_prepare"),
    "/api/setup/deployment/start": ("workflow claim ownership resources artifact", "deployment_start"),
    "/api/setup/deployment/repair-permissions": (
        "workflow claim ownership resources artifact",
        "permission_repair",
    ),
    "/api/setup/deployment/resolve-container-conflict": (
        "workflow claim ownership resources artifact",
        "container_conflict_resolution",
    ),
    "/api/setup/abandon": ("workflow claim ownership", "abandon"),
    "/api/setup/system-build/supersede": ("workflow claim ownership", "supersede"),
    "/api/setup/cleanup/disown": ("workflow claim admin_stays confirmation", "cleanup_disown"),
    "/api/setup/system-build/update-admin": ("workflow claim ownership intent", "system_build_update_admin"),
    "/api/setup/system-build/confirm": ("workflow claim ownership intent", "system_build_confirm"),
    "/api/setup/releases/prepare": ("workflow claim ownership intent", "setup_release_prepare"),
    "/api/setup/automated/releases/prepare": ("workflow claim ownership intent", "setup_release_prepare"),
    "/api/admin/system-alignment/resume": ("operation claim", "transition_resume"),
    "/api/admin/system-alignment/cancel": ("operation confirmation claim", "transition_cancel"),
    "/api/admin/system-alignment/return-to-running-build": ("claim operation confirmation", "build_return"),
    "/api/admin/system-alignment/verify-resources": ("operation claim", "transition_resume"),
    "/api/admin/maintenance/config/apply": ("confirmation no_transition claim target", "maintenance_config"),
    "/api/admin/maintenance/upgrade/execute": ("confirmation claim plan no_transition", "guided_upgrade"),
    "/api/admin/maintenance/upgrade/resume": ("operation claim", "guided_upgrade"),
    "/api/admin/maintenance/admin-update/plan": ("admin_stays", None),
    "/api/admin/maintenance/admin-update/execute": ("confirmation claim operation", "admin_update"),
    "/api/admin/maintenance/admin-update/resume": ("operation claim", "transition_resume"),
    "/api/admin/maintenance/backups/create": ("confirmation admin_stays claim", "backup_create"),
    "/api/admin/maintenance/backups/delete": ("confirmation admin_stays target", None),
    "/api/admin/maintenance/backups/retention": ("confirmation admin_stays", None),
    "/api/admin/maintenance/backups/upload": ("confirmation admin_stays", None),
    "/api/admin/maintenance/backups/restore/execute": ("confirmation no_transition claim target", "backup_restore"),
    "/api/admin/maintenance/containers/{service}/start": (
        "confirmation no_transition claim target",
        "container_action",
    ),
    "/api/admin/maintenance/containers/{service}/stop": ("confirmation no_transition claim target", "container_action"),
    "/api/admin/maintenance/containers/{service}/restart": (
        "confirmation no_transition claim target",
        "container_action",
    ),
    "/api/admin/maintenance/mqtt/migration-apply": (
        "confirmation no_transition claim target",
        "maintenance_config",
    ),
    "/api/admin/config/migrate-legacy": ("confirmation no_transition claim target", "maintenance_config"),
}
OUTSIDE: dict[str, Outside] = {
    "/api/admin/auth/setup": Outside.SIGNS_IN,
    "/api/admin/auth/login": Outside.SIGNS_IN,
    "/api/admin/auth/logout": Outside.SIGNS_IN,
    "/api/admin/auth/refresh": Outside.SIGNS_IN,
    "/api/admin/jobs/{id}/cancel": Outside.STOPS,
    "/api/admin/start-path": Outside.BEGINS,
    "/api/admin/workflow-lifecycle/switch/preview": Outside.LOOKS,
    "/api/admin/workflow-lifecycle/switch": Outside.ARBITRATES,
    "/api/admin/workflow-lifecycle/recovery/preview": Outside.LOOKS,
    "/api/admin/workflow-lifecycle/recovery": Outside.ARBITRATES,
    "/api/admin/system-alignment/validate": Outside.LOOKS,
    "/api/admin/maintenance/config/preview": Outside.LOOKS,
    "/api/admin/maintenance/diagnostics/run": Outside.LOOKS,
    "/api/admin/maintenance/backups/inspect": Outside.LOOKS,
    "/api/admin/maintenance/backups/diff": Outside.LOOKS,
    "/api/admin/maintenance/backups/restore/preview": Outside.LOOKS,
    "/api/admin/maintenance/upgrade/validate": Outside.LOOKS,
    "/api/admin/maintenance/upgrade/plan": Outside.LOOKS,
    "/api/setup/config-preview/validate": Outside.LOOKS,
    "/api/setup/config/download": Outside.LOOKS,
    "/api/setup/config/merge": Outside.LOOKS,
    "/api/admin/maintenance/config/merge": Outside.LOOKS,
    "/api/admin/maintenance/config/prepare-return": Outside.LOOKS,
}

ACTS = tuple(route for route in TABLE if route.method is not Method.GET)


def unaccounted(routes: tuple[Route, ...]) -> list[str]:
    """Name the routes that may change something and that no line above speaks of."""
    return [route.path for route in routes if route.method is not Method.GET and route.path not in MATRIX | OUTSIDE]


def spelled(authority: Authority) -> tuple[str, str | None]:
    assert isinstance(authority, AuthorityRow)
    return " ".join(authority.demands), authority.claim


def test_every_act_has_its_line_here() -> None:
    assert unaccounted(TABLE) == []
    assert sorted(route.path for route in ACTS) == sorted(MATRIX | OUTSIDE)


def test_an_act_without_a_line_would_be_found() -> None:
    stranger = Route(method=Method.POST, path="/api/setup/x", summary="", call=ACTS[0].call, authority=Outside.LOOKS)
    assert unaccounted((*TABLE, stranger)) == ["/api/setup/x"]


@pytest.mark.parametrize("route", [route for route in ACTS if route.path in MATRIX], ids=name_of)
def test_the_demands_stand_in_the_order_of_the_matrix(route: Route) -> None:
    demands, claim = MATRIX[route.path]
    assert spelled(route.authority) == (demands, claim)


@pytest.mark.parametrize("route", [route for route in ACTS if route.path in OUTSIDE], ids=name_of)
def test_whoever_demands_nothing_says_why(route: Route) -> None:
    assert route.authority is OUTSIDE[route.path]


def test_every_act_below_the_setup_that_changes_something_demands_the_workflow() -> None:
    changing = [route for route in ACTS if route.path.startswith("/api/setup/") and route.mutates]
    assert len(changing) == 14
    assert [route.path for route in changing if not spelled(route.authority)[0].startswith("workflow ")] == []


def test_no_act_is_open_to_whoever_may_only_read() -> None:
    open_to_readers = {route.path for route in ACTS if not route.public and route.scope is Scope.READ}
    assert open_to_readers == {"/api/admin/auth/logout", "/api/admin/auth/refresh"}


def test_only_sign_in_and_health_are_public() -> None:
    """`site.md` 1."""
    public = {route.path for route in TABLE if route.public}
    assert public == {"/api/admin/health", *(f"/api/admin/auth/{word}" for word in ("status", "setup", "login"))}


def test_no_path_is_declared_twice() -> None:
    asked = [(route.method, route.path) for route in TABLE]
    assert len(asked) == len(set(asked))


def test_the_page_of_the_routes_is_made_from_this_table() -> None:
    assert (ROOT / PATH).read_text(encoding="utf-8") == page(), "run `make diagrams`"
    assert "workflow → claim `config_write` → ownership → preview → resources → target" in page()
