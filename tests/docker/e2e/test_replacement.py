"""The Admin is replaced while a person watches: by a newer build, and by two that do not come up.

Source: `replacement.md` 7.4 (Rollback), 7.7; `faults.md` F34, F36; `console.md`, Technique (Reconnect).
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.docker.e2e.stack import runs_the_ems
from tests.e2e import paths
from tests.e2e.album import PICTURES, Album
from tests.e2e.conftest import Opening
from tests.e2e.tab import Tab
from tests.e2e.test_another_build import SHEET, WATCH
from tests.e2e.windows import PHONE
from tests.lab.house import House
from tests.lab.seen import SeenContainer

pytestmark = pytest.mark.e2e

PATIENCE: Final = 150.0
"""Seconds until a new Admin is given up: a minute for it to become well, and what stops and starts take."""
FAILED: Final = "This did not work"
GOES_AWAY: Final = (r"^unanswered ", r"^console: .*ERR_", r"^401 ", r"^50[234] ")


def begins(house: House, open_tab: Opening, build: str) -> tuple[Tab, SeenContainer]:
    """Come to the question whether the Admin of a build may take over, and say yes; the tab, and the old Admin."""
    tag = house.lab.builds[build].identity.system_tag
    house.start_admin()
    old = house.the_admin()
    assert old is not None
    tab = open_tab(width=PHONE)
    tab.expected += GOES_AWAY
    tab.page.add_init_script(WATCH)
    tab.create_password(house.code())
    tab.click("Start guided setup")
    tab.sees("Choose a release")
    tab.page.locator("label", has_text=tag).click()
    tab.click("Update this Admin first")
    tab.sees(f"Update EMS Admin to {tag}?", "dialog")
    tab.click("Update EMS Admin")
    tab.sees("Updating EMS Admin", "region")
    tab.sees("EMS Admin is being replaced")
    return tab, old


def said_meanwhile(tab: Tab) -> str:
    said: str = tab.page.evaluate("[...window.seenWhileReplaced].join('\\n')")
    return said


def test_the_same_tab_ends_on_the_newer_build_and_goes_on_to_a_healthy_ems(house: House, open_tab: Opening) -> None:
    tab, old = begins(house, open_tab, "newer")
    newer = house.lab.builds["newer"]
    house.wait_until(lambda: answers(house) == newer.identity.build_id, "the new Admin answers", limit=PATIENCE)
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    tab.sees("EMS Admin has been updated", "region")
    Album(tab, into=PICTURES / "docker").look_at_both("docker-admin-updated")
    assert tab.asks("/api/admin/console")["instance"]["build_id"] == newer.identity.build_id
    assert "The old EMS Admin makes room for the new one" in said_meanwhile(tab)
    tab.click("Go on")
    tab.sees("Your devices")
    tab.click("Add the demo devices")
    tab.click("Continue to config")
    tab.click("Write configuration")
    tab.click("Prepare")
    tab.click("Start EMS")
    paths.sees_healthy(tab)
    runs_the_ems(house, "newer")
    assert tab.asks("/api/admin/system-alignment/status")["transition"]["stage"] == "completed"
    (admin,) = house.admins()
    assert (admin.name, admin.runs, admin.image_id) == (old.name, True, newer.admin_image_id)
    assert (admin.restart_policy, admin.id != old.id) == (old.restart_policy, True)


@pytest.mark.parametrize(
    ("build", "code", "words"),
    [
        ("unhealthy", "healthcheck_failed", ()),
        (
            "dying",
            "replacement_start_failed",
            ("Exit code of the new EMS Admin", "1", "this build dies when it is to serve"),
        ),
    ],
)
def test_an_admin_that_does_not_come_up_is_taken_back_and_the_page_says_why(
    house: House, open_tab: Opening, build: str, code: str, words: tuple[str, ...]
) -> None:
    tab, old = begins(house, open_tab, build)
    failed = house.wait_until(lambda: rolled_back(house), "the old Admin is back", limit=PATIENCE)
    assert (failed["error_code"], failed["failed_stage"]) == (code, "admin_reconnect_pending")
    (admin,) = house.admins()
    assert (admin.id, admin.name, admin.runs) == (old.id, old.name, True)
    assert (admin.image_id, admin.restart_policy) == (old.image_id, old.restart_policy)
    house.wait_until(house.health, "the old Admin answers")
    tab.sees(SHEET, "dialog")
    tab.sign_in()
    told = (code, "The old EMS Admin is back", "When", failed["operation_id"], *words)
    reads_why(tab, told)
    Album(tab, into=PICTURES / "docker").look_at_both(f"docker-rolled-back-{build}")
    before = tab.part(FAILED, "region").inner_text()
    tab.page.reload()
    reads_why(tab, told)
    assert tab.part(FAILED, "region").inner_text() == before


def answers(house: House) -> str | None:
    said = house.health()
    return None if said is None else str(said["build_id"])


def rolled_back(house: House) -> dict[str, Any] | None:
    record = house.read_record("pending-transition")
    return record if record and record["stage"] == "failed_recoverable" else None


def reads_why(tab: Tab, told: tuple[str, ...]) -> None:
    region = tab.part(FAILED, "region")
    expect(region).to_be_visible()
    for word in told:
        expect(region).to_contain_text(word)
