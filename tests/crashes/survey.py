"""What the next start finds where a process was killed, and whether what is offered there leads home.

Every file with a final name is whole, every record can be read, the console explains itself, and one more start changes
nothing. Source: DESIGN 3; `seed 000` 5 (I1 to I7); `faults.md` F03 to F05, F10, F42.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.records.reading import Unreadable
from ems_admin.stores.records import sha256
from ems_admin.workflows.views.console import console
from tests.crashes.ground import LEFTOVER, Ground
from tests.crashes.homeward import lead_home
from tests.crashes.house import FileScene, process
from tests.crashes.killing import Killed, Rehearsed, let_the_updater_walk
from tests.crashes.telling import everything_is_explained, told, ways_on
from tests.memory.outside import RUNNING
from tests.workflows.scene import CONFIG, Scene

OF_THE_ENGINE: Final = frozenset({RUNNING})
"""What stands for a process that runs."""


@frozen(kw_only=True)
class Found:
    """What the next start finds, and the offered acts that lead home from there."""

    state: str
    config: str
    """What the live config is, `old`, `new` or `none`, where the workflow writes one."""
    on: tuple[str, ...]
    """What is open to go on with."""
    out: tuple[str, ...]
    """What was done, one after the other, until the console was idle."""


@frozen
class Survey:
    """Looks at every site that one workflow was killed on; equal sites are looked at once."""

    rehearsed: Rehearsed
    whole: Mapping[str, frozenset[str]]
    """By name of file the SHA-256 of all that it ever holds when nobody is killed."""
    found: dict[Any, Found]

    @classmethod
    def of(cls, rehearsed: Rehearsed) -> Survey:
        """Know the bytes of every file. Raises `AssertionError` for one that was changed by none of the writes."""
        began, ended = rehearsed.began.picture(), rehearsed.ended.picture()
        passed = {name for event in rehearsed.events for name in (event.name, event.source)}
        for name in {*began, *ended} - passed - OF_THE_ENGINE:
            assert began.get(name) == ended.get(name), f"{name} was changed by no write that has a number"
        held = defaultdict(set)
        for picture in (began, ended):
            for name, data in picture.items():
                held[name].add(sha256(data))
        for event in rehearsed.events:
            if event.act == "replace":
                held[event.name].add(event.more)
        return cls(rehearsed, {name: frozenset(values) for name, values in held.items()}, {})

    def look(self, killed: Killed) -> Found:
        """Start again on what is there."""
        self._every_file_is_whole(killed.ground)
        essence = killed.ground.essence()
        if essence not in self.found:
            self.found[essence] = self._found(killed.ground)
        return self.found[essence]

    def _found(self, ground: Ground) -> Found:
        person = self.rehearsed.person
        state = "nobody serves"
        on: tuple[str, ...] = ()
        if ground.world().host.admins_that_run():
            state, on = self._start(ground, person)
        if let_the_updater_walk(ground):
            then, on = self._start(ground, person)
            state += f"; the updater goes on, and then: {then}"
        assert len(ground.world().host.admins_that_run()) == 1, "one Admin runs in the end"
        self._one_more_start_changes_nothing(ground, person)
        config = self._config(ground)
        return Found(state=state, config=config, on=on, out=lead_home(ground, person))

    def _start(self, ground: Ground, person: Scene) -> tuple[str, tuple[str, ...]]:
        with process(ground, person) as scene:
            scene.start()
            self._every_record_is_readable(scene)
            view = scene.do(console(scene.house))
            everything_is_explained(view)
            return told(scene, view), ways_on(view)

    def _one_more_start_changes_nothing(self, ground: Ground, person: Scene) -> None:
        before = ground.picture()
        left = [name for name in before if name.endswith(LEFTOVER)]
        assert not left, f"a start leaves {left}"
        with process(ground, person, ids=9000) as scene:
            scene.start()
        assert ground.picture() == before, "I6: a second start changes what the first one left"

    def _every_file_is_whole(self, ground: Ground) -> None:
        for name, data in ground.picture().items():
            if not name.endswith(LEFTOVER) and name not in OF_THE_ENGINE:
                assert sha256(data) in self.whole.get(name, ()), f"{name} is neither old nor new"
        removed = {event.name for event in self.rehearsed.events if event.act == "unlink"}
        removed |= {event.source for event in self.rehearsed.events}
        gone = self.rehearsed.began.picture().keys() - ground.picture().keys() - removed - OF_THE_ENGINE
        assert not gone, f"{sorted(gone)} are gone, and nobody removes them"

    def _config(self, ground: Ground) -> str:
        """Say what the live config is. Raises `AssertionError` unless it is the old or the new one."""
        old, new, found = (at.files.get(CONFIG) for at in (self.rehearsed.began, self.rehearsed.ended, ground))
        assert found in {old, new}, "I3: the live config is neither old nor new"
        if old == new:
            return ""
        return "none" if found is None else "old" if found == old else "new"

    def _every_record_is_readable(self, scene: FileScene) -> None:
        began = self.rehearsed.began.picture()
        for record in scene.file_site.records.all:
            reading = scene.do(record.read())
            if isinstance(reading, Unreadable):
                assert began.get(record.name) == scene.files[record.name], f"{record.name}: {reading.fault}"
