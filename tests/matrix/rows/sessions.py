"""Rows 6 to 14 and 22: a session ends, a page is loaded again, the Admin is killed. All of it really happens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from attrs import frozen

from ems_admin.machines.records.transition import Stage
from tests.http.browser import Browser, Setup
from tests.http.served import Scene
from tests.matrix.judgement import Played
from tests.matrix.served import Process, installed, prepared, process, seen, seen_anew, serving
from tests.matrix.show import Theatre, plays
from tests.matrix.upgrades import begin_upgrade, bring

Stand = Callable[[Scene, Setup], Awaitable[None]]
Event = Callable[[Scene, Browser], Awaitable[Browser]]
CONSOLE = "/api/admin/console"
READING = ("install_state", "setup", "alignment", "deployment", "known_good", "machines", "actions")
"""The parts of the page that durable facts make; the lifecycle is compared by its fingerprint."""


async def in_setup(site: Scene, setup: Setup) -> None:
    await prepared(setup)


async def in_maintenance(site: Scene, setup: Setup) -> None:
    await installed(setup)


async def in_upgrade(site: Scene, setup: Setup) -> None:
    await installed(setup)
    await begin_upgrade(site.house, setup.tag)
    await bring(site.house, Stage.RESOURCES_VERIFIED)


async def session_ends(site: Scene, browser: Browser) -> Browser:
    """Lose the session: nothing is shown or done before somebody signs in again."""
    await browser.post("/api/admin/auth/logout")
    held = site.state()
    for asked in (browser.get(CONSOLE), browser.post("/api/admin/start-path", {"choice": "setup_new"})):
        assert (await asked).error == (HTTPStatus.UNAUTHORIZED, "not_authenticated")
    assert site.state() == held
    return await site.person()


async def page_is_loaded_again(site: Scene, browser: Browser) -> Browser:
    """Open the page once more: the same cookie, and nothing that the page before had in mind."""
    again = site.browser()
    again.http.cookie_jar.update_cookies({c.key: c.value for c in browser.http.cookie_jar})
    status = await again.get("/api/admin/auth/status")
    again.csrf = status.json["csrf_token"]
    return again


async def page(browser: Browser) -> dict[str, Any]:
    """Give everything that durable facts make of the page (I5)."""
    console = (await browser.get(CONSOLE)).json
    workflow = (await browser.get("/api/setup/workflow")).json["workflow"]
    config = await browser.get("/api/admin/maintenance/config")
    return {
        **{part: console[part] for part in READING},
        "fingerprint": console["lifecycle"]["fingerprint"],
        "workflow": workflow,
        "config": config.json,
    }


async def before_a_page(theatre: Theatre, stand: Stand, event: Event) -> Played:
    async with serving(theatre) as site:
        browser = await site.person()
        await stand(site, Setup(browser))
        before, shown = await seen(site), await page(browser)
        again = await event(site, browser)
        held = site.state()
        assert await page(again) == shown, "what is shown is what was shown"
        assert site.state() == held
        after = await seen(site)
    return Played(before=before, told=(), after=after, again=await seen_anew(theatre))


def told_by(stand: Stand, event: Event) -> Callable[[Theatre], Played]:
    return lambda theatre: theatre.run(lambda: before_a_page(theatre, stand, event))


DESKS: tuple[Stand, ...] = (in_setup, in_maintenance, in_upgrade)

for number, desk in enumerate(DESKS, 6):
    plays(str(number))(told_by(desk, session_ends))
for number, desk in enumerate(DESKS, 9):
    plays(str(number))(told_by(desk, page_is_loaded_again))


async def laid(theatre: Theatre, stand: Stand) -> None:
    """Bring a site to where a play begins, and leave it."""
    async with serving(theatre) as site:
        await stand(site, Setup(await site.person()))


@frozen
class Killed:
    """An Admin that is killed and starts again."""

    theatre: Theatre

    def play(self, walk: Callable[[Process], str | None]) -> Played:
        """Walk to where the row stands in a first process, kill it, and look in a second one and a third."""
        with process(self.theatre) as first:
            job = walk(first)
            before, shown = first.look(), self.page(first)
            cookie, instance = first.client.cookie, shown.pop("instance")
            first.kill()
        with process(self.theatre) as second:
            after, again = second.look(), self.page(second)
            assert again.pop("instance") != instance, "another process answers"
            assert again == shown, "and reads the same"
            if job is not None:
                assert second.status_of(f"/api/admin/jobs/{job}") == HTTPStatus.NOT_FOUND
            second.client.cookie = cookie
            assert second.status_of(CONSOLE) == HTTPStatus.UNAUTHORIZED
            second.kill()
        return Played(before=before, told=(), after=after, again=self.theatre.run(lambda: seen_anew(self.theatre)))

    def page(self, one: Process) -> dict[str, Any]:
        console = one.get(CONSOLE)
        durable = ("install_state", "setup", "alignment", "known_good")
        return {
            **{part: console[part] for part in durable},
            "fingerprint": console["lifecycle"]["fingerprint"],
            "instance": console["instance"]["admin_instance_id"],
        }


def to_preview(one: Process) -> str:
    """Walk through a Setup to its preview; give the job that fetched the build."""
    tag = one.get("/api/setup/releases")["builds"][0]["system_tag"]
    begun = one.post("/api/admin/start-path", {"choice": "setup_new"})
    named = {"setup_workflow_id": begun["setup_workflow_id"]}
    job = one.post("/api/setup/releases/prepare", {"tag": tag, **named}, X_Setup_Intent_ID=begun["setup_intent_id"])
    assert one.client.ended(job)["status"] == "succeeded"
    draft = one.get("/api/setup/config/schema")["example"]
    shown = one.post("/api/setup/config-preview", {**named, **draft})
    assert shown["ready"]
    return str(job["id"])


def to_prepared(one: Process) -> str:
    """Go on until the EMS is prepared; give the job that prepared it."""
    to_preview(one)
    stored = one.get("/api/setup/workflow")["workflow"]
    named = {"setup_workflow_id": stored["workflow_id"]}
    draft = one.get("/api/setup/config/schema")["example"]
    shown = one.post("/api/setup/config-preview", {**named, **draft})
    one.post("/api/setup/config/write", {**named, **draft, "config_preview_id": shown["config_preview_id"]})
    job = one.post("/api/setup/deployment/prepare", named)
    assert one.client.ended(job)["status"] == "succeeded"
    return str(job["id"])


def to_verified(one: Process) -> str:
    """Have the operation verify its build; give the job that did."""
    operation = one.get("/api/admin/system-alignment/status")["transition"]["operation_id"]
    job = one.post("/api/admin/system-alignment/verify-resources", {"operation_id": operation})
    assert one.client.ended(job)["status"] == "succeeded"
    return str(job["id"])


async def in_upgrade_that_begins(site: Scene, setup: Setup) -> None:
    await installed(setup)
    await begin_upgrade(site.house, setup.tag)


@plays("12")
def setup_is_killed(theatre: Theatre) -> Played:
    return Killed(theatre).play(to_prepared)


@plays("13")
def maintenance_is_killed(theatre: Theatre) -> Played:
    theatre.run(lambda: laid(theatre, in_maintenance))
    return Killed(theatre).play(lambda _: None)


@plays("14")
def upgrade_is_killed(theatre: Theatre) -> Played:
    theatre.run(lambda: laid(theatre, in_upgrade_that_begins))
    return Killed(theatre).play(to_verified)


@plays("22")
def preview_outlives_the_process(theatre: Theatre) -> Played:
    """B0 and its preview read back identically: they are carried out by the process that comes after."""
    return Killed(theatre).play(to_preview)
