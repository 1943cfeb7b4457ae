"""Refused because something else has changed or runs: what it is, and what can be done. `console.md`, screen 7."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e import journey, paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import PATIENCE, Tab
from tests.e2e.visitor import Visitor
from tests.e2e.windows import DESK, PHONE

pytestmark = pytest.mark.e2e
CHANGED = "The configuration has changed"
RUNS = "Something is running"


def test_a_live_config_that_changed_is_reviewed_again_or_the_draft_is_let_go(open_tab: Opening, demo: Demo) -> None:
    """`seed 000` 3 rows 21, 24; 5.2."""
    tab = open_tab(width=PHONE)
    tab.expected.append("^409 POST /api/setup/config/write$")
    tab.create_password()
    paths.to_config(tab)
    draft = tab.draft()
    change_live_config(demo, '{"written": "by hand"}')
    tab.click("Write configuration")
    tab.reads(CHANGED)
    expect(tab.part("Write configuration")).to_be_disabled(timeout=PATIENCE)
    Album(tab).look_at_both("config-changed")
    tab.click("Review again")
    tab.can("Write configuration")
    tab.reads_no(CHANGED)
    assert tab.draft() == draft != []

    workflow = tab.asks("/api/admin/console")["setup"]["workflow_id"]
    change_live_config(demo, '{"written": "once more"}')
    tab.click("Write configuration")
    tab.reads(CHANGED)
    tab.click("Discard local draft")
    tab.sees("Your devices")
    tab.sees("No devices yet")
    assert tab.draft() == []
    setup = tab.asks("/api/admin/console")["setup"]
    assert (setup["workflow_id"], setup["status"]) == (workflow, "active")


def test_what_is_live_is_taken_into_the_draft_field_by_field(open_tab: Opening, demo: Demo) -> None:
    """`seed 000` 6.5: reviewed, live and mine side by side; what comes of it is a draft that is reviewed again."""
    tab = open_tab(width=DESK)
    tab.expected.append("^409 POST /api/setup/config/write$")
    tab.create_password()
    paths.to_config(tab)
    cellar = next(card for card in tab.draft() if card["role"] == "battery")
    other = {"name": cellar["config_name"], "type": "local_api", "ip": "192.0.2.77", "max_power": 1234}
    change_live_config(demo, json.dumps({"devices": [other]}))
    tab.click("Write configuration")
    tab.reads(CHANGED)
    fields = tab.part("Field by field", "region")
    Album(tab).look_all_round("config-changed-field-by-field")
    tab.click("Keep mine for all")
    fields.get_by_role("group", name=re.compile("· ip$")).get_by_role("radio", name="Take live").check()
    tab.click("Review the result")
    tab.can("Write configuration")
    tab.reads_no(CHANGED)
    (battery,) = (card for card in tab.draft() if card["role"] == "battery")
    assert battery == {**cellar, "ip": "192.0.2.77"}
    tab.reads("192.0.2.77")


def change_live_config(demo: Demo, text: str) -> None:
    live = demo.site / "config/config.json"
    live.parent.mkdir(exist_ok=True)
    live.write_text(text)


def test_a_click_that_meets_running_work_is_told_what_runs_and_since_when(open_tab: Opening, demo: Demo) -> None:
    """`faults.md` F38, F45: nothing is queued, and the kind and the start of what runs are named."""
    tab = open_tab(width=DESK)
    tab.expected.append("^409 POST /api/setup/(abandon|deployment/prepare)$")
    tab.create_password()
    paths.to_start(tab)
    started = asked_while_a_start_runs(tab, Visitor(demo.url).enter())
    tab.reads(RUNS)
    told = tab.page.get_by_role("alert")
    expect(told.get_by_text("Starting the EMS")).to_be_visible()
    Album(tab).look_at_both("running-operation")
    # It may have ended while the pictures were taken, and then the panel says that.
    told.get_by_role("button", name=re.compile("Wait here|Try again")).click()
    expect(told).to_have_count(0, timeout=PATIENCE)
    assert tab.asks("/api/admin/console")["setup"]["status"] in {"active", "completed"}
    Visitor(demo.url).enter().until_done(started)
    paths.sees_healthy(tab)


def asked_while_a_start_runs(tab: Tab, other: Visitor) -> str:
    """Ask to begin anew while somebody else's start runs; the id of that start."""
    tab.click("Restart setup")
    question = tab.page.get_by_role("dialog")
    job: str = journey.start(other)["id"]
    question.get_by_role("button", name="Restart setup").click()
    return job
