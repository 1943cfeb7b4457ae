"""Clicks that nobody planned for: two at once, and the way back."""

import pytest

from tests.e2e import paths
from tests.e2e.conftest import Opening
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e


def test_a_double_click_starts_one_piece_of_work(open_tab: Opening) -> None:
    tab = open_tab()
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(tab.url)}"))
    tab.create_password()
    paths.to_release(tab)
    tab.part("Use this build").dblclick()
    tab.sees("Your devices")
    assert asked.count("POST /api/setup/releases/prepare") == 1
    jobs = tab.asks("/api/admin/console")["jobs"]
    assert [(job["kind"], job["status"]) for job in jobs] == [("setup_release_prepare", "succeeded")]


def test_the_back_button_goes_through_the_steps_and_home(open_tab: Opening) -> None:
    tab = open_tab(width=PHONE)
    tab.create_password()
    paths.to_config(tab)
    draft = tab.draft()
    tab.page.go_back()
    tab.sees("Your devices")
    tab.page.go_forward()
    tab.sees("Look at the configuration")
    tab.can("Write configuration")
    for heading in ("Your devices", "Choose a release"):
        tab.page.go_back()
        tab.sees(heading)
    tab.page.go_back()
    tab.can("Continue guided setup")
    assert tab.draft() == draft != []


def test_the_back_button_does_not_reach_steps_that_a_restart_has_closed(open_tab: Opening) -> None:
    tab = open_tab()
    tab.create_password()
    paths.to_config(tab)
    tab.click("Restart setup")
    tab.page.get_by_role("dialog").get_by_role("button", name="Restart setup").click()
    tab.sees("Choose a release")
    tab.page.go_back()
    tab.sees("Choose a release")
    assert tab.draft() == []
