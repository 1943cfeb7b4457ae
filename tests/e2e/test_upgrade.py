"""Upgrades in the browser: chosen, planned, carried out through a new Admin; given up, gone back, and the Admin alone.

Source: `console.md`, screen 5; `seed 000` 3 rows 3, 5, 11, 14, 16a, 17, 18b, 22a; `faults.md` F36, F38, F50.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e import journey, upgrade_paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo, demo_at
from tests.e2e.tab import Tab
from tests.e2e.test_expired import begun_long_ago
from tests.e2e.visitor import Answer, Visitor
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e
CONFIG = "/api/admin/maintenance/config"


# One site for both: each goes on from whatever build the EMS runs, and either may come first.
@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demo_at(tmp_path_factory.mktemp("upgrade") / "demo") as running:
        journey.to_the_end(Visitor(running.url).enter())
        yield running


@pytest.fixture
def installed(visitor: Visitor) -> str:
    """The build that the EMS runs."""
    found: str = visitor.console()["known_good"]["system_tag"]
    return found


@pytest.fixture
def newer(visitor: Visitor) -> list[str]:
    """The builds that can be upgraded to, the nearest first; the last one is not well."""
    builds = visitor.get("/api/setup/releases?flow=upgrade")["builds"]
    return [build["system_tag"] for build in reversed(builds) if build["selectable"]]


def test_a_setup_gives_way_a_stale_plan_is_shown_anew_and_one_tab_upgrades_through_a_new_admin(
    open_tab: Opening, visitor: Visitor, installed: str, newer: list[str]
) -> None:
    tab, tag = open_tab(width=PHONE), newer[0]
    album = Album(tab)
    visitor.post("/api/admin/start-path", {"choice": "setup_new", "confirm": True})
    upgrade_paths.enters(tab)
    gives_the_setup_up(tab, album)
    only_newer_builds_can_be_chosen(tab, installed, newer)
    upgrade_paths.chooses(tab, tag)
    album.look_at_both("upgrade-build")
    tab.click("Make a plan")
    tab.sees("The plan")
    meets_a_change(tab, album, visitor, tag)

    entered = logins(tab)
    before = visitor.console()["instance"]["admin_instance_id"]
    upgrade_paths.agrees(tab, tag)
    tab.sees(f"Upgrading to {tag}")
    assert upgrade_paths.steps(tab)["Verify the build"] == "done"
    album.look_at_both("upgrade-under-way")
    upgrade_paths.meets_the_new_admin(tab, album)
    upgrade_paths.sees_done(tab, tag)
    album.look_at_both("upgrade-done")
    after = tab.asks("/api/admin/console")
    assert after["instance"]["admin_instance_id"] != before
    assert after["instance"]["system_tag"] == after["known_good"]["system_tag"] == tag
    assert digests(after) == [after["known_good"]["ems_digest"]]
    assert len(entered) == 1
    for name in ("Step", "Since", "Entries of the updater"):
        assert name in upgrade_paths.said_while_replaced(tab)


def test_an_upgrade_expires_and_is_given_up_the_admin_goes_alone_and_an_unwell_build_goes_back_by_itself(
    open_tab: Opening, demo: Demo, installed: str, newer: list[str]
) -> None:
    tab, unwell = open_tab(), newer[-1]
    album = Album(tab)
    upgrade_paths.enters(tab)
    upgrade_paths.begins(tab, unwell)
    stops(tab, album)
    begins_anew_when_its_hour_is_over(tab, album, demo, unwell)
    stops(tab, album)
    cancels(tab)

    ems = tab.asks("/api/admin/console")["deployment"]["services"]
    upgrade_paths.updates_the_admin_alone(tab, unwell)
    now = tab.asks("/api/admin/console")
    assert (now["instance"]["system_tag"], now["known_good"]["system_tag"]) == (unwell, installed)
    assert now["deployment"]["services"] == ems

    upgrade_paths.begins(tab, unwell)
    tab.page.reload()
    tab.sees(f"Upgrading to {unwell}")
    goes_back(tab, album, installed)
    upgrade_paths.returns(tab, installed)
    now = tab.asks("/api/admin/console")
    assert now["instance"]["system_tag"] == now["known_good"]["system_tag"] == installed
    assert digests(now) == [now["known_good"]["ems_digest"]]
    album.look_at_both("upgrade-returned")


def gives_the_setup_up(tab: Tab, album: Album) -> None:
    tab.sees("A setup is not finished", "region")
    album.look_at_both("upgrade-setup-first")
    tab.click("End it and upgrade")
    tab.sees("Switch to a guided upgrade?", "dialog")
    tab.click("Discard setup and switch")
    tab.sees("Choose a newer build")


def only_newer_builds_can_be_chosen(tab: Tab, installed: str, newer: list[str]) -> None:
    expect(tab.page.get_by_role("radio", name=installed)).to_be_disabled()
    tab.reads("This is the build that is installed.")
    for tag in newer:
        expect(tab.page.get_by_role("radio", name=tag)).to_be_enabled()


def meets_a_change(tab: Tab, album: Album, visitor: Visitor, tag: str) -> None:
    """Agree to a plan while somebody else changes the config: nothing begins, and the plan says what is new."""
    tab.expected.append("^409 POST /api/admin/maintenance/upgrade/execute$")
    live = visitor.get(CONFIG)
    draft = {**live["config"], "system": {**live["config"]["system"], "deadband": 33}}
    visitor.post(f"{CONFIG}/apply", {"draft": draft, "revision": live["revision"], "confirm": True})
    upgrade_paths.agrees(tab, tag)
    tab.reads("The plan has changed meanwhile")
    tab.reads("Live configuration")
    assert visitor.console()["upgrade"]["operation_id"] is None
    album.look_at_both("upgrade-plan-changed")


def stops(tab: Tab, album: Album) -> None:
    """Break off what can be broken off: what is settled stays, and the upgrade rests."""
    tab.click("Stop")
    tab.sees("An upgrade is not finished", "region")
    assert upgrade_paths.steps(tab)["Back up"] == "done"
    album.look_at_both("upgrade-rests")


def begins_anew_when_its_hour_is_over(tab: Tab, album: Album, demo: Demo, tag: str) -> None:
    """Go on with an upgrade that waited for hours: by a new plan for the same build, and as another operation."""
    before = tab.asks("/api/admin/console")["upgrade"]["operation_id"]
    begun_long_ago(demo)
    tab.sees("This upgrade has expired", "region")
    album.look_at_both("upgrade-expired")
    tab.click("Plan it anew")
    tab.click("Make a plan")
    tab.sees("The plan")
    upgrade_paths.agrees(tab, tag)
    tab.sees(f"Upgrading to {tag}")
    assert tab.asks("/api/admin/console")["upgrade"]["operation_id"] != before


def cancels(tab: Tab) -> None:
    """Give the upgrade up: nothing of it is left."""
    upgrade_paths.cancels(tab)
    now = tab.asks("/api/admin/console")
    assert (now["lifecycle"]["owner"], now["alignment"]["transition"]["stage"]) == ("none", "cancelled")
    assert now["upgrade"]["context"] == "none"


def goes_back(tab: Tab, album: Album, tag: str) -> None:
    """See that what worked before runs again; the same after a reload, with code, step, time and operation."""
    tab.sees(f"Your EMS runs {tag} again")
    tab.page.reload()
    tab.sees(f"Your EMS runs {tag} again")
    assert upgrade_paths.steps(tab)["Look whether it is well"] == "failed"
    happened = tab.part("What happened", "region")
    operation: dict[str, Any] = tab.asks("/api/admin/console")["alignment"]["transition"]
    for said in ("healthcheck_failed", "healthcheck pending", operation["operation_id"]):
        expect(happened.get_by_text(said, exact=True)).to_be_visible()
    album.look_at_both("upgrade-went-back")


def digests(model: Answer) -> list[str]:
    """Give what the services run from."""
    return [service["digest"] for service in model["deployment"]["services"]]


def logins(tab: Tab) -> list[str]:
    """Note every time that a password is sent."""
    sent: list[str] = []
    tab.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/login") else None)
    return sent
