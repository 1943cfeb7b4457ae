"""What cannot be ended in the usual way, as a crash or a hand leaves it, and the way out. `console.md`, screen 6."""

import hashlib
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e import journey
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.demo import Demo
from tests.e2e.tab import PATIENCE, Tab
from tests.e2e.test_demo_kills import in_mid_job
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e
QUIET = "Nothing is stuck."
RECORD = "pending-transition.json"
REASON = "The disk was full last night."


def test_recovery_is_quiet_then_ends_what_a_crash_left_and_sets_aside_what_nobody_can_read(
    open_tab: Opening, demo: Demo
) -> None:
    """`seed 000` 7.4: safe by normal ends, with one confirmation; a release by reason, two confirmations and copies."""
    tab = open_tab()
    tab.expected += (r"^unanswered ", r"^console: .*ERR_", r"^401 ")
    album = Album(tab)
    tab.create_password()
    tab.click("Maintenance", "link")
    tab.reads("Nothing is unfinished.")
    tab.click("Open recovery", "link")
    tab.reads(QUIET)
    album.look_at_both("recovery-quiet")

    killed_in_mid_import(demo)
    comes_back(tab)
    tab.sees("A setup is not finished", "region")
    album.look_at_both("recovery-unfinished-setup")
    recovers_safely(tab, album)
    tab.reads(QUIET)
    assert tab.asks("/api/admin/workflow-lifecycle")["state"] == "idle"

    journey.to_config(Visitor(demo.url).enter())
    demo.kill()
    torn = cut_in_half(demo.state / RECORD)
    demo.start()
    comes_back(tab)
    tab.sees("The record of the operation cannot be read", "region")
    # Whose it is cannot be said: nothing that destroys is offered beside the release.
    for name in ("Discard setup", "Cancel upgrade", "Return to running build", "Recover safely"):
        assert tab.part(name).count() == 0
    album.look_at_both("recovery-unreadable")
    sets_aside(tab, album)
    copies_are_there(demo, torn)
    assert not (demo.state / RECORD).exists()


def killed_in_mid_import(demo: Demo) -> None:
    visitor = Visitor(demo.url).enter()
    in_mid_job(journey.begin, journey.use_build, "unpack")(visitor)
    demo.restart()


def cut_in_half(record: Path) -> bytes:
    """Leave a record as a disk without room and without manners would."""
    torn = record.read_bytes()[:200]
    record.write_bytes(torn)
    return torn


def comes_back(tab: Tab) -> None:
    tab.sees("Please sign in again", "dialog")
    tab.sign_in()


def recovers_safely(tab: Tab, album: Album) -> None:
    tab.reads("End the setup and remove the files that are provably its own.")
    tab.click("Recover safely")
    tab.sees("Recover safely?", "dialog")
    album.look_at_both("recovery-safe-question")
    tab.click("Recover")
    tab.reads("Recovery is done")


def sets_aside(tab: Tab, album: Album) -> None:
    tab.reads("It cannot be read.")
    tab.click("Set aside …")
    question = tab.page.get_by_role("dialog")
    expect(question.get_by_role("button", name="Set aside …")).to_be_disabled(timeout=PATIENCE)
    tab.type("Reason", REASON)
    album.look_at_both("recovery-release-question")
    question.get_by_role("button", name="Set aside …").click()
    tab.sees("Really set this record aside?", "dialog")
    album.look_at_both("recovery-release-really")
    tab.click("Set aside now")
    tab.reads("Recovery is done")
    album.look_at_both("recovery-released")


def copies_are_there(demo: Demo, torn: bytes) -> None:
    (folder,) = (demo.state / "workflow-recovery").iterdir()
    manifest = json.loads((folder / "recovery-manifest.json").read_text())
    (listed,) = manifest["files"]
    assert (listed["sha256"], manifest["reason"]) == (hashlib.sha256(torn).hexdigest(), REASON)
    assert torn in {path.read_bytes() for path in folder.iterdir()}
