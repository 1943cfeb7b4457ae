"""The plays: one for each row, found by its number. Each stands where its row stands, acts, and is seen three times."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field, frozen

from ems_admin.machines.codes import Code
from ems_admin.workflows.jobs import Job
from tests.matrix.judgement import Played
from tests.matrix.sight import Sight, see
from tests.workflows.scene import Scene

T = TypeVar("T")


@frozen(kw_only=True)
class Theatre:
    """Where a play may build a site of its own: a folder, and builds to install."""

    root: Path
    catalogue: Path
    pack: Callable[[], None]
    """Packs the demo builds into the catalogue: they are packed already, unless somebody is editing the sources."""

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run what needs an event loop of its own, on builds that are packed before."""
        self.pack()
        return asyncio.run(work())


Play = Callable[[Theatre], Played]
PLAYS: dict[str, Play] = {}


def plays(number: str) -> Callable[[Play], Play]:
    """Read as: this function plays the row of this number."""

    def found(play: Play) -> Play:
        assert number not in PLAYS, f"row {number} is played twice"
        PLAYS[number] = play
        return play

    return found


@define
class Show:
    """A play in memory. Mutable: it goes on."""

    scene: Scene
    before: Sight = field(init=False)
    told: list[Code] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.before = self.look()

    def look(self) -> Sight:
        return look(self.scene)

    def refused(self, work: Coroutine[Any, Any, Any]) -> Code:
        """Act, and be refused; the code is part of the row."""
        self.told.append(Code(self.scene.refused(work).code))
        return self.told[-1]

    def allowed(self, work: Coroutine[Any, Any, T]) -> T:
        """Act."""
        return self.scene.do(work)

    def job(self, work: Coroutine[Any, Any, Job]) -> Job:
        """Act, and let the job run to its end."""
        return self.scene.job(work)

    def end(self) -> Played:
        """Look once more, and let a process that has just started look as well."""
        after = self.look()
        return Played(
            before=self.before,
            told=tuple(self.told),
            after=after,
            again=look(self.scene.restart(start_up=False)),
        )


def look(scene: Scene) -> Sight:
    return scene.do(see(scene.house, scene.files))
