"""Two clicks, two tabs, two people, and a tab from yesterday (F38, F40; seed 000 2.3, 5.4, 5.5)."""

import asyncio
from typing import Any

from tests.http.browser import Browser, Setup
from tests.http.served import Scene


async def test_the_same_click_twice_is_one_piece_of_work(setup: Setup) -> None:
    await setup.begin()
    first, second = await asyncio.gather(setup.ask_for_build(), setup.ask_for_build())
    assert (first.status, second.status) == (202, 202)
    assert first.json["id"] == second.json["id"]
    assert (await setup.browser.ended(first))["status"] == "succeeded"
    assert len((await setup.browser.get("/api/admin/jobs")).json["jobs"]) == 1


async def test_preparing_twice_is_one_preparation(setup: Setup) -> None:
    await setup.to_preview()
    await setup.write()
    first, second = await asyncio.gather(setup.prepare(), setup.prepare())
    assert (first.status, second.status) == (202, 202)
    assert first.json["id"] == second.json["id"]
    assert (await setup.browser.ended(first))["status"] == "succeeded"


async def test_accepted_work_is_seen_running_at_once_by_everybody(site: Scene, setup: Setup) -> None:
    await setup.begin()
    accepted = await setup.ask_for_build()
    other = await site.person()
    seen = (await other.get(f"/api/admin/jobs/{accepted.json['id']}")).json
    assert seen["status"] in {"running", "succeeded"}
    console = (await other.get("/api/admin/console")).json
    assert [job["id"] for job in console["jobs"]] == [accepted.json["id"]]
    await setup.browser.ended(accepted)


async def test_other_work_meanwhile_is_refused_by_the_kind_that_runs(setup: Setup) -> None:
    """F45."""
    await setup.begin()
    running = await setup.ask_for_build()
    refused = await setup.browser.post("/api/setup/abandon", {"setup_workflow_id": setup.workflow_id})
    assert refused.error == (409, "setup_operation_in_progress")
    assert refused.json["operation"] == "setup_release_prepare"
    assert refused.json["next_actions"]
    console = (await setup.browser.get("/api/admin/console")).json
    assert console["lifecycle"]["state"] == "operation_running"
    told = console["lifecycle"]["operation"]
    assert (told["kind"], told["job_id"], told["stage"]) == (
        "setup_release_prepare",
        running.json["id"],
        "admin_aligned",
    )
    await setup.browser.ended(running)


async def test_a_confirmation_is_used_once(setup: Setup) -> None:
    await setup.begin()
    await setup.browser.ended(await setup.ask_for_build())
    assert (await setup.ask_for_build()).error == (409, "setup_intent_consumed")
    spent, setup.intent_id = setup.intent_id, ""
    assert (await setup.ask_for_build()).error == (409, "setup_intent_required")
    await setup.begin()
    assert setup.intent_id != spent
    again = await setup.browser.ended(await setup.ask_for_build("/api/setup/system-build/confirm"))
    assert again["status"] == "succeeded"


async def test_a_confirmation_is_of_one_session(site: Scene, setup: Setup) -> None:
    await setup.begin()
    stranger = Setup(await site.person(), tag=setup.tag, workflow_id=setup.workflow_id, intent_id=setup.intent_id)
    assert (await stranger.ask_for_build()).status == 409
    # What was refused to the stranger is still there for its owner.
    assert (await setup.browser.ended(await setup.ask_for_build()))["status"] == "succeeded"


async def test_two_people_in_one_setup_share_it_and_both_may_confirm(site: Scene, setup: Setup) -> None:
    other = Setup(await site.person())
    await setup.begin()
    await other.begin()
    assert other.workflow_id == setup.workflow_id
    assert other.intent_id != setup.intent_id
    assert (await other.browser.ended(await other.ask_for_build()))["status"] == "succeeded"
    assert (await setup.browser.ended(await setup.ask_for_build()))["status"] == "succeeded"


async def test_a_preview_of_another_draft_authorises_nothing(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    held = site.state()
    other = {**setup.mutation, "features": {**setup.draft["features"], "winter_mode": True}}
    refused = await setup.browser.post("/api/setup/config/write", other)
    assert refused.error == (409, "setup_preview_mismatch")
    renamed = {**setup.mutation, "config_preview_id": "someone-elses"}
    assert (await setup.browser.post("/api/setup/config/write", renamed)).error == (409, "setup_preview_mismatch")
    missing = {name: value for name, value in setup.mutation.items() if name != "config_preview_id"}
    assert (await setup.browser.post("/api/setup/config/write", missing)).error == (409, "setup_preview_required")
    assert site.state() == held
    assert (await setup.write()).status == 200


async def test_a_config_that_changed_meanwhile_takes_the_preview_back(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    live = site.root / "config" / "config.json"
    live.write_text('{"schema_version": 1}\n')
    held = live.read_bytes()
    body = {**setup.mutation, "overwrite": True}
    assert (await setup.browser.post("/api/setup/config/apply", body)).error == (409, "stale_setup_config")
    assert live.read_bytes() == held
    assert (await setup.browser.post("/api/setup/config/apply", body)).error == (409, "setup_preview_required")


async def test_a_live_config_is_overwritten_only_with_a_yes(site: Scene, setup: Setup) -> None:
    live = site.root / "config" / "config.json"
    live.write_text('{"schema_version": 1}\n')
    refused = await setup.browser.post("/api/admin/start-path", {"choice": "setup_new"})
    assert refused.error == (409, "existing_install_conflict")
    await setup.begin(confirm=True)
    await setup.build()
    await setup.preview()
    assert (await setup.browser.post("/api/setup/config/apply", setup.mutation)).error == (409, "target_exists")
    agreed = await setup.browser.post("/api/setup/config/apply", {**setup.mutation, "overwrite": True})
    assert agreed.status == 200, agreed.data
    assert agreed.json["backup"]


async def test_a_tab_from_yesterday_changes_nothing(site: Scene, setup: Setup) -> None:
    """`seed 000` 0."""
    await setup.to_preview()
    yesterday = setup.mutation
    await setup.browser.post("/api/setup/abandon", {"setup_workflow_id": setup.workflow_id})
    old = {"setup_workflow_id": setup.workflow_id}
    await setup.begin()
    held = site.state()
    acts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/api/setup/config/write", yesterday),
        ("/api/setup/config/apply", yesterday),
        ("/api/setup/config-preview", {**setup.draft, **old}),
        ("/api/setup/deployment/prepare", old),
        ("/api/setup/deployment/start", old),
        ("/api/setup/releases/prepare", {**old, "tag": setup.tag}),
        ("/api/setup/abandon", old),
    )
    for path, body in acts:
        assert (await setup.browser.post(path, body)).error == (409, "setup_workflow_not_active"), path
    legacy = {name: value for name, value in yesterday.items() if name != "setup_workflow_id"}
    answer = await setup.browser.post("/api/setup/config/write", {**legacy, "config_revision": "abc"})
    assert answer.error == (409, "setup_workflow_required")
    assert site.state() == held


async def test_the_resources_come_before_anything_that_needs_them(site: Scene, setup: Setup) -> None:
    await setup.begin()
    body = {"setup_workflow_id": setup.workflow_id}
    for path in ("/api/setup/deployment/prepare", "/api/setup/deployment/start"):
        assert (await setup.browser.post(path, body)).error == (409, "system_alignment_incomplete"), path
    assert (await setup.browser.get("/api/setup/config/schema")).error == (409, "release_not_prepared")
    await setup.build()
    assert (await setup.prepare()).error == (409, "generated_config_missing")
    assert (await setup.start()).error == (409, "deployment_not_prepared")


async def test_an_operation_is_gone_on_with_by_its_exact_name(setup: Setup) -> None:
    browser = setup.browser
    await setup.begin()
    await setup.build()
    for word in ("resume", "verify-resources"):
        path = f"/api/admin/system-alignment/{word}"
        assert (await browser.post(path, {"operation_id": "0" * 32})).error == (409, "operation_mismatch")
    operation = (await browser.get("/api/admin/system-alignment/status")).json["transition"]["operation_id"]
    resumed = await browser.post("/api/admin/system-alignment/resume", {"operation_id": operation})
    assert (resumed.status, resumed.json["transition"]["stage"]) == (200, "resources_verified")
    late = await browser.post("/api/admin/system-alignment/verify-resources", {"operation_id": operation})
    assert late.error == (409, "invalid_transition")


async def test_a_job_that_has_ended_cannot_be_stopped(setup: Setup) -> None:
    await setup.begin()
    job = await setup.build()
    answer = await setup.browser.post(f"/api/admin/jobs/{job['id']}/cancel")
    assert answer.error == (409, "job_not_cancellable")


async def test_a_build_of_another_admin_can_be_chosen_and_wants_its_admin_first(setup: Setup) -> None:
    await setup.begin()
    own, *others = (await setup.browser.get("/api/setup/releases?flow=setup")).json["builds"]
    assert (own["recommended"], own["selectable"], own["reason"]) == (True, True, None)
    assert {(build["selectable"], build["reason"]) for build in others} == {(True, "system_build_alignment_required")}
    setup.tag = others[0]["system_tag"]
    assert (await setup.ask_for_build()).error == (409, "system_build_alignment_required")


async def test_maintenance_begins_nothing(site: Scene, browser: Browser) -> None:
    held = site.state()
    answer = await browser.post("/api/admin/start-path", {"choice": "manage_existing"})
    assert answer.json == {"ok": True, "choice": "manage_existing", "route": "maintenance", "state": "none"}
    assert site.state() == held
