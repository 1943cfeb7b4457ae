"""The way through a Guided Upgrade in the console, in parts, for the cases that begin somewhere on it."""

from typing import Final

from playwright.sync_api import expect

from tests.e2e.album import Album
from tests.e2e.tab import Tab

ROOM: Final = "#/maintenance/upgrade"
SHEET: Final = "Please sign in again"
REPLACED: Final = "EMS Admin is being replaced"
WATCH: Final = """new MutationObserver(() => {
    const page = document.querySelector('.reconnect');
    if (page) (window.seenWhileReplaced ??= new Set()).add(page.innerText);
}).observe(document, {subtree: true, childList: true, characterData: true});"""
"""What the page of the reconnect has said, however short it stood there."""
REPLACEMENT: Final = 120_000.0
"""Milliseconds for an Admin to be replaced: several processes start one after another, each from nothing."""
AWAY: Final = (r"^unanswered ", r"^console: .*ERR_", r"^401 ")
"""What goes wrong in a tab while no Admin answers, and until its operator has signed in to the new one."""


def enters(tab: Tab) -> None:
    """Come to the room of the upgrade, on a site that has a password."""
    tab.page.add_init_script(WATCH)
    tab.open(ROOM)
    tab.sign_in()
    tab.sees("Guided upgrade")


def chooses(tab: Tab, tag: str) -> None:
    """Choose a build, and wait until it has passed its checks."""
    tab.page.locator("label", has_text=tag).click()
    tab.can("Make a plan")


def plans(tab: Tab, tag: str) -> None:
    chooses(tab, tag)
    tab.click("Make a plan")
    tab.sees("The plan")


def agrees(tab: Tab, tag: str) -> None:
    """Answer the one question before it begins."""
    tab.click(f"Upgrade to {tag}")
    tab.sees(f"Upgrade to {tag}?", "dialog")
    tab.click("Upgrade now")


def begins(tab: Tab, tag: str) -> None:
    plans(tab, tag)
    agrees(tab, tag)
    tab.sees(f"Upgrading to {tag}")


def meets_the_new_admin(tab: Tab, album: Album | None = None) -> None:
    """Wait while the Admin is replaced, and sign in to the one that takes over."""
    tab.expected += AWAY
    tab.sees(REPLACED)
    expect(tab.part(SHEET, "dialog")).to_be_visible(timeout=REPLACEMENT)
    if album is not None:
        album.look_at_both("upgrade-new-admin")
    tab.sign_in()


def steps(tab: Tab) -> dict[str, str]:
    """Give how each step is said to stand: done, under way, failed, or to come."""
    lines: list[str] = tab.part("Steps of the upgrade", "list").get_by_role("listitem").all_text_contents()
    return {label: standing.split()[0] for label, _, standing in (line.partition(": ") for line in lines)}


def said_while_replaced(tab: Tab) -> str:
    said: str = tab.page.evaluate("[...(window.seenWhileReplaced ?? [])].join('\\n')")
    return said


def sees_done(tab: Tab, tag: str) -> None:
    tab.sees(f"Your EMS runs {tag}")


def cancels(tab: Tab) -> None:
    """End what rests, and be where a build can be chosen again."""
    tab.click("Cancel upgrade")
    tab.sees("Cancel upgrade?", "dialog")
    tab.page.get_by_role("dialog").get_by_role("button", name="Cancel upgrade").click()
    tab.sees("Choose a newer build")


def returns(tab: Tab, tag: str) -> None:
    """Bring the Admin back to the build of the EMS that runs; the tab goes on by itself on that one."""
    tab.click("Return to running build")
    tab.sees("Return to running build?", "dialog")
    tab.page.get_by_role("dialog").get_by_role("button", name="Return to running build").click()
    meets_the_new_admin(tab)
    tab.reads(f"EMS Admin was brought to {tag}")


def updates_the_admin_alone(tab: Tab, tag: str) -> None:
    tab.page.get_by_role("combobox", name="EMS Admin of").select_option(tag)
    tab.click("Look at this update")
    tab.sees(f"Update EMS Admin to {tag}?", "dialog")
    tab.click("Update EMS Admin")
    meets_the_new_admin(tab)
    tab.reads(f"EMS Admin was brought to {tag}")
