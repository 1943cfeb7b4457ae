"""The update of the Admin over HTTP: its checks in their order, and an answer that a kill does not take back.

`seed 000` 5.5 (one fixed order of the creation routes); `http.md` 5.3; `site.md` 1.15.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ems_admin.machines.records.reading import Present
from ems_admin.machines.running.kinds import WorkKind
from tests.http.browser import Answer, Browser, Setup
from tests.http.served import Scene

PATH = "/api/setup/system-build/update-admin"


async def ask(browser: Browser, **body: Any) -> Answer:
    intent = body.pop("intent", None)
    headers = {} if intent is None else {"X-Setup-Intent-ID": intent}
    return await browser.post(PATH, {"tag": "nobody", **body}, **headers)


async def another_build(browser: Browser, setup: Setup) -> str:
    """Name a build whose Admin is another one than that which runs."""
    builds = (await browser.get("/api/setup/releases")).json["builds"]
    return str(next(build["system_tag"] for build in builds if build["system_tag"] != setup.tag))


async def test_the_checks_are_made_in_their_order_and_refuse_without_a_byte(site: Scene, setup: Setup) -> None:
    """Each request is wrong in every way that comes later as well."""
    browser = setup.browser
    assert (await ask(browser)).error == (409, "setup_workflow_required")
    await setup.begin()
    workflow, intent = setup.workflow_id, setup.intent_id
    held = site.state()
    other = site.house.work.begin(WorkKind.MAINTENANCE_CONFIG).entry
    assert (await ask(browser)).error == (409, "setup_workflow_required")
    assert (await ask(browser, setup_workflow_id="w" * 43)).error == (409, "setup_workflow_not_active")
    assert (await ask(browser, setup_workflow_id=workflow)).error == (409, "work_in_progress")
    site.house.work.release(other.id)
    assert (await ask(browser, setup_workflow_id=workflow)).error == (409, "setup_intent_required")
    assert site.state() == held
    assert (await ask(browser, setup_workflow_id=workflow, intent=intent)).error == (409, "system_build_unknown")
    await setup.begin()
    answer = await ask(browser, setup_workflow_id=workflow, intent=setup.intent_id, tag=setup.tag)
    assert answer.error == (409, "admin_update_not_required")
    assert site.state() == held


async def test_an_owner_that_is_not_proven_comes_before_the_confirmation(site: Scene, setup: Setup) -> None:
    await setup.begin()
    await setup.build()
    reading = await site.house.records.setup.read()
    assert isinstance(reading, Present)
    async with site.house.records.setup.store.hold() as held:
        await held.commit(evolve(reading.record, operation_id=None))
    answer = await ask(setup.browser, setup_workflow_id=setup.workflow_id)
    assert answer.error == (409, "setup_transition_owner_unproven")


async def test_the_answer_stands_on_a_link_and_a_beginning_that_are_durable(site: Scene, setup: Setup) -> None:
    await setup.begin()
    tag = await another_build(setup.browser, setup)
    answer = await ask(setup.browser, setup_workflow_id=setup.workflow_id, intent=setup.intent_id, tag=tag)
    assert answer.status == 202, answer.json
    job = answer.json
    assert (job["kind"], job["workflow_id"]) == ("system_build_update_admin", setup.workflow_id)
    assert [step["key"] for step in job["steps"]][-1] == "launch"
    begun, linked = await site.house.records.transition.read(), await site.house.records.setup.read()
    assert isinstance(begun, Present)
    assert isinstance(linked, Present)
    assert begun.record.operation_id == linked.record.operation_id == job["operation_id"]
    assert begun.record.system_tag == linked.record.selected_system_tag == tag


async def test_another_route_of_the_same_build_waits_for_its_admin(setup: Setup) -> None:
    await setup.begin()
    tag = await another_build(setup.browser, setup)
    body = {"tag": tag, "setup_workflow_id": setup.workflow_id}
    headers = {"X-Setup-Intent-ID": setup.intent_id or ""}
    answer = await setup.browser.post("/api/setup/releases/prepare", body, **headers)
    assert answer.error == (409, "system_build_alignment_required")
    assert PATH in {way["path"] for way in answer.json["next_actions"]}


async def test_validate_opens_exactly_one_way(setup: Setup) -> None:
    await setup.begin()
    for tag, allowed in (
        (setup.tag, "continue_allowed"),
        (await another_build(setup.browser, setup), "admin_update_allowed"),
    ):
        state = (await setup.browser.post("/api/admin/system-alignment/validate", {"tag": tag})).json["action_state"]
        ways = {way for way in ("continue_allowed", "admin_update_allowed") if state[way]}
        assert ways == {allowed}, state
