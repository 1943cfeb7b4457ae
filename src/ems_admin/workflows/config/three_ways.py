"""Three configs side by side: the one that was reviewed, the one that is live by now, and the one that is wanted.

A field is the smallest thing that can be taken from one side or the other. Lists of named things are matched by name
and objects by key, so that a field has the same pointer on all sides wherever it stands: `/devices/<name>/max_power`.
What one side lacks is one field as a whole, for half a device helps nobody. Pure. Source: `seed 000` 6.5; F46.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, StrEnum
from typing import Any, Final

from attrs import frozen

from ems_admin.workflows.config.diff import masked

Json = dict[str, Any]

NAME: Final = "name"


class Side(StrEnum):
    """One of the three."""

    BASELINE = "baseline"
    LIVE = "live"
    MINE = "mine"


class Standing(StrEnum):
    """Who has changed a field since the review."""

    LIVE_ONLY = "live_only"
    MINE_ONLY = "mine_only"
    SAME = "same"
    """Both have, to the same end."""
    CONFLICT = "conflict"
    """Both have, to different ends; or nobody knows what was reviewed."""


@frozen(kw_only=True)
class Field:
    """One field that is not what it was."""

    pointer: str
    standing: Standing
    values: Mapping[Side, Any]
    """What stands there, secrets masked; a side that has nothing there is left out."""


@frozen(kw_only=True)
class ThreeWays:
    """Everything that somebody has changed."""

    fields: tuple[Field, ...]

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The pointers of what only a person can decide."""
        return tuple(field.pointer for field in self.fields if field.standing is Standing.CONFLICT)


@frozen(kw_only=True)
class Merged:
    """What comes of the choices of a person."""

    config: Json
    undecided: tuple[str, ...]
    """Conflicts that nobody has decided; they stand as they are in mine."""
    unknown: tuple[str, ...]
    """Choices for fields that there are none of."""


class _Nothing(Enum):
    HERE = 0
    KNOWN = 1
    """Nobody can say what stood here."""


def compare(baseline: Mapping[str, Any] | None, live: Mapping[str, Any] | None, mine: Mapping[str, Any]) -> ThreeWays:
    """List what differs. `None` for `baseline` is an unknown one, for `live` that there is no config.

    Where there was provably no config to be reviewed, `baseline` is an empty one.
    """
    fields: list[Field] = []

    def note(field: _Place) -> Any:
        if field.standing is not None:
            fields.append(field.shown)
        return field.live

    _joined(_Place(pointer="", baseline=_or_unknown(baseline), live=live or {}, mine=mine), note)
    return ThreeWays(fields=tuple(fields))


def merge(
    baseline: Mapping[str, Any] | None,
    live: Mapping[str, Any] | None,
    mine: Mapping[str, Any],
    *,
    choices: Mapping[str, Side],
    take: Side | None = None,
) -> Merged:
    """Put a config together: what one side alone has changed is taken from it, the rest as the person says.

    `choices` names a side by the pointer of a field; `take` is for every field that it does not name.
    """
    undecided: list[str] = []
    asked: set[str] = set()

    def choose(field: _Place) -> Any:
        side = choices.get(field.pointer, take)
        if field.standing is None:
            return field.live
        asked.add(field.pointer)
        if side is None and field.standing is Standing.CONFLICT:
            undecided.append(field.pointer)
        if side is None:
            side = Side.LIVE if field.standing is Standing.LIVE_ONLY else Side.MINE
        return field.live if side is Side.LIVE else field.mine

    config = _joined(_Place(pointer="", baseline=_or_unknown(baseline), live=live or {}, mine=mine), choose)
    return Merged(config=config, undecided=tuple(undecided), unknown=tuple(key for key in choices if key not in asked))


@frozen(kw_only=True)
class _Place:
    """The same place in all three."""

    pointer: str
    baseline: Any
    live: Any
    mine: Any

    @property
    def standing(self) -> Standing | None:
        """Say who has changed it; `None` when nobody has."""
        live_changed, mine_changed = not _same(self.live, self.baseline), not _same(self.mine, self.baseline)
        if _same(self.live, self.mine):
            return Standing.SAME if live_changed and self.baseline is not _Nothing.KNOWN else None
        if live_changed and mine_changed:
            return Standing.CONFLICT
        return Standing.LIVE_ONLY if live_changed else Standing.MINE_ONLY

    @property
    def shown(self) -> Field:
        """Show it: what hides a secret is hidden, also where the field is the secret itself."""
        assert self.standing is not None  # noqa: S101  # only what differs is shown
        name = self.pointer.rpartition("/")[2]
        values = {Side.BASELINE: self.baseline, Side.LIVE: self.live, Side.MINE: self.mine}
        there = {side: masked({name: value})[name] for side, value in values.items() if not isinstance(value, _Nothing)}
        return Field(pointer=self.pointer, standing=self.standing, values=there)

    def inner(self, key: str, baseline: Any, live: Any, mine: Any) -> _Place:
        """Give a place inside this one."""
        escaped = key.replace("~", "~0").replace("/", "~1")
        return _Place(pointer=f"{self.pointer}/{escaped}", baseline=baseline, live=live, mine=mine)


def _joined(place: _Place, choose: Callable[[_Place], Any]) -> Any:
    """Walk down as long as both sides have something to walk into, and let each field be chosen."""
    live, mine = _members(place.live), _members(place.mine)
    if live is None or mine is None or isinstance(place.live, list) != isinstance(place.mine, list):
        return choose(place)
    before = _members(place.baseline) or {}
    otherwise = _Nothing.KNOWN if place.baseline is _Nothing.KNOWN else _Nothing.HERE
    chosen = {
        key: _joined(
            place.inner(key, before.get(key, otherwise), live.get(key, _Nothing.HERE), mine.get(key, _Nothing.HERE)),
            choose,
        )
        for key in dict.fromkeys((*live, *mine))
    }
    there = {key: value for key, value in chosen.items() if value is not _Nothing.HERE}
    return list(there.values()) if isinstance(place.live, list) else there


def _members(value: Any) -> Mapping[str, Any] | None:
    """Give the members of an object by key, of a list of named things by name; `None` for anything else."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, list):
        return None
    names = list(_names(value))
    return dict(zip(names, value, strict=True)) if len(set(names)) == len(value) == len(names) else None


def _names(things: list[Any]) -> Iterator[str]:
    for thing in things:
        if isinstance(thing, Mapping) and isinstance(name := thing.get(NAME), str):
            yield name


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON does: `true` is not 1, and the order of named things says nothing."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        ours, theirs = _members(one), _members(other)
        if ours is not None and theirs is not None:
            return _same(ours, theirs)
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _or_unknown(value: Mapping[str, Any] | None) -> Any:
    return _Nothing.KNOWN if value is None else value
