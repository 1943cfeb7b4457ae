"""A tab of a browser, as one person sees it: what is clicked is counted, what goes wrong is noted."""

import re
from typing import Any, Final

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Response, expect

from tests.e2e.visitor import PASSWORD

PATIENCE: Final = 40_000.0
"""Milliseconds until a state has to be seen."""
BUTTON: Final = "button"
LEFT: Final = "net::ERR_ABORTED"
"""What a request ends with when its page is left."""

# The browser repeats in its console what the responses and failed requests say more exactly.
_REPEATED = re.compile(r"^Failed to load resource")


class Tab:
    """One tab. `expected` holds patterns of what may go wrong in this case; everything else fails the test."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.clicks = 0
        self.expected: list[str] = []
        self._noted: list[str] = []
        page.set_default_timeout(PATIENCE)
        # Announced in the console by the browser as well, but only for some directives.
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`))"
        )
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._noted.append(f"script: {error}"))
        page.on("response", self._answered)
        page.on("requestfailed", self._failed)

    @property
    def faults(self) -> list[str]:
        """What went wrong and was not to be expected."""
        return [fault for fault in self._noted if not any(re.search(pattern, fault) for pattern in self.expected)]

    def open(self, place: str = "") -> None:
        self.page.goto(f"{self.url}/{place}")

    def click(self, name: str, role: Any = BUTTON) -> None:
        """Click what has this name, once it can be clicked."""
        self.clicks += 1
        self.part(name, role).click()

    def part(self, name: str, role: Any = BUTTON) -> Locator:
        return self.page.get_by_role(role, name=name, exact=True)

    def sees(self, name: str, role: Any = "heading") -> None:
        """Wait until it is there."""
        expect(self.part(name, role)).to_be_visible(timeout=PATIENCE)

    def sees_no(self, name: str, role: Any = "heading") -> None:
        """Wait until it is gone."""
        expect(self.part(name, role)).to_have_count(0, timeout=PATIENCE)

    def can(self, name: str) -> None:
        """Wait until a button can be pressed."""
        expect(self.part(name)).to_be_enabled(timeout=PATIENCE)

    def reads(self, text: str) -> None:
        """Wait until a sentence is there."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)

    def reads_no(self, text: str) -> None:
        """Wait until a sentence is gone."""
        expect(self.page.get_by_text(text)).to_have_count(0, timeout=PATIENCE)

    def type(self, name: str, text: str) -> None:
        self.part(name, "textbox").fill(text)

    def create_password(self, code: str | None = None) -> None:
        """Be the first visitor; from another device that takes the one-time code."""
        self.open()
        if code is not None:
            self.type("One-time code", code)
        self.type("New password", PASSWORD)
        self.type("Repeat password", PASSWORD)
        self.click("Create password")
        self.sees("Right now")

    def sign_in(self) -> None:
        """Enter, on the page or on the sheet over it."""
        self.type("Password", PASSWORD)
        self.click("Sign in")
        self.sees_no("Password", "textbox")

    def asks(self, path: str) -> dict[str, Any]:
        """Ask the server as this person, beside the page."""
        answer: dict[str, Any] = self.page.request.get(f"{self.url}{path}").json()
        return answer

    def draft(self) -> list[dict[str, Any]]:
        """Give the devices that this browser remembers."""
        found: list[dict[str, Any]] = self.page.evaluate(
            "JSON.parse(localStorage.getItem('ems-admin-config-draft') ?? '[]')"
        )
        return found

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _REPEATED.match(message.text):
            self._noted.append(f"console: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:  # where HTTP's errors begin
            self._noted.append(f"{response.status} {response.request.method} {self._path(response.url)}")

    def _failed(self, request: Request) -> None:
        if request.failure == LEFT:
            return
        self._noted.append(f"unanswered {request.method} {self._path(request.url)}: {request.failure}")

    def _path(self, url: str) -> str:
        return url.removeprefix(self.url)
