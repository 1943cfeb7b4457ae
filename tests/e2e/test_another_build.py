"""Another build than the one that the Setup has begun with: the Setup is replaced, and then the Admin itself.

Source: `seed 000` 3 row 16d; `replacement.md` 7.7; `console.md`, Technique (Reconnect).
"""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e import paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.tab import Tab
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e

WATCH: Final = """new MutationObserver(() => {
    const page = document.querySelector('.reconnect');
    if (page) (window.seenWhileReplaced ??= new Set()).add(page.innerText);
}).observe(document, {subtree: true, childList: true, characterData: true});"""
"""What the page of the reconnect has said, however short it stood there."""
SHEET: Final = "Please sign in again"


def test_another_build_replaces_the_setup_then_the_admin_and_the_same_tab_ends_on_it(open_tab: Opening) -> None:
    tab = open_tab(width=PHONE)
    tab.page.add_init_script(WATCH)
    album = Album(tab)
    tab.create_password()
    paths.to_devices(tab)
    draft = tab.draft()
    tag = changes_the_build(tab, album)
    assert tab.draft() == draft != []
    replaces_the_admin(tab, album, tag)
    assert tab.draft() == draft
    tab.sees("Battery in the cellar", "article")


def changes_the_build(tab: Tab, album: Album) -> str:
    """Choose another build than the one whose resources are here already."""
    before = tab.asks("/api/admin/console")
    tab.click("Release")
    others = [build for build in tab.asks("/api/setup/releases?flow=setup")["builds"] if not build["recommended"]]
    tag = str(others[-1]["system_tag"])
    tab.page.locator("label", has_text=tag).click()
    tab.can("Change to this build")
    album.look_at_both("another-build")
    tab.click("Change to this build")
    tab.sees(f"Change to {tag}?", "dialog")
    tab.click("Change build")
    tab.can("Update this Admin first")
    after = tab.asks("/api/admin/console")
    assert after["setup"]["workflow_id"] != before["setup"]["workflow_id"]
    assert (after["setup"]["status"], after["setup"]["selected_system_tag"]) == ("active", tag)
    assert after["alignment"]["transition"]["stage"] == "cancelled"
    expect(tab.page.get_by_text("This page belongs to an earlier setup")).to_have_count(0)
    return tag


def replaces_the_admin(tab: Tab, album: Album, tag: str) -> None:
    """Have the Admin of that build take over, and go on in the same tab, signing in once."""
    tab.expected += (r"^unanswered ", r"^console: .*ERR_", r"^401 ")
    entered: list[str] = []
    tab.page.on("request", lambda request: entered.append(request.url) if request.url.endswith("/login") else None)
    before = tab.asks("/api/admin/console")["instance"]
    tab.click("Update this Admin first")
    tab.sees(f"Update EMS Admin to {tag}?", "dialog")
    album.look_at_both("admin-update-question")
    tab.click("Update EMS Admin")
    tab.sees("Updating EMS Admin", "region")
    tab.sees("EMS Admin is being replaced")
    tab.sees(SHEET, "dialog")
    album.look_at_both("reconnect")
    tab.sign_in()
    tab.sees("EMS Admin has been updated", "region")
    album.look_at_both("admin-updated")
    tab.click("Go on")
    tab.sees("Your devices")
    after = tab.asks("/api/admin/console")["instance"]
    assert after["system_tag"] == tag
    assert after["admin_instance_id"] != before["admin_instance_id"]
    assert len(entered) == 1
    said = tab.page.evaluate("[...window.seenWhileReplaced].join('\\n')")
    for name in ("Step", "Since", "Entries of the updater", "Attempt"):
        assert name in said
    assert "The old EMS Admin makes room for the new one" in said
