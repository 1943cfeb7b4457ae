"""Leaving a Setup for something else: what it resets, what it preserves, and a yes to exactly that. `seed 000` 7.3."""

import pytest
from playwright.sync_api import expect

from tests.e2e import journey, paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import PATIENCE
from tests.e2e.visitor import Visitor
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e
ASKS = "End what is in progress?"


def test_a_switch_says_what_ends_and_stays_and_asks_again_when_that_has_changed(open_tab: Opening, demo: Demo) -> None:
    tab = open_tab(width=PHONE)
    tab.expected.append("^409 POST /api/admin/workflow-lifecycle/switch$")
    album = Album(tab)
    tab.create_password()
    paths.to_devices(tab)
    draft = tab.draft()
    tab.open("#/recovery")
    tab.click("End what is in progress")
    tab.sees(ASKS, "dialog")
    question = tab.page.get_by_role("dialog")
    for said in ("the devices and options entered here", "the live configuration", "backups"):
        expect(question.get_by_text(said, exact=True)).to_be_visible(timeout=PATIENCE)
    album.look_at_both("switch")
    tab.click("Leave it as it is")
    tab.sees_no(ASKS, "dialog")
    assert tab.draft() == draft != []

    tab.click("End what is in progress")
    tab.sees(ASKS, "dialog")
    journey.write(Visitor(demo.url).enter())
    question.get_by_role("button", name="Discard setup").click()
    tab.reads("Something has changed meanwhile")
    assert tab.asks("/api/admin/console")["setup"]["status"] == "active"
    album.look_at_both("switch-changed")
    question.get_by_role("button", name="Discard setup").click()
    tab.sees("No EMS is running yet")
    assert tab.draft() == []
    after = tab.asks("/api/admin/console")
    assert (after["lifecycle"]["owner"], after["setup"]["status"]) == ("none", "abandoned")
    assert after["alignment"]["transition"]["stage"] == "cancelled"
