"""A Setup that has ended and cannot prove what it left as its own: shown, kept, rechecked. `seed 000` 5.3, 6.1.4."""

import pytest
from playwright.sync_api import expect

from tests.e2e import journey, paths
from tests.e2e.album import Album
from tests.e2e.conftest import PHONE, Opening
from tests.e2e.demo import Demo

pytestmark = pytest.mark.e2e


def test_files_of_an_unproven_owner_are_kept_and_a_recheck_lets_the_next_setup_begin(
    open_tab: Opening, demo: Demo
) -> None:
    tab = open_tab(width=PHONE)
    tab.create_password()
    paths.to_config(tab)
    tab.click("Write configuration")
    tab.can("Prepare")
    folder = demo.site / "admin/workflows/guided-setup" / tab.asks("/api/admin/console")["setup"]["workflow_id"]
    elsewhere = demo.root / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    kept = sorted((path.name, path.stat().st_mtime_ns) for path in elsewhere.rglob("*"))

    tab.click("Restart setup")
    tab.page.get_by_role("dialog").get_by_role("button", name="Restart setup").click()
    tab.reads("Some files need your decision")
    expect(tab.page.get_by_role("alert")).to_have_count(0)  # the panel says it, and nothing else says it again
    Album(tab).look("cleanup-review")
    assert sorted((path.name, path.stat().st_mtime_ns) for path in elsewhere.rglob("*")) == kept
    tab.expected.append("^409 POST /api/setup/abandon$")

    tab.page.reload()
    tab.reads("Some files need your decision")
    folder.unlink()
    tab.click("Recheck")
    tab.reads_no("Some files need your decision")
    tab.click("Begin setup")
    tab.sees("Choose a release")
    assert journey.shown_step(tab.asks("/api/admin/console")) == "release"
