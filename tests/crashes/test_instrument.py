"""The crash matrix itself: a process is really killed where it says, and a workflow that is not safe is found out."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path

import pytest

from ems_admin.stores.atomic import Place, replace
from ems_admin.stores.folders import Folder
from tests.crashes.forks import in_child
from tests.crashes.ground import LEFTOVER
from tests.crashes.house import FileScene
from tests.crashes.killing import Killed, Moment, kill_everywhere, rehearse
from tests.crashes.page import play
from tests.crashes.setups import SETUPS
from tests.crashes.stories import Story, act
from tests.workflows.places import again
from tests.workflows.scene import B0, B1, CONFIG, Scene

OPENING = SETUPS[0]


def killed(story: Story, folder: Path) -> dict[Moment, Killed]:
    """Kill a workflow at its last write."""
    rehearsed = rehearse(story, folder)
    return {one.moment: one for one in kill_everywhere(rehearsed, folder) if one.write == rehearsed.writes[-1]}


def in_place(scene: FileScene) -> None:
    scene.file_site.ground.path(CONFIG).parent.mkdir()
    scene.file_site.ground.path(CONFIG).write_bytes(b"{}")


def broken(name: str, scene: FileScene) -> None:
    place = Place(folder=Folder(str(scene.file_site.ground.admin_data), ("state",)), name=name.removeprefix("state/"))
    replace(place, b"{")


def never_cleaned_up(scene: FileScene) -> None:
    """End the workflow, and leave what it has generated behind under a name that no start knows."""
    replace(Place(folder=Folder(str(scene.file_site.ground.admin_data), ("releases",)), name="half.json"), b"{")


def test_a_child_is_killed_right_before_during_and_right_after_its_write(folder: Path) -> None:
    at = {moment: one.ground.picture() for moment, one in killed(OPENING, folder).items()}
    assert at[Moment.BEFORE] == {}
    assert [name.startswith("state/.guided-setup") for name in at[Moment.DURING]] == [True]
    assert all(name.endswith(LEFTOVER) for name in at[Moment.DURING])
    assert list(at[Moment.AFTER]) == [B0]
    assert list(at[Moment.AFTER].values()) == list(at[Moment.DURING].values())


def test_a_child_that_is_not_killed_tells_what_it_could_not_do() -> None:
    assert in_child(lambda: 5).told == 5
    assert in_child(partial(signal.raise_signal, signal.SIGKILL)).signal == signal.SIGKILL
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        in_child(lambda: 1 // 0)


def test_a_write_past_every_number_is_found_out(folder: Path) -> None:
    story = Story(title="Write in place", before=Scene, act=in_place)
    with pytest.raises(AssertionError, match=r"/config/config\.json was changed by no write that has a number"):
        play(story, folder)


def test_a_record_that_nobody_can_read_is_found_out(folder: Path) -> None:
    story = Story(title="Break the operation", before=partial(again, "fetched"), act=partial(broken, B1))
    with pytest.raises(AssertionError, match=f"{B1}: not_json"):
        play(story, folder)


def test_a_leftover_that_no_start_clears_is_found_out(folder: Path) -> None:
    story = Story(title="Write where nobody looks", before=Scene, act=never_cleaned_up)
    with pytest.raises(AssertionError, match=r"a start leaves .*half\.json"):
        play(story, folder)


def test_an_act_that_is_refused_is_no_story(folder: Path) -> None:
    story = Story(title="Prepare nothing", before=partial(again, "opened"), act=act("deployment_prepare"))
    with pytest.raises(AssertionError, match="RefusalError"):
        play(story, folder)
