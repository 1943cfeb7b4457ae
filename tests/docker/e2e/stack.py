"""What runs in the end, as the engine shows it, and as people reach it."""

from __future__ import annotations

import urllib.request
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.e2e.tab import Tab
from tests.lab.house import House

EMS: Final = "ems"
SITE: Final = "io.ems-admin.site"


def runs_the_ems(house: House, build: str = "good") -> dict[str, Any]:
    """Hold that the EMS of a build runs as its own container, by the digest of the build; the container."""
    container = house.lab.api.container(EMS)
    assert container is not None
    assert container["State"]["Status"] == "running"
    pin = house.lab.builds[build].ems
    assert pin.image is not None
    assert container["Config"]["Image"] == f"{pin.image.rpartition(':')[0]}@{pin.digest}"
    assert SITE in container["Config"]["Labels"]
    return container


def reaches_the_dashboard(tab: Tab) -> None:
    """Hold that the link on the page leads to the dashboard from where the page is open."""
    link = tab.page.get_by_role("link", name="Open the dashboard")
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    assert address is not None
    assert urlsplit(address).hostname == urlsplit(tab.url).hostname
    with urllib.request.urlopen(address, timeout=10) as page:
        assert b"<html" in page.read().lower()
