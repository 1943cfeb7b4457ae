"""The way through Guided Setup in the console, in parts, for the cases that begin somewhere on it."""

from tests.e2e.tab import Tab


def to_release(tab: Tab) -> None:
    """From Home to the first step, where a build can be taken."""
    tab.click("Start guided setup")
    tab.sees("Choose a release")
    tab.can("Use this build")


def to_devices(tab: Tab) -> None:
    """Take the build, and add the devices of the demo."""
    to_release(tab)
    tab.click("Use this build")
    tab.sees("Your devices")
    tab.click("Add the demo devices")
    tab.can("Continue to config")


def to_config(tab: Tab) -> None:
    to_devices(tab)
    tab.click("Continue to config")
    tab.can("Write configuration")


def to_start(tab: Tab) -> None:
    to_config(tab)
    tab.click("Write configuration")
    tab.can("Prepare")
    tab.click("Prepare")
    tab.can("Start EMS")


def to_healthy(tab: Tab) -> None:
    to_start(tab)
    tab.click("Start EMS")
    sees_healthy(tab)


def sees_healthy(tab: Tab) -> None:
    tab.sees("Your EMS is running")
    tab.reads("Healthy")


def rename_battery(tab: Tab, name: str) -> None:
    """Type something into the draft that no example brings along."""
    tab.page.get_by_text("Details of Battery in the cellar", exact=True).click()
    tab.page.get_by_role("article", name="Battery in the cellar").get_by_role("textbox", name="Name", exact=True).fill(
        name
    )
