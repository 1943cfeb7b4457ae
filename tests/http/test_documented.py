"""What programs are told is what is executed: OpenAPI, statuses, counters."""

import json
import re

import pytest

from ems_admin.http.openapi import document
from ems_admin.http.routes import AREAS, TABLE
from ems_admin.http.statuses import BY_STATUS, status_of
from ems_admin.machines.codes import Code
from tests.http.served import Scene

# Written by hand from the contract; the others are 409.
STATUSES = {
    Code.MALFORMED_BODY: 400,
    Code.CREDENTIAL_STAGING_FAILED: 400,
    Code.TRANSITION_STATE_WRITE_FAILED: 400,
    Code.NOT_AUTHENTICATED: 401,
    Code.CSRF_FAILED: 403,
    Code.INVALID_PASSWORD: 403,
    Code.NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.SITE_LOCKED: 409,
    Code.SETUP_PREVIEW_MISMATCH: 409,
    Code.CONFIG_COMMIT_UNPROVABLE: 409,
    Code.BODY_TOO_LARGE: 413,
    Code.VALIDATION_FAILED: 422,
    Code.RATE_LIMITED: 429,
    Code.STATE_COMMIT_UNPROVABLE: 500,
    Code.ABANDON_CLEANUP_INCOMPLETE: 500,
    Code.SERVICE_MANAGER_UNREACHABLE: 503,
    Code.RELEASE_SOURCE_UNREACHABLE: 503,
}


@pytest.mark.parametrize(("code", "status"), STATUSES.items())
def test_a_code_has_the_status_of_the_contract(code: Code, status: int) -> None:
    """`site.md` 1; D5."""
    assert status_of(code) == status


def test_no_code_has_two_statuses() -> None:
    """`site.md` 1."""
    named = [code for codes in BY_STATUS.values() for code in codes]
    assert len(named) == len(set(named)) == 37


def test_every_route_is_described_with_what_it_demands() -> None:
    paths = document(AREAS)["paths"]
    assert {(path, method) for path, routes in paths.items() for method in routes} == {
        (route.path, route.method.lower()) for route in TABLE
    }
    write = paths["/api/setup/config/write"]["post"]
    assert write["x-authority"]["claim"] == "config_write"
    body = write["requestBody"]["content"]["application/json"]["schema"]
    assert body["additionalProperties"] is False
    assert set(body["required"]) == {
        *("devices", "supported_grid_meter_count", "features"),
        *("mqtt_proposals", "mqtt_broker", "mqtt_manual_devices"),
    }
    assert "wallbox" not in json.dumps(body)
    assert body["properties"]["devices"]["items"]["properties"]["role"]["enum"] == ["battery", "inverter", "grid_meter"]


async def test_the_description_and_the_counters_are_for_whoever_is_signed_in(site: Scene) -> None:
    assert (await site.browser().get("/api/openapi.json")).error == (401, "not_authenticated")
    browser = await site.person()
    assert (await browser.get("/api/openapi.json")).json["openapi"] == "3.1.0"
    await browser.get("/api/admin/jobs")
    text = (await browser.get("/metrics")).data.decode()
    counted = re.search(r'ems_admin_requests_total\{method="GET",route="/api/admin/jobs",status="200"\} (\d)', text)
    assert counted is not None
    assert int(counted[1]) == 1
    assert 'ems_admin_machine_state{machine="work",state="free"} 1.0' in text


async def test_health_tells_each_part_and_a_broken_one_from_the_others(
    site: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await site.browser().get("/api/admin/health")).json
    assert whole["admin_instance_id"] == site.house.instance_id
    assert {whole["checks"][name] for name in ("read_model", "events", "records")} == {"ok"}

    async def broken(*_: object) -> None:
        raise OSError("no such luck")

    site.house.startup.passed = False
    monkeypatch.setattr(type(site.house.installation), "free_bytes", broken)
    part = (await site.browser().get("/api/admin/health")).json["checks"]
    assert (part["read_model"], part["records"], part["events"]) == ("failed", "failed", "ok")
