"""The rooms of Maintenance as a person walks through them, and what stands behind them on the disk."""

import json
from typing import Any, Final

from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.visitor import Answer, Visitor

MAINTENANCE: Final = "/api/admin/maintenance"
DEADBAND: Final = "Deadband at the grid meter"


def enters(tab: Tab, room: str) -> None:
    """Open a room of Maintenance, signing in where that is still to be done."""
    tab.open()
    if not tab.asks("/api/admin/auth/status")["authenticated"]:
        tab.sign_in()
    tab.sees("Main", "navigation")
    goes_to(tab, room)


def goes_to(tab: Tab, room: str) -> None:
    """Go to a room as its link would."""
    tab.page.evaluate("where => { location.hash = `#/maintenance/${where}` }", room)


def config(demo: Demo) -> dict[str, Any]:
    """Give the live config as it lies on the disk."""
    found: dict[str, Any] = json.loads((demo.site / "config/config.json").read_bytes())
    return found


def saves(visitor: Visitor, **system: object) -> Answer:
    """Be somebody else who changes values of the system and saves."""
    live = visitor.get(f"{MAINTENANCE}/config")
    draft = {**live["config"], "system": {**live["config"]["system"], **system}}
    body = {"draft": draft, "revision": live["revision"], "confirm": True, "backup": False}
    return visitor.post(f"{MAINTENANCE}/config/apply", body)


def deadband(tab: Tab, watts: int) -> None:
    """Type another deadband into the form."""
    tab.type(DEADBAND, str(watts))
