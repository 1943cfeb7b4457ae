"""The chain of a config held against what everybody was told: the history of files, the journal, and the answers.

No accepted edit is lost when the lines of the history are one chain that ends with what is live; when each accepted
edit is one line of it, made from what its author had reviewed; when a line changes no field that its author had not
set; and when the journal tells the same, line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from attrs import frozen

from ems_admin.machines.records.history import KeptRevision
from ems_admin.stores.records import sha256
from ems_admin.workflows.config.three_ways import compare
from ems_admin.workflows.ports.history import History
from ems_admin.workflows.ports.records import JournalEntry
from tests.exploration.edits.people import Accepted, Told
from tests.workflows.scene import CONFIG, INTENT, Scene


@frozen(kw_only=True)
class Begun:
    """A site before anybody comes."""

    config: bytes
    lines: int
    """Of the history."""


def begun(scene: Scene) -> Begun:
    """Look at what is there."""
    return Begun(config=scene.files[CONFIG], lines=len(lines_of(scene)))


def holds(scene: Scene, told: Told, journal: Iterable[JournalEntry], before: Begun, *, cut: bool) -> None:
    """Hold everything against everything. `cut` lets an edit be there whose author never heard of it.

    Raises `AssertionError`.
    """
    lines = lines_of(scene)
    is_one_chain(lines)
    assert INTENT not in scene.files, "something is still owed"
    if new := lines[before.lines :]:
        assert sha256(scene.files[CONFIG]) == new[-1].revision, "what is live is not what the chain ends with"
    else:
        assert scene.files[CONFIG] == before.config, "the config was changed, and the history knows nothing of it"
    written = [line for line in new if line.path is not None]
    told_in_journal(journal, written)
    every_edit_has_its_line(scene, told.accepted, written, cut=cut)


def lines_of(scene: Scene) -> tuple[KeptRevision, ...]:
    """Read the history, all of it."""
    history = scene.do(scene.house.history.list())
    assert isinstance(history, History)
    assert not history.damaged
    return history.revisions


def is_one_chain(lines: tuple[KeptRevision, ...]) -> None:
    """Each line begins where the one before it ended."""
    assert [line.sequence for line in lines] == list(range(1, len(lines) + 1))
    for before, after in pairwise(lines):
        assert after.base == before.revision, f"{after} does not follow {before}"


def told_in_journal(journal: Iterable[JournalEntry], written: list[KeptRevision]) -> None:
    """The journal has the same commits in the same order; one that was gone on with may be told twice."""
    told = dict.fromkeys(
        (entry.line.key, entry.line.trigger, entry.line.source, entry.line.target)
        for entry in journal
        if entry.line.machine == "config_commit" and entry.line.trigger.startswith("W")
    )
    kept = [(line.commit_id, line.path, line.base, line.revision) for line in written]
    assert list(told) == kept, "the journal tells another story than the history"


def every_edit_has_its_line(scene: Scene, accepted: list[Accepted], written: list[KeptRevision], *, cut: bool) -> None:
    """Each yes is one line of its own, from what was reviewed; and each line is somebody's."""
    left = list(written)
    for yes in accepted:
        line = next((line for line in left if _is_of(yes, line)), None)
        assert line is not None, f"lost: {yes}"
        left.remove(line)
        if yes.fields is not None:
            others = {field for field in _changed(scene, line) if not _within(field, yes.fields)}
            assert not others, f"{yes} has changed {sorted(others)} as well"
    assert cut or not left, f"nobody was told of {left}"


def _is_of(yes: Accepted, line: KeptRevision) -> bool:
    return (line.path, line.base) == (yes.path, yes.base) and yes.revision in {None, line.revision}


def _changed(scene: Scene, line: KeptRevision) -> tuple[str, ...]:
    before, after = (_config(scene, revision) for revision in (line.base, line.revision))
    return tuple(field.pointer for field in compare(before, after, before).fields)


def _config(scene: Scene, revision: str | None) -> dict[str, Any]:
    names = (f"backups/history/{kind}/{revision}.json" for kind in ("applied", "found"))
    data = next(scene.files[name] for name in names if name in scene.files)
    value: dict[str, Any] = json.loads(data)
    return value


def _within(pointer: str, fields: frozenset[str]) -> bool:
    return any(pointer == field or pointer.startswith(f"{field}/") for field in fields)
