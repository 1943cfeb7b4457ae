"""A demo and a browser for each test that wants them; nothing of either is left behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.e2e import journey
from tests.e2e.album import PICTURES
from tests.e2e.demo import Demo, demo_at
from tests.e2e.tab import Tab
from tests.e2e.visitor import Visitor
from tests.e2e.windows import DESK, HEIGHTS, PHONE, Scheme

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    with demo_at(tmp_path / "demo") as running:
        yield running


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A site whose EMS has been running for a while, and that several tests live in one after another."""
    with demo_at(tmp_path_factory.mktemp("home") / "demo") as running:
        journey.to_the_end(Visitor(running.url).enter())
        yield running


@pytest.fixture
def address(demo: Demo) -> str:
    """Where the Admin is that the tabs of a test are opened on."""
    return demo.url


@pytest.fixture
def visitor(demo: Demo) -> Visitor:
    """Somebody else than the person at the browser."""
    return Visitor(demo.url).enter()


# Of a module, not of the session: while Playwright runs, no other event loop can run in its thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


class Opening(Protocol):
    """How a test comes to its tabs."""

    def __call__(self, *, width: int = DESK, scheme: Scheme = "light", beside: Tab | None = None) -> Tab:
        """Open a tab, of a browser of its own or beside another one in the same browser."""
        ...


@pytest.fixture
def open_tab(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Opening]:
    """Open tabs, and hold at the end that nothing went wrong in any of them."""
    failed_before = request.session.testsfailed
    contexts: list[BrowserContext] = []
    tabs: list[Tab] = []

    def opening(*, width: int = DESK, scheme: Scheme = "light", beside: Tab | None = None) -> Tab:
        if beside is None:
            contexts.append(
                browser.new_context(
                    viewport={"width": width, "height": HEIGHTS[width]},
                    color_scheme=scheme,
                    reduced_motion="reduce",
                    has_touch=width == PHONE,
                    locale="en-GB",
                )
            )
        page: Page = contexts[-1].new_page() if beside is None else beside.page.context.new_page()
        tabs.append(Tab(page, address))
        return tabs[-1]

    yield opening
    if request.session.testsfailed > failed_before:
        for number, tab in enumerate(tabs, start=1):
            tab.page.screenshot(path=PICTURES / "failed" / f"{request.node.name}-{number}.png", full_page=True)
    faults = [fault for tab in tabs for fault in tab.faults]
    for context in contexts:
        context.close()
    assert not faults
