"""The durable writes of a process, found in what it did to its disk: where each begins, is half done, and is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from tests.crashes.ground import LEFTOVER
from tests.crashes.knife import Event

REMOVALS = frozenset({"unlink", "rmdir"})


@frozen(kw_only=True)
class Write:
    """One durable write, with the numbers of the events that do not happen any more when it is cut."""

    kind: str
    """`replace`, `rename`, `remove`, `folders`, `modes` or `engine`."""
    name: str
    before: int
    during: int | None
    """`None` where one call does it all."""
    after: int
    triggers: tuple[str, ...] = ()


def writes(events: Sequence[Event]) -> tuple[Write, ...]:
    """Find every write, in order."""
    found = list(_found(events))
    ends = [*(write.before for write in found), len(events)][1:]
    return tuple(_with_triggers(write, events[write.after : end]) for write, end in zip(found, ends, strict=True))


def _found(events: Sequence[Event]) -> Iterator[Write]:
    at = 0
    while at < len(events):
        act, name = events[at].act, events[at].name
        if act == "create":
            renamed = _next(events, at, {"replace"})
            yield _write("replace", events[renamed].name, at, renamed, _flushed(events, renamed))
            at = _flushed(events, renamed)
        elif act == "replace":  # renamed as it is
            yield _write("rename", name, at, at + 1, _flushed(events, at))
            at = _flushed(events, at)
        elif act == "mkdir":
            end = _while(events, at, {"mkdir", "flush"})
            made = [event.name for event in events[at:end] if event.act == "mkdir"]
            yield _write("folders", made[-1], at, at + 1, end)
            at = end
        elif act in REMOVALS and not name.endswith(LEFTOVER):
            end = _while(events, at, REMOVALS)
            yield _write("remove", events[end - 1].name, at, at + 1, _flushed(events, end - 1))
            at = _flushed(events, end - 1)
        elif act == "chmod":  # one call: there is nothing between
            yield _write("modes", name, at, None, at + 1)
            at += 1
        elif act == "done":
            asked = max(n for n in range(at) if events[n].act == "asked")
            yield _write("engine", name, asked, at, at + 1)
            at += 1
        else:
            at += 1


def _write(kind: str, name: str, before: int, during: int | None, after: int) -> Write:
    return Write(kind=kind, name=name, before=before, during=during, after=after)


def _next(events: Sequence[Event], at: int, acts: set[str]) -> int:
    return next(n for n in range(at, len(events)) if events[n].act in acts)


def _while(events: Sequence[Event], at: int, acts: set[str] | frozenset[str]) -> int:
    return next(n for n in range(at, len(events)) if events[n].act not in acts)


def _flushed(events: Sequence[Event], at: int) -> int:
    """Give the place right behind the flush of the folder; without one, right behind the call."""
    return at + 2 if events[at + 1].act == "flush" else at + 1


def _with_triggers(write: Write, until_next: Sequence[Event]) -> Write:
    if write.kind != "replace":
        return write
    told = dict.fromkeys(event.more for event in until_next if event.act == "told")
    return Write(
        kind=write.kind,
        name=write.name,
        before=write.before,
        during=write.during,
        after=write.after,
        triggers=tuple(told),
    )
