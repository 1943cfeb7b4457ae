"""Switch and recovery over HTTP: bound to what was shown, and leading on without a hand on the disk (seed 000 7)."""

import json
from typing import Any

import pytest

from tests.http.browser import Answer, Browser, Setup
from tests.http.served import Scene

LIFECYCLE = "/api/admin/workflow-lifecycle"
B1 = "admin/state/pending-transition.json"


async def previewed(browser: Browser, target: str) -> dict[str, Any]:
    answer = await browser.post(f"{LIFECYCLE}/switch/preview", {"target": target})
    assert answer.status == 200, answer.data
    return answer.json


async def switch(browser: Browser, target: str, **more: Any) -> Answer:
    return await browser.post(f"{LIFECYCLE}/switch", {"target": target, **more})


async def test_a_setup_is_switched_away_from_and_begun_anew(site: Scene, setup: Setup) -> None:
    await setup.begin()
    await setup.browser.ended(await setup.ask_for_build())
    shown = await previewed(setup.browser, "guided_upgrade")
    assert (shown["current_owner"], shown["action"], shown["blocked"]) == (
        "guided_setup",
        "discard_guided_setup",
        False,
    )
    assert shown["confirmation_required"] is True
    assert "setup_draft" in shown["will_reset"]
    assert "live_configuration" in shown["will_preserve"]
    bound = {"fingerprint": shown["fingerprint"]}
    before = site.state()
    assert (await switch(setup.browser, "guided_upgrade")).error == (400, "workflow_fingerprint_required")
    assert (await switch(setup.browser, "guided_upgrade", **bound)).error == (400, "confirmation_required")
    assert (await switch(setup.browser, "guided_upgrade", fingerprint="x")).error == (409, "workflow_lifecycle_changed")
    assert (await switch(setup.browser, "somewhere", **bound)).error == (400, "unsupported_value")
    assert site.state() == before
    done = (await switch(setup.browser, "guided_upgrade", confirm=True, **bound)).json
    assert (done["action"], done["lifecycle"]["state"], "setup_workflow_id" in done) == (
        "discard_guided_setup",
        "idle",
        False,
    )
    again = await previewed(setup.browser, "guided_setup")
    begun = (await switch(setup.browser, "guided_setup", fingerprint=again["fingerprint"])).json
    assert begun["action"] == "start_guided_setup"
    assert begun["setup_intent_id"]
    workflow = (await setup.browser.get("/api/setup/workflow")).json
    assert begun["setup_workflow_id"] in json.dumps(workflow)


async def test_a_broken_record_is_explained_set_aside_and_left_behind(site: Scene, setup: Setup) -> None:
    """F04: only the release removes it, after a backup with its SHA-256."""
    await setup.begin()
    await setup.browser.ended(await setup.ask_for_build())
    record = site.root / B1
    broken = record.read_bytes()[:100]
    record.write_bytes(broken)
    door = await setup.browser.post("/api/admin/start-path", {"choice": "setup_new", "confirm": True})
    assert door.error == (409, "workflow_state_malformed")
    (way,) = door.json["next_actions"]
    shown = (await setup.browser.ask(way["method"], way["path"], {}, {"X-CSRF-Token": setup.browser.csrf or ""})).json
    assert shown["release"]["files"] == [{"name": "state/pending-transition.json", "reason": "unreadable_state"}]
    assert (shown["safe"]["available"], shown["release"]["available"], shown["blocking"]) == (False, True, None)
    assert record.read_bytes() == broken
    order = {"mode": "release_stale_state", "fingerprint": shown["fingerprint"], "confirm": True}
    assert (await setup.browser.post(f"{LIFECYCLE}/recovery", order)).error == (400, "recovery_reason_required")
    safe = await setup.browser.post(f"{LIFECYCLE}/recovery", {**order, "mode": "safe"})
    assert (safe.error, safe.json["detail"]) == ((409, "workflow_recovery_unsafe"), "workflow_state_malformed")
    done = (await setup.browser.post(f"{LIFECYCLE}/recovery", {**order, "reason": "cut off"})).json
    assert [file["name"] for file in done["released"]] == ["state/pending-transition.json"]
    folder = site.root / "admin" / done["backup"]
    assert (folder / "pending-transition.json").read_bytes() == broken
    manifest = json.loads((folder / "recovery-manifest.json").read_bytes())
    assert (manifest["reason"], manifest["files"]) == ("cut off", done["released"])
    assert not record.exists()
    assert (await setup.browser.post("/api/admin/start-path", {"choice": "setup_new"})).status == 200


@pytest.mark.parametrize("path", ["switch/preview", "switch", "recovery/preview", "recovery"])
async def test_nobody_who_is_not_signed_in_switches_or_recovers(site: Scene, path: str) -> None:
    stranger = site.browser()
    assert (await stranger.post(f"{LIFECYCLE}/{path}", {})).status in {401, 403}


async def test_the_console_offers_the_switch_and_the_recovery_that_would_do_something(setup: Setup) -> None:
    names = {action["key"] for action in (await setup.browser.get("/api/admin/console")).json["actions"]}
    assert not {name for name in names if name.startswith(("switch_", "recover_"))}
    await setup.begin()
    console = (await setup.browser.get("/api/admin/console")).json
    offered = {action["key"]: action["enabled"] for action in console["actions"]}
    assert offered["switch_to_guided_upgrade"] is offered["switch_to_none"] is offered["recover_safe"] is True


async def test_the_way_through_the_door_names_the_switch_that_is_needed(site: Scene, setup: Setup) -> None:
    """http.md 5.3: `workflow_switch_required` with lifecycle, detail and switch_preview. `seed 000` 7.5."""
    await setup.begin()
    await setup.browser.ended(await setup.ask_for_build())
    (site.root / "admin/state/guided-setup-workflow.json").unlink()
    record = site.root / B1
    record.write_bytes(record.read_bytes().replace(b'"fresh_install"', b'"guided_upgrade"'))
    refused = await setup.browser.post("/api/admin/start-path", {"choice": "setup_new", "confirm": True})
    assert (refused.error, refused.json["detail"]) == ((409, "workflow_switch_required"), "guided_upgrade")
    preview = refused.json["switch_preview"]
    assert (preview["action"], refused.json["lifecycle"]["owner"]) == ("cancel_guided_upgrade", "guided_upgrade")
    order = {"target": "guided_setup", "confirm": True, "fingerprint": preview["fingerprint"]}
    done = (await setup.browser.post(f"{LIFECYCLE}/switch", order)).json
    assert (done["action"], bool(done["setup_workflow_id"])) == ("cancel_guided_upgrade", True)
