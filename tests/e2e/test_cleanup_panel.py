"""A Setup that has ended and cannot prove what it left as its own: shown, kept, rechecked. `seed 000` 5.3, 6.1.4."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e import journey, paths
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import Tab
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e


DECIDE = "Some files need your decision"


def test_files_of_an_unproven_owner_are_kept_and_a_recheck_lets_the_next_setup_begin(
    open_tab: Opening, demo: Demo
) -> None:
    """`seed 000` 5.2."""
    tab = open_tab(width=PHONE)
    folder, elsewhere = left_behind(tab, demo)
    expect(tab.page.get_by_role("alert")).to_have_count(0)  # the panel says it, and nothing else says it again
    Album(tab).look_at_both("cleanup-review")
    kept = contents(elsewhere)

    tab.page.reload()
    tab.reads(DECIDE)
    assert contents(elsewhere) == kept
    folder.unlink()
    tab.click("Recheck")
    tab.reads_no(DECIDE)
    begins_anew(tab)


def test_files_that_no_cleanup_can_settle_are_left_with_a_reason_and_the_next_setup_begins(
    open_tab: Opening, demo: Demo
) -> None:
    """`http.md` 5.3 (disown): every file stays as it is, and the reason is journalled."""
    tab = open_tab()
    folder, elsewhere = left_behind(tab, demo)
    kept = contents(elsewhere)
    tab.click("Recheck")
    tab.can("Recheck")
    tab.reads(DECIDE)
    tab.click("Leave them as they are")
    tab.sees("Leave the files as they are?", "dialog")
    expect(tab.part("Leave them")).to_be_disabled()
    tab.type("Reason", "The folder was moved to the archive disk.")
    Album(tab).look_at_both("cleanup-leave-files")
    tab.click("Leave them")
    tab.reads_no(DECIDE)
    assert folder.is_symlink()
    assert contents(elsewhere) == kept
    said = [line["detail"] for line in tab.asks("/api/admin/journal")["lines"] if line["trigger"] == "disown"]
    assert "The folder was moved to the archive disk." in said
    begins_anew(tab)


def left_behind(tab: Tab, demo: Demo) -> tuple[Path, Path]:
    """End a Setup whose folder is a link to somewhere else; the link and what it leads to."""
    tab.create_password()
    paths.to_config(tab)
    tab.click("Write configuration")
    tab.can("Prepare")
    folder = demo.site / "admin/workflows/guided-setup" / tab.asks("/api/admin/console")["setup"]["workflow_id"]
    elsewhere = demo.root / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    tab.expected.append("^409 POST /api/setup/abandon$")
    tab.click("Restart setup")
    tab.page.get_by_role("dialog").get_by_role("button", name="Restart setup").click()
    tab.reads(DECIDE)
    return folder, elsewhere


def contents(folder: Path) -> list[tuple[str, int]]:
    return sorted((path.name, path.stat().st_mtime_ns) for path in folder.rglob("*"))


def begins_anew(tab: Tab) -> None:
    tab.click("Begin setup")
    tab.sees("Choose a release")
    assert journey.shown_step(tab.asks("/api/admin/console")) == "release"
