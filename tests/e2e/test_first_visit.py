"""A person who has never seen the product, from the one printed address to a healthy EMS. `console.md`, Proof."""

import http.client
from urllib.parse import urlsplit

import pytest

from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.visitor import PASSWORD
from tests.e2e.windows import DESK, PHONE, Scheme

CLICKS = 14
"""Fewer than fifteen, sign-in and the way home among them."""


@pytest.mark.e2e
@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_first_visitor_gets_a_healthy_ems_in_a_few_clicks(
    demo: Demo, open_tab: Opening, width: int, scheme: Scheme
) -> None:
    tab = open_tab(width=width, scheme=scheme)
    album = Album(tab)
    choose_a_password(tab, album)
    choose_the_release(tab, album)
    describe_the_devices(tab, album)
    write_the_config(tab, album)
    prepare(tab, album)
    start(tab, album)
    assert tab.clicks <= CLICKS
    the_ems_answers_and_is_remembered(demo, tab)
    look_around(tab, album)


def choose_a_password(tab: Tab, album: Album) -> None:
    tab.open()
    tab.sees("Choose a password")
    album.look("first-password")
    tab.type("New password", PASSWORD)
    tab.type("Repeat password", PASSWORD)
    tab.click("Create password")
    tab.sees("No EMS is running yet")
    album.look("home-at-first")


def choose_the_release(tab: Tab, album: Album) -> None:
    tab.click("Start guided setup")
    tab.sees("Choose a release")
    tab.can("Use this build")
    album.look("release")
    tab.click("Use this build")
    tab.sees("Bringing the build here", "region")


def describe_the_devices(tab: Tab, album: Album) -> None:
    tab.sees("Your devices")
    tab.can("Add the demo devices")
    album.look("devices-none-yet")
    tab.click("Add the demo devices")
    tab.can("Continue to config")
    album.look("devices")
    tab.click("Continue to config")


def write_the_config(tab: Tab, album: Album) -> None:
    tab.sees("Look at the configuration")
    tab.can("Write configuration")
    tab.sees("Difference to the live configuration", "figure")
    album.look("config")
    tab.click("Write configuration")


def prepare(tab: Tab, album: Album) -> None:
    tab.sees("Put everything in place")
    tab.can("Prepare")
    album.look("prepare")
    tab.click("Prepare")


def start(tab: Tab, album: Album) -> None:
    tab.sees("Start your EMS")
    tab.can("Start EMS")
    album.look("start")
    tab.click("Start EMS")
    tab.sees("Starting the EMS", "region")
    album.look("starting")
    tab.sees("Your EMS is running")
    tab.reads("Healthy")
    album.look("finished")


def the_ems_answers_and_is_remembered(demo: Demo, tab: Tab) -> None:
    model = tab.asks("/api/admin/console")
    assert (model["setup"]["status"], model["alignment"]["transition"]["stage"]) == ("completed", "completed")
    assert len(demo.ems_pids()) == 1
    shown = tab.part("Open the dashboard", "link").get_attribute("href")
    assert shown == model["deployment"]["dashboard_url"]
    assert shown is not None
    address = urlsplit(shown)
    connection = http.client.HTTPConnection(address.netloc, timeout=10)
    try:
        connection.request("GET", address.path)
        page = connection.getresponse()
        assert page.status == http.HTTPStatus.OK
        assert b"<html" in page.read().lower()
    finally:
        connection.close()


def look_around(tab: Tab, album: Album) -> None:
    tab.click("Go to home")
    tab.sees("Right now")
    tab.reads("Healthy")
    album.look("home")
    tab.click("Maintenance", "link")
    tab.sees("Maintenance")
    album.look("maintenance")
    tab.click("State", "link")
    tab.sees("Last transitions")
    album.look("state")
