"""From an empty machine to a healthy EMS, over a real socket; and looking never changes anything (F02)."""

import pytest

from ems_admin.http.route import Method
from ems_admin.http.routes import TABLE
from tests.http.browser import Browser, Setup
from tests.http.served import Scene

VIEWS = tuple(
    route.path.replace("{name}", "guided_setup").replace("{id}", "0000000000000000")
    for route in TABLE
    if route.method is Method.GET and not route.path.endswith("/events")
)


async def look_at_everything(site: Scene, browser: Browser) -> None:
    """Ask every GET, and compare every byte, inode and time of the site before and after it."""
    assert len(VIEWS) > 15
    await site.house.journal.after(0)  # what was told before is written down a moment later
    for path in (*VIEWS, "/", "/setup", "/icon.svg"):
        before = site.tree()
        answer = await browser.get(path)
        assert answer.status < 500, (path, answer.data)
        assert site.tree() == before, path


async def test_a_person_reaches_a_healthy_ems_and_no_look_changes_a_byte(site: Scene, setup: Setup) -> None:
    browser = setup.browser
    await look_at_everything(site, browser)

    begun = await setup.begin()
    assert (begun.status, begun.json["route"], begun.json["state"]) == (200, "setup", "none")
    looked = (await browser.post("/api/admin/system-alignment/validate", {"tag": setup.tag})).json
    assert all(looked["checks"].values())
    assert looked["action_state"]["continue_allowed"] is True

    job = await setup.build()
    assert [step["status"] for step in job["steps"]] == ["succeeded"] * len(job["steps"])
    await look_at_everything(site, browser)

    previewed = (await setup.preview()).json
    assert previewed["validation"] == {"ready": True, "errors": []}
    assert previewed["diff"]["removed"] == []
    written = await setup.write()
    assert (written.status, written.json["config_preview_id"]) == (200, setup.preview_id)
    assert not (site.root / "config" / "config.json").exists()
    await look_at_everything(site, browser)

    prepared = await browser.ended(await setup.prepare())
    assert prepared["status"] == "succeeded", prepared
    assert (site.root / "config" / "config.json").exists()

    started = await browser.ended(await setup.start())
    assert started["status"] == "succeeded", started
    await look_at_everything(site, browser)

    console = (await browser.get("/api/admin/console")).json
    assert console["setup"]["status"] == "completed"
    assert console["machines"]["system_alignment"] == "completed"
    assert console["deployment"]["state"] == "running"
    assert [service["health"] for service in console["deployment"]["services"]] == ["healthy"]
    assert console["known_good"]["system_tag"] == setup.tag


async def test_a_direct_apply_makes_the_live_config_and_uses_the_preview_up(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    applied = await setup.browser.post("/api/setup/config/apply", setup.mutation)
    assert applied.status == 200, applied.data
    live = site.root / "config" / "config.json"
    assert live.exists()
    assert (await setup.browser.get("/api/setup/config/status")).json["live"] == applied.json["revision"]
    again = await setup.browser.post("/api/setup/config/apply", {**setup.mutation, "overwrite": True})
    assert again.error == (409, "setup_preview_required")


async def test_a_draft_can_be_taken_home_as_the_bytes_that_were_shown(setup: Setup) -> None:
    await setup.to_preview()
    file = await setup.browser.post("/api/setup/config/download", setup.draft)
    assert file.status == 200
    assert file.headers["Content-Disposition"] == 'attachment; filename="config.json"'
    written = await setup.write()
    status = (await setup.browser.get("/api/setup/config/status")).json
    assert status["generated"] == written.json["revision"]
    assert file.json["devices"]


async def test_a_device_is_called_what_its_owner_calls_it(setup: Setup) -> None:
    """F06."""
    await setup.begin()
    await setup.build()
    first, *others = setup.draft["devices"]
    setup.draft["devices"] = [{**first, "config_name": "Küche 🔋"}, *others]
    assert (await setup.preview()).json["ready"]
    file = await setup.browser.post("/api/setup/config/download", setup.draft)
    assert "Küche 🔋".encode() in file.data


async def test_limits_that_leave_a_battery_no_room_are_told_before_the_ems_refuses_them(setup: Setup) -> None:
    await setup.begin()
    await setup.build()
    battery = next(item for item in setup.draft["devices"] if item["role"] == "battery")
    answer = await setup.preview(
        devices=[
            *setup.draft["devices"],
            {**battery, "config_name": "b", "serial_number": "b", "min_soc": 50, "max_soc": 50},
        ]
    )
    (error,) = answer.json["validation"]["errors"]
    assert error["pointer"].endswith("/min_soc")


async def test_a_draft_that_is_not_ready_is_told_field_by_field_and_takes_the_preview_back(setup: Setup) -> None:
    await setup.to_preview()
    twice = [*setup.draft["devices"], setup.draft["devices"][0]]
    answer = await setup.preview(devices=twice)
    assert answer.status == 200
    assert answer.json["ready"] is False
    assert "device_identity_duplicate" in {entry["code"] for entry in answer.json["validation"]["errors"]}
    assert "config_preview_id" not in answer.json
    assert (await setup.browser.get("/api/setup/workflow")).json["workflow"]["preview"] is None
    refused = await setup.browser.post("/api/setup/config/download", {**setup.draft, "devices": twice})
    assert refused.error == (422, "validation_failed")
    assert refused.json["errors"][0]["pointer"].startswith("/devices/")


async def test_a_validation_issues_nothing(setup: Setup) -> None:
    """`seed 000` 2.3."""
    await setup.begin()
    await setup.build()
    answer = await setup.browser.post("/api/setup/config-preview/validate", setup.draft)
    assert answer.json["ready"] is True
    assert "config_preview_id" not in answer.json
    assert (await setup.browser.get("/api/setup/workflow")).json["workflow"]["preview"] is None


async def test_a_discarded_setup_leaves_nothing_behind_and_can_be_discarded_twice(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    await setup.write()
    body = {"setup_workflow_id": setup.workflow_id}
    ended = await setup.browser.post("/api/setup/abandon", body)
    assert ended.status == 200, ended.data
    assert ended.json["workflow"]["status"] == "abandoned"
    assert ended.json["transition"]["stage"] == "cancelled"
    assert list((site.root / "admin" / "workflows").rglob("config.json")) == []
    assert (await setup.browser.post("/api/setup/abandon", body)).status == 200


@pytest.mark.parametrize(
    "path", ["/api/admin/jobs/nobody", "/api/setup/deployment/jobs/nobody", "/api/admin/machines/x"]
)
async def test_what_nobody_knows_is_not_found(browser: Browser, path: str) -> None:
    assert (await browser.get(path)).error == (404, "not_found")


async def test_a_release_job_is_no_deployment_job(setup: Setup) -> None:
    await setup.begin()
    job = await setup.build()
    assert (await setup.browser.get(f"/api/setup/deployment/jobs/{job['id']}")).error == (404, "not_found")
