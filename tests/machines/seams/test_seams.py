"""The declared seams: order of steps, and what a start does after each."""

import pytest

from ems_admin.machines.kernel import AfterCut, Seam
from ems_admin.machines.records.config_commit import Change
from ems_admin.machines.replacement.seams import REPLACEMENT, WALK, WALK_BACK
from ems_admin.machines.seams import (
    CANCEL,
    CONFIG_COMMIT,
    CONFIG_COMMIT_STANDING,
    ENDING,
    RELEASE,
    SEAMS,
    SUCCESS,
    WRITE,
    CommitStanding,
    Live,
    live,
)
from ems_admin.machines.upgrade.seams import ADMIN_UPDATE_BEGINNING, UPGRADE_BEGINNING, UPGRADE_WAY_BACK
from tests.machines.verdicts import questions, replay, texts, unused

ON, BACK, REST = AfterCut.GO_ON, AfterCut.ROLL_BACK, AfterCut.REST


def test_a_cut_config_commit_is_settled_as_written() -> None:
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, CommitStanding, lambda asked: str(CONFIG_COMMIT_STANDING.classify(asked))) == text
    assert not unused(CONFIG_COMMIT_STANDING, list(questions(text, CommitStanding)))


@pytest.mark.parametrize(
    ("seam", "steps"),
    [
        (
            CONFIG_COMMIT,
            [
                ("config-commit intent", BACK),
                ("credentials.json", BACK),
                ("config history", BACK),
                ("config.json", ON),
                ("config history", ON),
                ("B0", ON),
                ("config-commit intent", None),
            ],
        ),
        (ENDING, [("B1", REST), ("B0", ON), ("workflow directory and B3", ON), ("B0", None)]),
        (SUCCESS, [("B5", REST), ("B1", ON), ("B0", ON), ("B6", REST), ("setup intents", None)]),
        (WRITE, [("B2", REST), ("B2a", REST), ("B0", None)]),
        (CANCEL, [("B1", ON), ("B6", None)]),
        (
            REPLACEMENT,
            [("dispatch record", REST), ("B1", ON), ("updater", ON), ("updater", ON), ("dispatch record", None)],
        ),
        (
            WALK,
            [
                ("run record", ON),
                ("B1, then the run record", ON),
                ("run record", ON),
                *[("old Admin", ON)] * 3,
                ("new Admin, then the run record", ON),
                ("new Admin", ON),
                ("run record", ON),
                ("image pin", ON),
                ("new Admin", ON),
                ("old Admin", ON),
                ("run record", ON),
                ("updater", None),
            ],
        ),
        (
            WALK_BACK,
            [
                ("run record", ON),
                ("new Admin", ON),
                ("old Admin and image pin", ON),
                ("run record", ON),
                ("B1", ON),
                ("run record", ON),
                ("updater", None),
            ],
        ),
        (UPGRADE_BEGINNING, [("B6", REST), ("B1", None)]),
        (ADMIN_UPDATE_BEGINNING, [("B7", REST), ("B1", None)]),
        (
            UPGRADE_WAY_BACK,
            [("B6", REST), ("config.json", REST), ("stack file and B3", REST), ("services of the EMS", None)],
        ),
        (RELEASE, [("workflow-recovery", REST), ("recovery-manifest.json", REST), ("the named records", None)]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_seam_changes_its_records_in_this_order_and_leaves_every_place_like_this(
    seam: Seam, steps: list[tuple[str, AfterCut | None]]
) -> None:
    assert [(step.changes, step.after_cut) for step in seam.steps] == steps


def test_the_seams_are_twelve_and_each_has_a_name_of_its_own() -> None:
    assert len({seam.name for seam in SEAMS}) == len(SEAMS) == 12


@pytest.mark.parametrize(
    ("found", "change", "verdict"),
    [
        ("a", Change(old="a", new="b"), Live.OLD),
        ("b", Change(old="a", new="b"), Live.NEW),
        ("c", Change(old="a", new="b"), Live.NEITHER),
        (None, Change(old="a", new="b"), Live.NEITHER),
        (None, Change(old=None, new="b"), Live.OLD),
        ("b", Change(old=None, new="b"), Live.NEW),
        (None, Change(old="a", new=None), Live.NEW),
        ("a", Change(old="a", new="a"), Live.SAME),
        (None, Change(old=None, new=None), Live.SAME),
        ("b", Change(old=None, new=None), Live.NEITHER),
    ],
)
def test_absence_is_a_content_like_any_other(found: str | None, change: Change, verdict: Live) -> None:
    assert live(found, change) is verdict
