"""What the console may cost: bytes of the first load, time until it can be used, requests while nothing happens.

Source: `console.md`, Proof. The bars are the console's, not those of whatever else the machine does: of several loads
the best one counts.
"""

from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import CDPSession

from tests.e2e.conftest import Opening
from tests.e2e.deadline import until
from tests.e2e.tab import Tab
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e

FIRST_LOAD: Final = 150_000
"""Bytes on the wire, headers included."""
INTERACTIVE: Final = 1_000.0
"""Milliseconds on loopback, with a processor that is four times slower."""
SLOWER: Final = 4
LOADS: Final = 5
SHORTEST_LOOP: Final = 990.0
"""Milliseconds between two requests for the same thing: a second, but for the grain of a browser's timers."""
ROUNDS: Final = 4

USABLE: Final = """new MutationObserver((_changes, observer) => {
    if (document.activeElement?.matches('input[type=password]')) {
        observer.disconnect();
        window.usableAfter = performance.now();
    }
}).observe(document, {subtree: true, childList: true, attributes: true});"""
"""The first page can be used once the cursor stands in the field for the password."""

FETCHED: Final = """['GuidedSetup', 'Maintenance', 'Recovery', 'State', 'SwitchDialog'].every((name) =>
    performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/assets/${name}`)))"""


def debugger(tab: Tab) -> CDPSession:
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return session


def test_the_first_load_is_small(open_tab: Opening) -> None:
    tab = open_tab(width=PHONE)
    sizes: list[int] = []

    def loaded(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    debugger(tab).on("Network.loadingFinished", loaded)
    tab.open()
    tab.sees("Choose a password")
    until(lambda: tab.page.evaluate(FETCHED), "the screens behind the first page are fetched as well")
    tab.page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) <= FIRST_LOAD


def test_the_first_page_is_soon_usable_on_a_slow_phone(open_tab: Opening) -> None:
    tab = open_tab(width=PHONE)
    tab.page.add_init_script(USABLE)
    debugger(tab).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    times: list[float] = []
    for _ in range(LOADS):
        tab.open()
        times.append(until(lambda: tab.page.evaluate("window.usableAfter"), "the first page can be used"))
    assert min(times) <= INTERACTIVE, times


@pytest.mark.parametrize("place", ["", "#/setup", "#/state", "#/maintenance/containers"])
def test_nothing_is_asked_for_more_than_once_a_second_while_nothing_happens(open_tab: Opening, place: str) -> None:
    tab = open_tab()
    tab.create_password()
    tab.open(place)
    tab.sees("Main", "navigation")
    started: dict[str, list[float]] = until(lambda: _rounds(tab), "the page has looked again and again")
    for path, times in started.items():
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert all(gap >= SHORTEST_LOOP for gap in gaps), (path, gaps)


def _rounds(tab: Tab) -> dict[str, list[float]]:
    """Give when each address was asked for, once the read model has been often enough; else nothing."""
    asked: list[tuple[str, float]] = tab.page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => [new URL(entry.name).pathname, entry.startTime])"
    )
    times: dict[str, list[float]] = {}
    for path, time in asked:
        if path.startswith("/api/"):
            times.setdefault(path, []).append(time)
    return times if len(times.get("/api/admin/console", ())) >= ROUNDS else {}
