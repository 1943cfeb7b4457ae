"""The history of the config: every accepted edit with what it changed, and a return that is an edit (site.md 9)."""

from __future__ import annotations

import hashlib
import json

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.workflows.config.diff import MASK
from ems_admin.workflows.maintenance.history import history, prepare_return, revision
from tests.memory.world import Durable
from tests.workflows.maintenance.edits import edited, installed, live, saving, shown
from tests.workflows.maintenance.edits import revision as live_revision
from tests.workflows.places import SECRET
from tests.workflows.scene import CONFIG, INTENT, Scene


def twice_edited() -> Scene:
    scene = installed()
    for power in (4000, 3000):
        scene.do(saving(scene, edited(scene, power)))
    return scene


def test_every_accepted_edit_has_its_line_the_newest_first_and_begins_where_the_last_one_ended() -> None:
    scene = twice_edited()
    seen = scene.do(history(scene.house))
    assert [line.path for line in seen.revisions] == [
        WritePath.MAINTENANCE_APPLY,
        WritePath.MAINTENANCE_APPLY,
        WritePath.SETUP_DEPLOY,
    ]
    assert seen.live_revision == seen.revisions[0].revision == live_revision(scene)
    assert [line.base for line in seen.revisions] == [*[line.revision for line in seen.revisions[1:]], None]


def test_a_revision_shows_what_it_changed_and_what_a_return_would() -> None:
    scene = twice_edited()
    second = scene.do(history(scene.house)).revisions[1]
    view = scene.do(revision(scene.house, second.revision))
    assert view.diff is not None
    assert view.diff.changed == (("/system/max_total_power", 5000, 4000),)
    assert view.to_live is not None
    assert view.to_live.changed == (("/system/max_total_power", 3000, 4000),)
    assert view.line == second
    assert SECRET not in repr(view)
    assert view.config["mqtt"]["brokers"]["home"]["password"] == MASK


def test_earlier_configs_can_be_looked_at_while_the_live_one_says_nothing() -> None:
    scene = twice_edited()
    kept = scene.do(history(scene.house)).revisions
    scene.site.world.files[CONFIG] = b"{"
    seen = scene.do(history(scene.house))
    assert seen.revisions == kept
    assert seen.live_revision == hashlib.sha256(b"{").hexdigest()
    view = scene.do(revision(scene.house, kept[1].revision))
    assert (view.config["system"]["max_total_power"], view.to_live) == (4000, None)


def test_a_return_is_prepared_as_an_edit_and_made_by_saving_it() -> None:
    scene = twice_edited()
    old = scene.do(history(scene.house)).revisions[2]
    before = scene.files
    prepared = scene.do(prepare_return(scene.house, old.revision))
    assert scene.files == before
    assert prepared.revised.findings == ()
    assert prepared.revised.diff.changed == (("/system/max_total_power", 3000, 5000),)
    scene.do(saving(scene, prepared.draft, made_from=prepared.revised.revision))
    assert live_revision(scene) == old.revision
    assert scene.do(history(scene.house)).revisions[0].revision == old.revision


def test_what_somebody_wrote_by_hand_gets_its_place_when_it_is_written_over() -> None:
    scene = installed()
    by_hand = {**live(scene), "features": {"dashboard": False, "history": True, "winter_mode": True}}
    scene.site.world.files[CONFIG] = json.dumps(by_hand).encode()
    seen = scene.do(history(scene.house))
    assert seen.live_revision not in [line.revision for line in seen.revisions]
    scene.do(saving(scene, edited(scene)))
    _mine, theirs, first = scene.do(history(scene.house)).revisions
    assert (theirs.path, theirs.base) == (None, first.revision)
    assert scene.do(revision(scene.house, theirs.revision)).config["features"] == by_hand["features"]


def test_looking_at_it_changes_no_byte() -> None:
    """F02."""
    scene = twice_edited()
    before = scene.files
    for line in scene.do(history(scene.house)).revisions:
        scene.do(revision(scene.house, line.revision))
    assert scene.files == before


@pytest.mark.parametrize("named", ["0" * 64, "..", ""])
def test_a_revision_that_was_never_kept_is_not_found(named: str) -> None:
    scene = installed()
    assert scene.refused(revision(scene.house, named)).code == Code.NOT_FOUND
    assert scene.refused(prepare_return(scene.house, named)).code == Code.NOT_FOUND


def test_a_kept_revision_that_is_damaged_is_said_to_be() -> None:
    scene = twice_edited()
    line = scene.do(history(scene.house)).revisions[1]
    scene.site.world.files[f"backups/history/applied/{line.revision}.json"] = b"{}"
    refusal = scene.refused(prepare_return(scene.house, line.revision))
    assert (refusal.code, refusal.detail) == (Code.CONFIG_UNREADABLE, "tampered")


@pytest.mark.parametrize("place", ["applied/", "-applied.json", CONFIG])
def test_a_cut_in_the_middle_of_an_edit_loses_no_line(place: str) -> None:
    scene = installed()
    work = saving(scene, edited(scene), made_from=live_revision(scene))
    seen = [False]

    def landed(mark: object) -> bool:
        seen[0] = seen[0] or mark == Durable(INTENT)
        return seen[0] and isinstance(mark, Durable) and place in mark.name

    scene.until(work, landed)
    work.close()
    after = scene.restart()
    lines = after.do(history(after.house)).revisions
    assert (lines[0].path, lines[0].revision) == (WritePath.MAINTENANCE_APPLY, live_revision(after))
    assert len(lines) == 2
    told = [entry.line for entry in after.site.journal.entries if entry.line.machine == "config_commit"]
    assert (told[0].trigger, told[0].source, told[0].target) == ("W4", lines[1].revision, lines[0].revision)


def test_the_journal_has_a_line_for_each_accepted_edit() -> None:
    scene = twice_edited()
    told = [entry.line for entry in scene.site.journal.entries if entry.line.machine == "config_commit"]
    kept = scene.do(history(scene.house)).revisions[::-1]
    assert [(line.key, line.trigger, line.source, line.target) for line in told] == [
        (line.commit_id, line.path, line.base, line.revision) for line in kept
    ]


def test_without_an_installed_build_a_return_says_so() -> None:
    scene = Scene()
    scene.do(scene.house.history.lay_by(b"{}"))
    kept = next(name for name in scene.files if "found" in name).rpartition("/")[2].removesuffix(".json")
    assert scene.refused(prepare_return(scene.house, kept)).code == Code.RELEASE_NOT_PREPARED
    assert shown(installed())
