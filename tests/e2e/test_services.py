"""Services and diagnostics: how each part is doing, what it wrote, what can be done to it. `console.md`, screen 4."""

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.maintenance import enters, goes_to
from tests.e2e.tab import PATIENCE, Tab
from tests.e2e.windows import DESK, PHONE

pytestmark = pytest.mark.e2e


@pytest.fixture
def address(home: Demo) -> str:
    return home.url


def test_a_service_is_stopped_and_started_again_and_its_log_can_be_read(open_tab: Opening, home: Demo) -> None:
    tab = open_tab(width=PHONE)
    album = Album(tab)
    enters(tab, "containers")
    ems = tab.part("ems", "article")
    expect(ems).to_contain_text("healthy", timeout=PATIENCE)
    ems.get_by_role("link", name="Log").click()
    expect(lines(tab)).to_contain_text("EMS", timeout=PATIENCE, ignore_case=True)
    album.look_all_round("services")
    tab.click("Stop ems")
    tab.sees("Stop ems?", "dialog")
    album.look_at_both("services-stop")
    pids = home.ems_pids()
    # The same dialog twice in a hurry is one stop.
    tab.page.get_by_role("dialog").get_by_role("button", name="Stop").dblclick()
    expect(ems).to_contain_text("stopped", timeout=PATIENCE)
    tab.can("Start ems")
    album.look_at_both("services-stopped")
    tab.click("Start ems")
    expect(ems).to_contain_text("healthy", timeout=PATIENCE)
    assert set(home.ems_pids()).isdisjoint(set(pids) - {home.pid})
    # The Admin is in the list, and has no button.
    assert tab.part("Stop admin").count() == tab.part("Stop ems-admin").count() == 0


def lines(tab: Tab) -> Locator:
    """Give what the console shows of the log."""
    return tab.page.get_by_label("The last lines of ems", exact=True)


def test_diagnostics_say_of_every_part_how_it_is(open_tab: Opening) -> None:
    tab = open_tab(width=DESK)
    album = Album(tab)
    enters(tab, "diagnostics")
    tab.sees("Diagnostics")
    album.look_at_both("diagnostics-first")
    tab.click("Run diagnostics")
    expect(tab.part("Checks", "list")).to_be_visible(timeout=PATIENCE)
    album.look_all_round("diagnostics")
    tab.click("Ask again")
    expect(tab.part("Checks", "list").get_by_role("listitem").first).to_be_visible(timeout=PATIENCE)


def test_the_overview_shows_what_runs_and_leads_to_every_room(open_tab: Opening) -> None:
    tab = open_tab(width=PHONE)
    enters(tab, "")
    tab.sees("Overview")
    tab.sees("Services")
    Album(tab).look_all_round("maintenance")
    for room in ("Configuration", "Diagnostics", "Backups"):
        tab.page.get_by_role("link", name=room).last.click()
        tab.sees(room)
        tab.click("Maintenance", "link") if tab.part("Maintenance", "link").count() == 1 else goes_to(tab, "")
        tab.sees("Overview")
