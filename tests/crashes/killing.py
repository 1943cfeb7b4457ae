"""A workflow is run once to number its writes, and then once for every write and moment, to be killed there."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement.walking import walk
from tests.crashes.forks import in_child
from tests.crashes.ground import Ground
from tests.crashes.house import process, site_on
from tests.crashes.knife import Event, Knife
from tests.crashes.running import Straight
from tests.crashes.stories import Story
from tests.crashes.writes import Write, writes
from tests.memory.host import KILLED
from tests.memory.replacing import hands, updating
from tests.workflows.scene import Scene

FIRST = 1000
"""Where the ids of the process begin that is killed."""


class Moment(StrEnum):
    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


@frozen(kw_only=True)
class Killed:
    """A site whose process was killed at one moment of one write."""

    write: Write
    moment: Moment
    ground: Ground


@frozen(kw_only=True)
class Rehearsed:
    """What a workflow does when nobody kills it."""

    story: Story
    person: Scene
    events: tuple[Event, ...]
    began: Ground
    """As it was laid down; nothing acts there."""
    ended: Ground

    @property
    def writes(self) -> tuple[Write, ...]:
        return writes(self.events)


def rehearse(story: Story, folder: Path) -> Rehearsed:
    """Lay the site down, and run the workflow on a copy to its end."""
    person = story.before()
    began = Ground(folder / "began")
    began.lay(person.site.world)
    story.laid(began)
    ground = copied(began, folder / "rehearsal")
    events = in_child(partial(_act, story, ground, person, None)).told
    return Rehearsed(story=story, person=person, events=events, began=began, ended=ground)


def kill_everywhere(rehearsed: Rehearsed, folder: Path) -> Iterator[Killed]:
    """Kill the workflow at every moment of every write, each time on a copy of its own."""
    for number, write in enumerate(rehearsed.writes):
        for moment in Moment:
            event: int | None = getattr(write, moment)
            if event is None:
                continue
            ground = copied(rehearsed.began, folder / f"{number}-{moment}")
            death = in_child(partial(_act, rehearsed.story, ground, rehearsed.person, event))
            assert death.signal == signal.SIGKILL, f"it was not killed {moment} {write.name}, but ended"
            if rehearsed.story.updater:
                note_the_end_of_the_updater(ground)
            yield Killed(write=write, moment=moment, ground=ground)


def copied(ground: Ground, to: Path) -> Ground:
    shutil.copytree(ground.root, to)
    return Ground(to)


def note_the_end_of_the_updater(ground: Ground) -> None:
    """Let the engine see that a process of its is gone; it starts it again if its policy says so."""
    host = ground.world().host
    for updater in host.updaters():
        if updater.runs:
            host.ended(updater, KILLED)
    ground.keep(host)


def let_the_updater_walk(ground: Ground, knife: Knife | None = None) -> bool:
    """Let the updater that runs walk to its end, however often the engine starts it; say whether there was one."""
    walked = False
    while running := [found for found in ground.world().host.updaters() if found.runs]:
        walk_once(ground, running[0].id, knife)
        walked = True
    return walked


def walk_once(ground: Ground, me: str, knife: Knife | None) -> None:
    """Be the updater that runs in one container, for one walk."""
    site = site_on(ground, knife, ids=FIRST)
    host = site.world.host
    if knife is not None:
        knife.dying = partial(ground.keep, host)
    container = host.containers[me]
    composed = updating(site, me, container.operation_id, container.attempt)
    hand = Straight(hands(site.world, me), knife)
    end = asyncio.run(walk(evolve(composed, mover=hand)))
    host.ended(container, end.exit_code)
    ground.keep(host)


def _act(story: Story, ground: Ground, person: Scene, cut_at: int | None) -> tuple[Event, ...]:
    """Be the process that acts, in a child."""
    knife = Knife(ground, dying=lambda: None, cut_at=cut_at)
    if story.updater:
        knife.attach()
        let_the_updater_walk(ground, knife)
    else:
        with process(ground, person, knife, ids=FIRST) as scene:
            knife.dying = partial(ground.keep, scene.site.world.host)
            knife.attach()
            try:
                story.act(scene)
            except RefusalError as refused:
                if refused.refusal.code != story.expects:
                    raise
    knife.passes("end", "")
    return tuple(knife.events)
