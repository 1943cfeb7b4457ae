"""A container that bears the name of the EMS: seen in the console, cleared there, and the start goes on.

Source: `site.md` 8 (Conflict object, the one retry); `faults.md` F32; `console.md`, Proof.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from tests.docker.e2e.stack import EMS, runs_the_ems
from tests.e2e import paths
from tests.e2e.album import PICTURES, Album
from tests.e2e.conftest import Opening
from tests.e2e.tab import Tab
from tests.e2e.windows import PHONE
from tests.lab.house import House

pytestmark = pytest.mark.e2e

IN_THE_WAY: Final = f"A container named {EMS} is in the way"
REMOVE: Final = "Remove it and start"
REPLACE: Final = "Stop it, remove it and start"
READ_MODEL: Final = "**/api/admin/console"


def stranger(house: House, *command: str) -> str:
    """Put somebody else's container under the name of the EMS; it ends as soon as it is asked to."""
    return house.lab.api.run(EMS, {"Image": house.lab.base, "Cmd": list(command), "StopSignal": "SIGKILL"})


def stopped(house: House) -> str:
    made = stranger(house, "true")
    house.wait_until(lambda: state_of(house, made) == "exited", "the stranger has stopped")
    return made


def state_of(house: House, container: str) -> str | None:
    found = house.lab.api.container(container)
    return None if found is None else str(found["State"]["Status"])


def comes_to_start(house: House, open_tab: Opening) -> Tab:
    tab = open_tab(width=PHONE)
    tab.open("#/setup/start")
    tab.sign_in()
    tab.sees("Start your EMS")
    return tab


def reads_of_it(tab: Tab, container: str, state: str, house: House) -> None:
    note = tab.part(IN_THE_WAY, "region")
    expect(note).to_be_visible()
    for word in (state, house.lab.base, container[:12], "ems-admin/ems@sha256:"):
        expect(note).to_contain_text(word)


def test_a_stopped_stranger_is_removed_and_the_start_goes_on(before_start: House, open_tab: Opening) -> None:
    house, made = before_start, stopped(before_start)
    tab = comes_to_start(house, open_tab)
    reads_of_it(tab, made, "exited", house)
    Album(tab, into=PICTURES / "docker").look_at_both("conflict-stopped")
    tab.sees_no(REPLACE, "button")
    tab.click(REMOVE)
    paths.sees_healthy(tab)
    assert runs_the_ems(house)["Id"] != made
    assert house.lab.api.container(made) is None


def test_a_start_that_meets_a_running_stranger_fails_and_replacing_it_lets_it_go_on(
    before_start: House, open_tab: Opening
) -> None:
    house = before_start
    tab = comes_to_start(house, open_tab)
    tab.can("Start EMS")
    made = stranger(house, "sleep", "1000")
    tab.click("Start EMS")
    tab.reads("Another container already has the name that is needed.")
    reads_of_it(tab, made, "running", house)
    album = Album(tab, into=PICTURES / "docker")
    album.look_at_both("conflict-running")
    assert failure(tab) == ("failed_recoverable", "container_name_conflict")
    tab.click(REPLACE)
    tab.sees(f"Stop and replace {EMS}?", "dialog")
    album.look_at_both("conflict-question")
    tab.click("Leave it running")
    assert state_of(house, made) == "running"
    tab.click(REPLACE)
    tab.click("Stop and replace")
    paths.sees_healthy(tab)
    assert runs_the_ems(house)["Id"] != made
    assert house.lab.api.container(made) is None


def test_one_that_is_not_there_any_more_is_not_cleared_but_looked_at_anew(
    before_start: House, open_tab: Opening
) -> None:
    house, made = before_start, stopped(before_start)
    tab = comes_to_start(house, open_tab)
    reads_of_it(tab, made, "exited", house)
    tab.expected.append(r"^409 POST /api/setup/deployment/resolve-container-conflict")
    look = HeldLooks(tab)
    house.lab.api.remove(made)
    tab.click(REMOVE)
    tab.reads("The conflict is no longer the one that was shown.")
    look.let_go()
    tab.sees_no(IN_THE_WAY, "region")
    assert house.lab.api.container(EMS) is None
    tab.click("Start EMS")
    paths.sees_healthy(tab)
    runs_the_ems(house)


class HeldLooks:
    """The regular looks of a page, held on their way: it goes on showing what it has."""

    def __init__(self, tab: Tab) -> None:
        self._page = tab.page
        self._held: list[Route] = []
        self._holds = True
        self._page.route(READ_MODEL, self._hold)

    def _hold(self, route: Route) -> None:
        if self._holds:
            self._held.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        self._holds = False
        for route in self._held:
            route.continue_()


def failure(tab: Tab) -> tuple[Any, Any]:
    transition = tab.asks("/api/admin/system-alignment/status")["transition"]
    return transition["stage"], transition["error_code"]
