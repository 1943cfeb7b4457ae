"""An operation that waited for longer than an hour: one click goes on, and nothing typed is lost. `site.md` 3."""

import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from tests.e2e import paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.deadline import until
from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.visitor import Answer

pytestmark = pytest.mark.e2e
EXPIRED = "This operation has expired"
LONG_AGO = timedelta(hours=3)


def test_an_expired_operation_goes_on_with_one_click_and_the_draft_is_kept(open_tab: Opening, demo: Demo) -> None:
    tab = open_tab()
    tab.expected += (r"^unanswered ", r"^console: .*ERR_", r"^401 ")
    tab.create_password()
    paths.to_devices(tab)
    paths.rename_battery(tab, "Under the stairs")
    draft, before = tab.draft(), tab.asks("/api/admin/console")
    demo.kill()
    begun_long_ago(demo)
    demo.start()
    tab.sees("Please sign in again", "dialog")
    tab.sign_in()
    tab.reads(EXPIRED)
    tab.sees("Your devices")
    Album(tab).look_at_both("expired")

    clicks = tab.clicks
    tab.click("Go on")
    after = until(lambda: begun_anew(tab, before), "the operation has been begun anew and its build is here")
    assert after is not None
    tab.reads_no(EXPIRED)
    assert tab.clicks == clicks + 1
    assert tab.draft() == draft != []
    assert after["setup"]["workflow_id"] == before["setup"]["workflow_id"]
    tab.sees("Under the stairs", "article")
    tab.click("Continue to config")
    tab.can("Write configuration")


def begun_anew(tab: Tab, before: Answer) -> Answer | None:
    """Look whether another operation than before has come as far as the one before had."""
    now = tab.asks("/api/admin/console")
    was, is_ = before["alignment"]["transition"], now["alignment"]["transition"]
    return now if was["operation_id"] != is_["operation_id"] and is_["stage"] == was["stage"] else None


def begun_long_ago(demo: Demo) -> None:
    """Leave the operation as one that was begun hours ago, before the machine was last switched on."""
    record = demo.state / "pending-transition.json"
    transition = json.loads(record.read_text())
    for name in ("created_at", "updated_at", "expires_at"):
        transition[name] = f"{datetime.fromisoformat(transition[name]).astimezone(UTC) - LONG_AGO:%Y-%m-%dT%H:%M:%SZ}"
    transition["created_boot_id"] = str(uuid4())
    record.write_text(json.dumps(transition))
