"""A person who upgrades over HTTP: verifies, plans, agrees, and goes on after whatever has happened."""

from __future__ import annotations

import contextlib
import time
from http.client import HTTPException
from threading import Thread
from typing import Any, Final

from attrs import define, field

from tests.docker.upgrade.site import UpgradeHouse
from tests.e2e.visitor import Answer, Visitor

UPGRADE: Final = "/api/admin/maintenance/upgrade"
STATUS: Final = "/api/admin/system-alignment/status"
CANCEL: Final = "/api/admin/system-alignment/cancel"
LIMIT: Final = 200.0
"""Seconds until an upgrade is over: two limits of the product one after the other, and what a busy machine adds."""
BETWEEN: Final = 0.5
MOST_CLICKS: Final = 6
AWAY: Final = (OSError, HTTPException, ValueError, AssertionError)
"""What a page meets while its Admin is replaced: it asks again."""


@define(kw_only=True)
class Operator:
    """One person before one site. Mutable: what was heard is kept."""

    house: UpgradeHouse
    options: dict[str, bool] = field(factory=dict)
    heard: list[str] = field(factory=list)
    """The code by which each piece of work has ended that did not end well, and each refusal."""

    def sign_in(self) -> Visitor:
        """Sign in at whichever Admin answers."""
        return Visitor(self.house.url).enter(None)

    def agree(self) -> Thread:
        """Verify, plan and agree; who is held on the way does not answer."""
        visitor = self.sign_in()
        tag = self.house.lab.builds["newer"].identity.system_tag
        found = visitor.post(f"{UPGRADE}/validate", {"tag": tag})
        wish = {
            "tag": tag,
            "options": self.options,
            "selection_fingerprint": found["action_state"]["selection_fingerprint"],
        }
        plan = visitor.post(f"{UPGRADE}/plan", wish)
        body = {
            **wish,
            "migration_revision": plan["migration_revision"],
            "plan_fingerprint": plan["plan_fingerprint"],
            "confirm": True,
        }

        def ask() -> None:
            with contextlib.suppress(*AWAY):
                status, answer = visitor.tries(f"{UPGRADE}/execute", body)
                if status != 202:
                    self.heard.append(str(answer["error"]))

        asking = Thread(target=ask, daemon=True)
        asking.start()
        return asking

    def go_on(self) -> None:
        """Go on as often as it takes, each time after looking, until the upgrade is over."""
        deadline, clicks = time.monotonic() + LIMIT, 0
        while not self.is_over:
            assert time.monotonic() < deadline, f"it is not over after {LIMIT:.0f} s. {self.told()}"
            assert clicks < MOST_CLICKS, f"it is not over after {MOST_CLICKS} clicks. {self.told()}"
            clicks += self.click()

    def call_off(self) -> None:
        """Call the upgrade off, once an Admin answers. Raises `AssertionError` when that is refused."""
        visitor = self.house.wait_until(self._signed_in, "somebody answers", limit=LIMIT)
        transition = visitor.get(STATUS)["transition"]
        visitor.post(CANCEL, {"operation_id": transition["operation_id"], "confirm": True})

    def _signed_in(self) -> Visitor | None:
        with contextlib.suppress(*AWAY):
            return self.sign_in()
        return None

    def click(self) -> bool:
        """Look once, and go on where nothing moves by itself; say whether that was done."""
        clicked = False
        with contextlib.suppress(*AWAY):
            clicked = self._look_and_click()
        time.sleep(BETWEEN)  # between two looks
        return clicked

    def go_on_until(self, code: str) -> None:
        """Go on until a piece of work has ended by this code."""
        deadline = time.monotonic() + LIMIT
        while code not in self.heard:
            assert time.monotonic() < deadline, f"nothing has ended by {code} after {LIMIT:.0f} s. {self.told()}"
            self.click()

    @property
    def is_over(self) -> bool:
        """Say whether the operation of the upgrade is completed, and its context cleared."""
        transition = self.house.read_record("pending-transition") or {}
        upgrade = transition.get("mode") == "guided_upgrade" and transition["stage"] == "completed"
        return upgrade and self.house.read_record("guided-upgrade-context") is None

    def _look_and_click(self) -> bool:
        """Look, and click where nothing moves by itself; say whether that was done."""
        visitor = self.sign_in()
        transition = visitor.get(STATUS)["transition"] or {}
        if transition.get("worker_active") or transition.get("replacement_active"):
            return False
        if transition.get("mode") != "guided_upgrade":
            self.agree().join()
            return True
        if transition["stage"] == "completed":
            return False
        _, answer = visitor.tries(f"{UPGRADE}/resume", {"operation_id": transition["operation_id"]})
        if not answer["ok"]:
            self.heard.append(str(answer["error"]))
        elif "steps" in answer:
            self._follow(visitor, answer)
        return True

    def _follow(self, visitor: Visitor, job: Answer) -> None:
        while job["status"] == "running":
            time.sleep(BETWEEN)
            job = visitor.get(f"/api/admin/jobs/{job['id']}")
        if job["error"]:
            self.heard.append(str(job["error"]["code"]))

    def told(self) -> str:
        """Say in one line where the site stands."""
        found: dict[str, Any] = self.house.read_record("pending-transition") or {}
        words = {name: found.get(name) for name in ("mode", "stage", "error_code", "error_message")}
        containers = [(one["Name"], one["State"]["Status"]) for one in self.house.everything()]
        return f"{words} heard {self.heard} {containers} {self.house.services}"
