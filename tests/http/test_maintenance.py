"""Maintenance and the upgrade gate, as a browser meets them (http.md 5.3, 5.6; F46)."""

from tests.http.browser import Browser, Setup
from tests.http.served import Scene

MAINTENANCE = "/api/admin/maintenance"


async def test_a_config_is_shown_edited_and_saved_over_its_own_revision(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    browser = setup.browser
    held = site.state()
    gate = await browser.post(f"{MAINTENANCE}/config/apply", {"draft": {}, "confirm": True})
    assert gate.error == (409, "system_transition_in_progress")
    closed = await browser.post(f"{MAINTENANCE}/upgrade/validate", {"tag": setup.tag})
    assert closed.error == (409, "setup_abandon_required")
    assert site.state() == held

    await setup.write()
    for asked in (setup.prepare, setup.start):
        assert (await browser.ended(await asked()))["status"] == "succeeded"
    seen = (await browser.get(f"{MAINTENANCE}/config")).json
    draft, old = seen["config"], seen["revision"]
    draft["system"]["max_total_power"] = 4321
    held = site.state()
    shown = (await browser.post(f"{MAINTENANCE}/config/preview", {"draft": draft})).json
    assert (shown["validation"], shown["changed"]) == ({"ready": True, "errors": []}, True)
    assert shown["diff"]["changed"] == [{"pointer": "/system/max_total_power", "before": 5000, "after": 4321}]
    assert site.state() == held

    body = {"draft": draft, "revision": old, "confirm": True}
    applied = await browser.post(f"{MAINTENANCE}/config/apply", body)
    assert (applied.status, applied.json["changed"]) == (200, True), applied.data
    assert applied.json["backup"].startswith("backups/config/")

    held = site.state()
    draft["system"]["max_total_power"] = 1234
    stale = await browser.post(f"{MAINTENANCE}/config/apply", body)
    assert stale.error == (409, "conflict")
    assert stale.json["revision"] == applied.json["revision"]
    assert stale.json["diff"]["changed"] == [{"pointer": "/system/max_total_power", "before": 4321, "after": 1234}]
    wrong = {"draft": {**draft, "system": {}}, "revision": applied.json["revision"], "confirm": True}
    refused = await browser.post(f"{MAINTENANCE}/config/apply", wrong)
    assert refused.error == (422, "validation_failed")
    assert {entry["code"] for entry in refused.json["errors"]} == {"schema_violation"}
    assert (await browser.post(f"{MAINTENANCE}/config/apply", {"draft": draft})).error == (400, "confirmation_required")
    assert site.state() == held

    glance = (await browser.get(f"{MAINTENANCE}/overview")).json
    assert (glance["installed"]["system_tag"], glance["state"]) == (setup.tag, "running")
    assert glance["next_update"]["selectable"] is True
    newer = glance["next_update"]["system_tag"]
    found = (await browser.post(f"{MAINTENANCE}/upgrade/validate", {"tag": newer})).json
    assert (found["selected_tag"], found["upgrade_direction"]) == (newer, "newer")
    assert found["current_admin"]["build_id"] == glance["installed"]["build_id"]
    await plans(site, browser, newer, found["action_state"]["selection_fingerprint"])
    same = await browser.post(f"{MAINTENANCE}/upgrade/validate", {"tag": setup.tag})
    assert (same.error, same.json["detail"]) == ((409, "upgrade_not_forward"), "same")


async def plans(site: Scene, browser: Browser, newer: str, fingerprint: str) -> None:
    """Plan the upgrade to what was verified, and the update of the Admin alone to the same build."""
    installed = (await browser.get(f"{MAINTENANCE}/overview")).json["installed"]["system_tag"]
    held = site.state()
    unseen = await browser.post(f"{MAINTENANCE}/upgrade/plan", {"tag": newer})
    assert unseen.error == (409, "system_build_verification_required")
    wish: dict[str, object] = {"tag": newer, "selection_fingerprint": fingerprint}
    plan = (await browser.post(f"{MAINTENANCE}/upgrade/plan", wish)).json
    away = {(part["kind"], part["name"]) for part in plan["interruptions"]}
    assert away == {("admin", "admin"), ("service", "ems")}
    assert [step["key"] for step in plan["steps"]][3:6] == ["backup", "admin", "handover"]
    assert (plan["validation"], plan["migration"]["required"]) == ({"ready": True, "errors": []}, False)
    assert 0 < plan["space"]["archive"] < plan["space"]["needed"] < plan["space"]["free"]
    assert (plan["known_good"]["system_tag"], plan["target"]["tag"]) == (installed, newer)
    wish["options"] = {"auto_rollback": True}
    other = (await browser.post(f"{MAINTENANCE}/upgrade/plan", wish)).json
    assert (other["warnings"], other["options"]["backup"]) == ([], True)
    assert other["plan_fingerprint"] != plan["plan_fingerprint"]
    assert site.state() == held
    alone = (await browser.post(f"{MAINTENANCE}/admin-update/plan", {"tag": newer})).json
    assert (alone["update_required"], alone["reason"]) == (True, "digest_changed")
    assert alone["target_admin"]["digest"] == next(p["after"]["digest"] for p in plan["parts"] if p["name"] == "admin")
    status = (await browser.get(f"{MAINTENANCE}/admin-update/status")).json
    assert (status["state"], status["plan"]["plan_id"], status["error"]) == ("planned", alone["plan_id"], None)
    assert (await browser.get("/api/admin/console")).json["admin_update"]["state"] == "planned"
    nothing = (await browser.post(f"{MAINTENANCE}/admin-update/plan", {"tag": installed})).json
    assert (nothing["update_required"], nothing["plan_id"], nothing["reason"]) == (False, None, None)
    for unknown in ({}, {"plan_id": "nobody"}):
        refused = await browser.post(f"{MAINTENANCE}/admin-update/execute", {**unknown, "confirm": True})
        assert refused.error == (409, "plan_unknown")
    unmeant = await browser.post(f"{MAINTENANCE}/admin-update/execute", {"plan_id": alone["plan_id"]})
    assert unmeant.error == (400, "confirmation_required")
    foreign = await browser.post(f"{MAINTENANCE}/admin-update/resume", {"operation_id": "0" * 32})
    assert foreign.error == (409, "operation_mismatch")


async def test_a_config_of_the_old_layout_is_taken_over(site: Scene, setup: Setup) -> None:
    old = site.root / "config.json"
    assert (await setup.browser.post("/api/admin/config/migrate-legacy", {"confirm": True})).error == (
        409,
        "legacy_config_missing",
    )
    old.write_text('{"schema_version": 1}\n')
    answer = await setup.browser.post("/api/admin/config/migrate-legacy", {"confirm": True})
    assert (answer.status, answer.json["migrated"]) == (200, True), answer.data
    assert (site.root / "config" / "config.json").read_bytes() == old.read_bytes()
    assert (site.root / "admin" / answer.json["backup"]).read_bytes() == old.read_bytes()
    again = await setup.browser.post("/api/admin/config/migrate-legacy", {"confirm": True})
    assert again.error == (409, "target_exists")
