"""The crowd: clients that ask at random, and some that go the good path, so that there is something to break."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from attrs import define

from ems_admin.http.routes import TABLE
from tests.http.browser import Answer, Browser
from tests.http.hammer.acts import ACTS
from tests.http.hammer.known import CREATING, Known

GOOD_PATH = (
    "/api/admin/start-path",
    "/api/setup/releases/prepare",
    "/api/setup/config-preview",
    "/api/setup/config/write",
    "/api/setup/config-preview",
    "/api/setup/config/apply",
    "/api/setup/deployment/prepare",
    "/api/setup/deployment/start",
)
SIGNING = frozenset(path for path in ACTS if "/auth/" in path)
RARE = SIGNING | {
    "/api/setup/abandon",
    "/api/setup/cleanup/disown",
    "/api/setup/system-build/supersede",
    "/api/admin/workflow-lifecycle/switch",
    "/api/admin/workflow-lifecycle/recovery",
}
"""What ends things is asked for less often, or nobody would ever get anywhere."""
VIEWS = ("/api/admin/console", "/api/admin/system-alignment/status", "/api/admin/workflow-lifecycle")


@define
class Client:
    """One of the crowd."""

    browser: Browser
    known: Known
    patient: bool
    first: str
    """What this one begins with, so that nothing is left out by chance."""

    async def hammer(self, until: float) -> None:
        """Ask and ask until the time is over."""
        await self._ask(self.first)
        while time.monotonic() < until:
            for path in GOOD_PATH if self.patient else self._choice():
                await self._ask(path)
                if self.patient:
                    await self._look()

    def _choice(self) -> tuple[str, ...]:
        paths = [route.path for route in TABLE if route.path in ACTS]
        path = self.known.random.choice(paths)
        return () if path in SIGNING and self.known.random.random() < 0.8 else (path,)

    async def _ask(self, path: str) -> None:
        body, headers = ACTS[path](self.known), {}
        if path in CREATING:
            headers = {"X_Setup_Intent_ID": self.known.one("intent")}
        answer = await self.browser.post(path.format(id=self.known.one("job"), service="nobody"), body, **headers)
        self.known.learn(path, body, headers, answer)
        self._signed(path, answer)
        if answer.status == 401:
            await self.browser.sign_in()
        if answer.status == 202 and self.patient:
            with suppress(AssertionError):
                await self.browser.ended(answer, limit=20)

    async def _look(self) -> None:
        for path in VIEWS:
            answer = await self.browser.get(path)
            self.known.learn(path, {}, {}, answer)
        await asyncio.sleep(0)

    def _signed(self, path: str, answer: Answer) -> None:
        if path in SIGNING and answer.status == 200 and "csrf_token" in answer.json:
            self.browser.csrf = answer.json["csrf_token"]


def results(known: Known) -> dict[str, Any]:
    """Say what the crowd has done, for the log of the run."""
    return {
        "requests": sum(known.asked.values()),
        "granted": sum(known.granted.values()),
        "statuses": dict(sorted(known.statuses.items())),
        "codes": dict(known.codes.most_common()),
    }
