"""What comes between a person and the end of the Setup: the line, the Admin, the session. `faults.md` F36, F49, F50."""

import pytest

from tests.e2e import journey, paths
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.visitor import Visitor
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e
SHEET = "Please sign in again"
CUT = "EMS Admin does not answer."
NOBODY_THERE = (r"^unanswered ", r"^console: .*ERR_")
SIGNED_OUT = r"^401 "


def test_the_step_goes_on_when_the_line_comes_back(open_tab: Opening, demo: Demo) -> None:
    tab = open_tab(width=PHONE)
    tab.expected += NOBODY_THERE
    tab.create_password()
    paths.to_start(tab)
    tab.click("Start EMS")
    tab.sees("Starting the EMS", "region")
    tab.page.context.set_offline(True)
    tab.reads(CUT)
    tab.sees("Start your EMS")
    tab.page.context.set_offline(False)
    paths.sees_healthy(tab)
    assert len(Visitor(demo.url).enter().jobs("deployment_start")) == 1


def test_after_a_restart_the_same_tab_comes_back_to_the_stored_step_with_its_draft(
    open_tab: Opening, demo: Demo
) -> None:
    """`seed 000` 1.3."""
    tab = open_tab()
    tab.expected += (*NOBODY_THERE, SIGNED_OUT)
    tab.create_password()
    paths.to_devices(tab)
    paths.rename_battery(tab, "Under the stairs")
    demo.restart()
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    tab.sees("Your devices")
    tab.sees("Under the stairs", "article")
    tab.click("Continue to config")
    tab.can("Write configuration")
    assert tab.draft()[0]["display_name"] == "Under the stairs"


def test_a_start_that_a_restart_has_cut_is_gone_on_with_in_the_same_tab(open_tab: Opening, demo: Demo) -> None:
    tab = open_tab(width=PHONE)
    tab.expected += (*NOBODY_THERE, SIGNED_OUT)
    tab.create_password()
    paths.to_start(tab)
    tab.click("Start EMS")
    tab.sees("Watch that it stays up", "progressbar")
    ems = demo.ems_pids()
    demo.restart()
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    tab.reads("This was interrupted")
    tab.click("Go on")
    paths.sees_healthy(tab)
    assert demo.ems_pids() == ems


def test_a_session_that_has_ended_is_a_sheet_over_the_page_that_keeps_its_place(open_tab: Opening, demo: Demo) -> None:
    """`seed 000` 1.3."""
    tab = open_tab()
    tab.expected.append(SIGNED_OUT)
    tab.create_password()
    paths.to_config(tab)
    end_session(open_tab(beside=tab))
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    tab.sees("Look at the configuration")
    tab.can("Write configuration")
    tab.click("Write configuration")
    tab.can("Prepare")
    assert journey.shown_step(tab.asks("/api/admin/console")) == "prepare"


def end_session(beside: Tab) -> None:
    """Sign out where the session is shared."""
    beside.expected.append(SIGNED_OUT)
    beside.open()
    beside.click("Sign out")
    beside.sees("Welcome back")


def test_without_the_event_stream_everything_completes_by_polling(open_tab: Opening) -> None:
    tab = open_tab()
    tab.page.route("**/api/admin/events", lambda route: route.abort())
    tab.expected += (r"^unanswered GET /api/admin/events", r"^console: .*ERR_FAILED")
    tab.create_password()
    paths.to_healthy(tab)
