"""The order of the checks, for every act: session, origin and CSRF, scope, body, and only then its authority.

Each request below is wrong in every way that comes later, so that the answer tells which check came first.
"""

import re

import pytest
from attrs import evolve

from ems_admin.http.route import Method, Nothing, Outside, Route
from ems_admin.http.routes import TABLE
from ems_admin.workflows.caller import Caller, Scope
from tests.http.browser import Browser
from tests.http.names import name_of
from tests.http.served import Scene

ACTS = tuple(route for route in TABLE if route.method is not Method.GET and not route.public)
WITH_BODY = tuple(route for route in ACTS if route.body is not Nothing)
WITH_AUTHORITY = tuple(route for route in ACTS if not isinstance(route.authority, Outside))

ABROAD = {"Origin": "http://evil.example"}
GARBAGE = b"{not json"


def path_of(route: Route) -> str:
    return re.sub(r"\{\w+\}", "nobody", route.path)


@pytest.mark.parametrize("route", ACTS, ids=name_of)
async def test_the_checks_come_in_their_order(site: Scene, route: Route) -> None:
    before_anybody = site.browser()
    assert (await before_anybody.ask("POST", path_of(route), GARBAGE, ABROAD)).error == (401, "not_authenticated")

    browser = await site.person()
    held = site.state()
    token = {"X-CSRF-Token": browser.csrf or ""}
    assert (await browser.ask("POST", path_of(route), GARBAGE, ABROAD)).error == (403, "origin_rejected")
    assert (await browser.ask("POST", path_of(route), GARBAGE)).error == (403, "csrf_failed")
    wrong = {"X-CSRF-Token": "x" * 43}
    assert (await browser.ask("POST", path_of(route), GARBAGE, wrong)).error == (403, "csrf_failed")
    assert (await browser.ask("POST", path_of(route), GARBAGE, token)).error == (400, "malformed_body")
    assert site.state() == held


@pytest.mark.parametrize("route", [route for route in ACTS if route.scope is not Scope.READ], ids=name_of)
async def test_whoever_may_only_look_is_told_so_before_the_body_is_read(
    site: Scene, route: Route, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await site.person()
    reader = Caller(session="reader", token=None, scope=Scope.READ)
    (session,) = site.desk.sessions.kept.values()
    monkeypatch.setattr(type(session), "caller", property(lambda _session: reader))
    token = {"X-CSRF-Token": browser.csrf or ""}
    assert (await browser.ask("POST", path_of(route), GARBAGE)).error == (403, "csrf_failed")
    assert (await browser.ask("POST", path_of(route), GARBAGE, token)).error == (403, "scope_insufficient")
    assert evolve(reader, scope=route.scope).scope == route.scope


NO_REQUESTS = (
    (b"", "malformed_body"),
    (b"[]", "malformed_body"),
    (b'"text"', "malformed_body"),
    (b'{"a":1,"a":2}', "malformed_body"),
    (b"\xff\xfe", "malformed_body"),
    (b'{"nobody_knows_this": 1}', "unsupported_field"),
)


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
async def test_a_body_that_is_no_request_gets_no_further(browser: Browser, route: Route) -> None:
    token = {"X-CSRF-Token": browser.csrf or ""}
    for body, error in NO_REQUESTS:
        assert (await browser.ask("POST", path_of(route), body, token)).error == (400, error), body


@pytest.mark.parametrize("route", ACTS, ids=name_of)
async def test_size_path_and_method_are_told_apart(browser: Browser, route: Route) -> None:
    token = {"X-CSRF-Token": browser.csrf or ""}
    answer = await browser.ask("POST", path_of(route), b" " * (route.limit + 1), token)
    assert answer.error == (413, "body_too_large")
    assert (await browser.ask("DELETE", path_of(route))).error == (405, "method_not_allowed")
    assert (await browser.ask("DELETE", f"{path_of(route)}/further")).error == (404, "not_found")


@pytest.mark.parametrize("route", WITH_AUTHORITY, ids=name_of)
async def test_a_start_up_check_that_has_not_passed_stands_before_any_authority(site: Scene, route: Route) -> None:
    """F11."""
    browser = await site.person()
    site.house.startup.passed = False
    answer = await browser.post(path_of(route), SOUND[route.path])
    assert answer.error == (409, "startup_check_failed")


DRAFT = {
    "devices": [],
    "supported_grid_meter_count": 0,
    "features": {},
    "mqtt_proposals": [],
    "mqtt_broker": {},
    "mqtt_manual_devices": [],
}
SOUND: dict[str, dict[str, object]] = {
    "/api/setup/config-preview": DRAFT,
    "/api/setup/config/write": DRAFT,
    "/api/setup/config/apply": DRAFT,
    "/api/setup/deployment/prepare": {},
    "/api/setup/deployment/start": {},
    "/api/setup/deployment/repair-permissions": {},
    "/api/setup/deployment/resolve-container-conflict": {
        "container_name": "ems",
        "action": "remove_stopped_and_continue",
    },
    "/api/setup/abandon": {},
    "/api/setup/system-build/supersede": {"tag": "v1"},
    "/api/setup/cleanup/disown": {},
    "/api/setup/system-build/update-admin": {"tag": "v1"},
    "/api/setup/system-build/confirm": {"tag": "v1"},
    "/api/setup/releases/prepare": {"tag": "v1"},
    "/api/setup/automated/releases/prepare": {"tag": "v1"},
    "/api/admin/system-alignment/resume": {},
    "/api/admin/system-alignment/verify-resources": {},
    "/api/admin/system-alignment/cancel": {},
    "/api/admin/system-alignment/return-to-running-build": {},
    "/api/admin/maintenance/config/apply": {"draft": {}},
    "/api/admin/maintenance/upgrade/execute": {"tag": "v1"},
    "/api/admin/maintenance/upgrade/resume": {},
    "/api/admin/maintenance/admin-update/plan": {"tag": "v1"},
    "/api/admin/maintenance/admin-update/execute": {},
    "/api/admin/maintenance/admin-update/resume": {},
    "/api/admin/maintenance/backups/create": {},
    "/api/admin/maintenance/backups/delete": {},
    "/api/admin/maintenance/backups/retention": {},
    "/api/admin/maintenance/backups/upload": {},
    "/api/admin/maintenance/backups/restore/execute": {},
    "/api/admin/maintenance/containers/{service}/start": {},
    "/api/admin/maintenance/containers/{service}/stop": {},
    "/api/admin/maintenance/containers/{service}/restart": {},
    "/api/admin/maintenance/mqtt/migration-apply": {},
    "/api/admin/config/migrate-legacy": {},
}
"""A body that its route decodes, and that names nobody."""
OTHERS = {
    "/api/admin/maintenance/upgrade/resume": (409, "no_guided_upgrade_transition"),
    "/api/admin/maintenance/admin-update/plan": (409, "system_build_unknown"),
    "/api/admin/maintenance/admin-update/resume": (409, "no_transition"),
}
"""What a request meets that names nobody, where neither a workflow nor a person's yes comes first."""


@pytest.mark.parametrize("route", WITH_AUTHORITY, ids=name_of)
async def test_a_request_that_names_nobody_meets_its_authority_first(browser: Browser, route: Route) -> None:
    wanted = (409, "setup_workflow_required")
    if route.path in OTHERS:
        wanted = OTHERS[route.path]
    elif route.path.startswith("/api/admin/"):
        wanted = (409, "no_transition") if "system-alignment" in route.path else (400, "confirmation_required")
    assert (await browser.post(path_of(route), SOUND[route.path])).error == wanted


async def test_the_field_that_does_not_fit_is_named(browser: Browser) -> None:
    answer = await browser.post("/api/setup/config-preview/validate", {**DRAFT, "devices": [{"role": "windmill"}]})
    assert answer.status == 400
    assert answer.json["detail"].startswith("/devices/0/")
    count = await browser.post("/api/admin/start-path", {"choice": "neither"})
    assert (count.error, count.json["detail"]) == ((400, "unsupported_value"), "/choice")
