"""The order in which the services of a stack are started. Source: `site.md` 6 (Stack), 8 (start)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from ems_admin.machines.records.build import Service

T = TypeVar("T")


def ordered(things: Iterable[T], *, service_of: Callable[[T], Service]) -> tuple[T, ...]:
    """Order what stands for services so that each comes after what it names in `after`; a circle keeps its order."""
    return in_order(things, name=lambda one: service_of(one).name, after=lambda one: service_of(one).after)


def in_order(things: Iterable[T], *, name: Callable[[T], str], after: Callable[[T], Collection[str]]) -> tuple[T, ...]:
    """Order what has a name and names others that come before it."""
    left, done = list(things), list[T]()
    while left:
        waiting = {name(one) for one in left}
        ready = next((one for one in left if not waiting & (set(after(one)) - {name(one)})), left[0])
        left.remove(ready)
        done.append(ready)
    return tuple(done)
