"""Pictures of the screens for a person to look at, and what can be said about each without one.

Every screen is looked at in light and in dark: nothing that matters may be hidden from a reader of either, nor from
one who listens, nor lie outside a phone.
"""

import time
from pathlib import Path
from typing import Any, Final

from tests.e2e.tab import Tab
from tests.e2e.windows import HEIGHTS, SCHEMES, Scheme
from tests.house.tracked import ROOT

PICTURES: Final = ROOT / "test-output" / "e2e"
AXE: Final = ROOT / "src/ems_admin/http/console/node_modules/axe-core/axe.min.js"
SETTLED: Final = 3.0
"""Seconds that a page may take to fit a window that has just become another one."""
GRAVE: Final = frozenset({"serious", "critical"})

SETTLE: Final = """async () => {
    for (let look = 0; look < 5; look += 1) {
        document.getAnimations()
            .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
            .forEach((animation) => animation.finish());
        await new Promise((done) => setTimeout(done, 0));
    }
}"""
"""Colours on their way from one scheme to the other are nobody's contrast; what inherits one moves after it."""


class Album:
    """The pictures of one tab of one width, numbered in the order in which they are taken."""

    def __init__(self, tab: Tab, *, into: Path = PICTURES) -> None:
        self._tab = tab
        self._into = into
        self._taken = 0
        into.mkdir(parents=True, exist_ok=True)

    def look(self, name: str) -> None:
        """Take the screen in both schemes and check it; the scheme of the tab is as before."""
        own = self._scheme
        self._taken += 1
        for scheme in sorted(SCHEMES, key=lambda scheme: scheme == own):
            self._take(name, scheme)

    def look_at_both(self, name: str) -> None:
        """Take the screen at both widths, the phone by day and the desk by night; the tab is as before."""
        page, own = self._tab.page, self._scheme
        before = page.viewport_size
        assert before is not None
        self._taken += 1
        for scheme, (width, height) in zip(SCHEMES, HEIGHTS.items(), strict=True):
            page.set_viewport_size({"width": width, "height": height})
            self._take(name, scheme)
        page.set_viewport_size(before)
        page.emulate_media(color_scheme=own)

    def look_all_round(self, name: str) -> None:
        """Take the screen at both widths and in both schemes; the tab is as before."""
        page, own = self._tab.page, self._scheme
        before = page.viewport_size
        assert before is not None
        self._taken += 1
        for width, height in HEIGHTS.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                self._take(name, scheme)
        page.set_viewport_size(before)
        page.emulate_media(color_scheme=own)

    @property
    def _scheme(self) -> Scheme:
        dark: bool = self._tab.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        return "dark" if dark else "light"

    def _take(self, name: str, scheme: Scheme) -> None:
        page = self._tab.page
        window = page.viewport_size
        assert window is not None
        page.emulate_media(color_scheme=scheme)
        where = f"{name} at {window['width']} px, {scheme}"
        assert fits(self._tab), f"{where}: wider than the window"
        barriers = grave_barriers(self._tab)
        assert not barriers, f"{where}: {barriers}"
        # A window as high as the page: what is fixed to its lower edge then does not cover the middle.
        height = max(window["height"], page.evaluate("document.documentElement.scrollHeight"))
        page.set_viewport_size({"width": window["width"], "height": height})
        page.screenshot(path=self._into / f"{window['width']}-{scheme}" / f"{self._taken:02}-{name}.png")
        page.set_viewport_size(window)


def grave_barriers(tab: Tab) -> list[str]:
    """Ask axe what keeps people from using the present page; empty when nothing does."""
    page = tab.page
    page.evaluate(SETTLE)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # through the debugger: the page's content policy would not let it in
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in GRAVE
        for node in found["nodes"]
    ]


def fits(tab: Tab) -> bool:
    """Say whether the page comes to be no wider than the window: a page that was just resized may still move."""
    deadline = time.monotonic() + SETTLED
    # Asked from outside: a look that waits inside the page is code that its content policy forbids.
    while not tab.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"):
        if time.monotonic() > deadline:
            return False
        tab.page.evaluate("new Promise((done) => requestAnimationFrame(() => done(null)))")
    return True
