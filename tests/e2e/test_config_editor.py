"""The config editor: form and text, what a person reviews before it is saved, and two who edit at once.

Source: `console.md`, screen 4; `site.md` 9; `faults.md` F46, F50.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.maintenance import DEADBAND, config, deadband, enters, goes_to, saves
from tests.e2e.tab import PATIENCE, Tab
from tests.e2e.test_interruptions import SHEET, SIGNED_OUT, end_session
from tests.e2e.visitor import Visitor
from tests.e2e.windows import DESK, PHONE

pytestmark = pytest.mark.e2e
CHANGED = "The configuration has changed"


@pytest.fixture
def address(home: Demo) -> str:
    return home.url


@pytest.fixture
def visitor(home: Demo) -> Visitor:
    return Visitor(home.url).enter()


def test_a_value_is_changed_in_the_form_reviewed_as_a_difference_and_saved(open_tab: Opening, home: Demo) -> None:
    tab = open_tab(width=PHONE)
    album = Album(tab)
    enters(tab, "config")
    tab.sees("System")
    album.look_all_round("config-form")
    deadband(tab, 5000)
    tab.reads("Not right yet")
    deadband(tab, 31)
    tab.reads("1 change, not saved yet.")
    album.look_at_both("config-edited")
    tab.click("Review")
    tab.sees("Difference to the live configuration", "figure")
    album.look_all_round("config-review")
    before = config(home)
    tab.click("Save")
    is_saved(tab)
    tab.sees("System")
    assert config(home) == {**before, "system": {**before["system"], "deadband": 31}}
    album.look_at_both("config-saved")


def test_the_text_says_the_same_as_the_form_and_keeps_what_is_not_valid_yet(open_tab: Opening, home: Demo) -> None:
    tab = open_tab(width=DESK)
    album = Album(tab)
    enters(tab, "config/json")
    expect(tab.part("config.json", "textbox")).not_to_have_value("", timeout=PATIENCE)
    album.look_at_both("config-json")
    wanted = config(home)
    wanted["system"]["loop_interval_seconds"] = 7
    whole = json.dumps(wanted, indent=2)
    tab.type("config.json", whole[:-3])
    tab.reads("This is not valid JSON yet")
    expect(tab.part("Review")).to_be_disabled(timeout=PATIENCE)
    tab.click("Form", "link")
    tab.reads("The JSON view is not finished")
    tab.page.go_back()
    expect(tab.part("config.json", "textbox")).to_have_value(whole[:-3], timeout=PATIENCE)
    tab.type("config.json", whole)
    tab.click("Form", "link")
    expect(tab.part("Control interval", "textbox")).to_have_value("7", timeout=PATIENCE)
    tab.can("Review")
    tab.click("Review")
    tab.page.get_by_role("switch", name="Make a backup first").uncheck()
    # Two clicks are one save.
    tab.part("Save").dblclick()
    is_saved(tab)
    assert config(home)["system"]["loop_interval_seconds"] == 7


def test_two_who_edit_at_once_see_both_and_choose_field_by_field(
    open_tab: Opening, home: Demo, visitor: Visitor
) -> None:
    """`seed 000` 6.5; F46: nothing is overwritten, and nothing typed is lost."""
    tab = open_tab(width=PHONE)
    tab.expected.append("^409 POST /api/admin/maintenance/config/apply$")
    enters(tab, "config")
    deadband(tab, 44)
    tab.page.get_by_role("switch", name="Winter mode").check()
    tab.reads("2 changes, not saved yet.")
    saves(visitor, deadband=55, dry_run=True)
    tab.click("Review")
    tab.click("Save")
    tab.reads(CHANGED)
    assert (config(home)["system"]["deadband"], config(home)["features"]["winter_mode"]) == (55, False)
    expect(tab.part("Review the result")).to_be_disabled(timeout=PATIENCE)
    Album(tab).look_all_round("config-three-ways")
    chooses(tab, DEADBAND, "Keep mine")
    tab.click("Review the result")
    tab.sees("Difference to the live configuration", "figure")
    tab.click("Save")
    is_saved(tab)
    live = config(home)
    assert (live["system"]["deadband"], live["system"]["dry_run"]) == (44, True)
    assert live["features"]["winter_mode"]


def test_taking_live_for_all_leaves_the_config_as_the_other_saved_it(
    open_tab: Opening, home: Demo, visitor: Visitor
) -> None:
    tab = open_tab(width=DESK)
    tab.expected.append("^409 POST /api/admin/maintenance/config/apply$")
    enters(tab, "config")
    deadband(tab, 46)
    tab.can("Review")
    saves(visitor, deadband=57, dry_run=False)
    tab.click("Review")
    tab.click("Save")
    tab.reads(CHANGED)
    tab.click("Take live for all")
    tab.click("Review the result")
    tab.sees("Nothing to review")
    tab.click("Back to the form")
    expect(tab.part(DEADBAND, "textbox")).to_have_value("57", timeout=PATIENCE)
    assert config(home)["system"]["deadband"] == 57


def is_saved(tab: Tab) -> None:
    """Wait until the console says so."""
    expect(tab.page.get_by_role("alert").filter(has_text="Saved")).to_be_visible(timeout=PATIENCE)


def chooses(tab: Tab, field: str, side: str) -> None:
    """Choose a side of one field."""
    tab.page.get_by_role("group", name=field).get_by_role("radio", name=side).check()


def test_an_edit_outlives_a_session_that_was_lost(open_tab: Opening, home: Demo) -> None:
    """F50: a sheet over the page, and below it everything as it was typed."""
    tab = open_tab(width=PHONE)
    tab.expected.append(SIGNED_OUT)
    enters(tab, "config")
    deadband(tab, 38)
    tab.can("Review")
    end_session(open_tab(beside=tab))
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    expect(tab.part(DEADBAND, "textbox")).to_have_value("38", timeout=PATIENCE)
    tab.click("Review")
    tab.click("Save")
    is_saved(tab)
    assert config(home)["system"]["deadband"] == 38


def test_the_history_tells_every_change_and_prepares_the_way_back_without_taking_it(
    open_tab: Opening, home: Demo, visitor: Visitor
) -> None:
    saves(visitor, deadband=20)
    saves(visitor, deadband=90)
    tab = open_tab(width=DESK)
    album = Album(tab)
    enters(tab, "config/history")
    lines = tab.page.get_by_role("listitem").filter(has=tab.page.get_by_role("heading", level=4))
    expect(lines.nth(0)).to_contain_text("Live now", timeout=PATIENCE)
    lines.nth(0).get_by_role("button", name="What changed").click()
    expect(lines.nth(0).get_by_role("figure")).to_contain_text('"deadband": 90', timeout=PATIENCE)
    album.look_all_round("config-history")
    lines.nth(1).get_by_role("button", name="Prepare a return").click()
    tab.sees("Difference to the live configuration", "figure")
    tab.reads('"deadband": 20')
    assert config(home)["system"]["deadband"] == 90
    tab.click("Save")
    is_saved(tab)
    assert config(home)["system"]["deadband"] == 20


def test_brokers_inside_devices_move_to_one_place_after_a_review(open_tab: Opening, home: Demo) -> None:
    """`site.md` 9 (W5)."""
    live = config(home)
    inline = {"host": "192.0.2.9", "port": 1883, "tls": False, "username": "ems", "password": "sun and wind"}
    shed = {"name": "shed", "type": "mqtt", "mqtt": {"topic": "home/shed", **inline}, "max_power": 600}
    path = home.site / "config/config.json"
    path.write_text(json.dumps({**live, "devices": [*live["devices"], shed]}, indent=2))
    tab = open_tab(width=PHONE)
    album = Album(tab)
    enters(tab, "config")
    tab.click("See what would change")
    tab.sees("What moves")
    tab.reads_no("sun and wind")
    album.look_all_round("config-migration")
    tab.click("Move the brokers")
    tab.reads("The brokers have moved")
    album.look_at_both("config-migrated")
    moved = config(home)
    (broker,) = moved["mqtt"]["brokers"].values()
    assert broker["host"] == "192.0.2.9"
    assert "password" not in json.dumps(moved)
    goes_to(tab, "config")
    tab.sees("System")
    assert tab.part("See what would change").count() == 0


def test_a_config_of_the_old_layout_is_taken_over_and_stays_where_it_was(
    demo: Demo, home: Demo, open_tab: Opening
) -> None:
    """`seed 000` 2 (W8)."""
    old = demo.site / "config.json"
    old.write_text(json.dumps(config(home)))
    tab = open_tab(width=DESK)
    tab.expected.append("^409 GET /api/admin/maintenance/config/schema$")  # there is no build here yet
    tab.url = demo.url
    tab.create_password()
    goes_to(tab, "config")
    tab.can("Take it over")
    Album(tab).look_at_both("config-legacy")
    tab.click("Take it over")
    tab.sees_no("Take it over", "button")
    assert config(demo) == config(home) == json.loads(old.read_bytes())
    tab.click("JSON", "link")
    expect(tab.part("config.json", "textbox")).to_have_value(re.compile('"devices"'), timeout=PATIENCE)
