"""From an empty folder to a healthy EMS on Docker, as a person does it from another device (`site.md` 8)."""

from __future__ import annotations

import re
from typing import Final

import pytest
import yaml
from playwright.sync_api import expect

from tests.docker.e2e.stack import EMS, reaches_the_dashboard, runs_the_ems
from tests.e2e import paths
from tests.e2e.album import PICTURES, Album
from tests.e2e.conftest import Opening
from tests.e2e.windows import PHONE
from tests.lab.house import House

pytestmark = pytest.mark.e2e

LAYERS: Final = re.compile(r"\d+ of \d+ layers")
FETCH: Final = "Fetch the EMS"


def test_an_ems_is_installed_onto_docker_through_the_console(house: House, open_tab: Opening) -> None:
    house.start_admin()
    ems = house.lab.builds["good"].ems
    house.lab.api.ask("DELETE", f"images/{ems.image}", force="1", noprune="1")
    tab = open_tab(width=PHONE)
    album = Album(tab, into=PICTURES / "docker")
    tab.create_password(house.code())
    # Whoever comes from another device by plain HTTP has none of what browsers keep for safe pages.
    assert tab.page.evaluate("isSecureContext") is False
    paths.to_start(tab)
    album.look_at_both("docker-before-start")
    (job,) = [job for job in tab.asks("/api/admin/console")["jobs"] if job["kind"] == "deployment_prepare"]
    (fetch,) = [step for step in job["steps"] if step["label"] == FETCH]
    assert (fetch["status"], fetch["percent"]) == ("succeeded", 100)
    assert LAYERS.search(fetch["detail"]), fetch
    tab.click("Prepare")
    expect(tab.part("Preparing the EMS", "region")).to_contain_text(fetch["detail"])
    tab.click("Continue to start")
    tab.click("Start EMS")
    paths.sees_healthy(tab)
    album.look_at_both("docker-healthy")
    container = runs_the_ems(house)
    reaches_the_dashboard(tab)
    written = yaml.safe_load((house.root / "docker-compose.yml").read_text())["services"][EMS]
    assert written["image"] == container["Config"]["Image"]
    assert {admin.name for admin in house.admins()} == {"ems-admin"}
