"""Two tabs, of which one is behind: it finds out before it can act, and loses nothing typed. `seed 000` 6.3."""

import pytest

from tests.e2e import journey, paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.visitor import Visitor
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e
OLD = "This page belongs to an earlier setup"


@pytest.fixture
def older(open_tab: Opening, demo: Demo) -> Tab:
    """A tab with a draft, whose Setup has been ended and begun anew on another device."""
    tab = open_tab(width=PHONE)
    tab.create_password()
    paths.to_devices(tab)
    paths.rename_battery(tab, "Under the stairs")
    other = Visitor(demo.url).enter()
    other.post("/api/setup/abandon", {"setup_workflow_id": journey.workflow_id(other)})
    journey.begin(other)
    tab.reads(OLD)
    return tab


def test_the_older_tab_opens_the_current_setup_with_its_draft(older: Tab, visitor: Visitor) -> None:
    """`seed 000` 5.2."""
    older.click("Open current setup")
    older.reads_no(OLD)
    older.sees("Choose a release")
    assert older.draft()[0]["display_name"] == "Under the stairs"
    assert older.page.evaluate("JSON.parse(localStorage.getItem('ems-admin-setup-workflow')).workflow_id") == (
        journey.workflow_id(visitor)
    )


def test_the_older_tab_discards_its_draft_and_never_the_newer_setup(older: Tab, visitor: Visitor) -> None:
    """`seed 000` 5.2."""
    current = journey.workflow_id(visitor)
    older.click("Discard local draft")
    older.reads_no(OLD)
    assert older.draft() == []
    assert visitor.console()["setup"]["status"] == "active"
    assert journey.workflow_id(visitor) == current


def test_an_older_tab_asks_no_more_and_can_end_nothing_until_it_has_decided(older: Tab) -> None:
    Album(older).look_at_both("older-tab")
    assert older.part("Restart setup").count() == 0
    assert older.page.locator(".setup-body").evaluate("body => body.inert")
    asked: list[str] = []
    older.page.on("request", lambda request: asked.append(request.url))
    # The page itself waits for longer than the longest pause between two looks.
    older.page.evaluate("new Promise((waited) => setTimeout(waited, 4000))")
    assert asked == []
    older.click("Open current setup")
    for _ in range(2):
        with older.page.expect_request("**/api/admin/console"):
            pass


def test_a_tab_beside_it_in_the_same_browser_sees_the_same_setup(open_tab: Opening) -> None:
    first = open_tab()
    first.create_password()
    paths.to_devices(first)
    second = open_tab(beside=first)
    second.open("#/setup/devices")
    second.sees("Battery in the cellar", "article")
    second.click("Restart setup")
    second.page.get_by_role("dialog").get_by_role("button", name="Restart setup").click()
    second.sees("Choose a release")
    first.reads(OLD)
    first.click("Open current setup")
    first.sees("Choose a release")


def test_restart_setup_is_refused_while_work_runs_and_the_draft_stays(open_tab: Opening, demo: Demo) -> None:
    """`seed 000` 1.3, 6.1."""
    tab = open_tab()
    tab.create_password()
    paths.to_start(tab)
    draft = tab.draft()
    tab.click("Restart setup")
    question = tab.page.get_by_role("dialog")
    other = Visitor(demo.url).enter()
    job = journey.start(other)
    question.get_by_role("button", name="Restart setup").click()
    tab.sees("Starting the EMS", "region")
    tab.sees("Start your EMS")
    assert tab.draft() == draft != []
    other.until_done(job["id"])
    paths.sees_healthy(tab)
    tab.expected.append("^409 POST /api/setup/abandon$")
